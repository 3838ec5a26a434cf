import { noId, type RouteFixture } from './route-fixtures.ts'
import type { Row } from './route-rows.ts'

const hook: RouteFixture = {
  owners: ['user', 'reseller'],
  // Not by the action: an account has few, this makes one for each case, and nothing is to be sent.
  async make(app, { userId }) {
    const sealed = { host: 'hooks.example.com', url_sealed: 'x', secret_sealed: 'x' }
    const made = app.db.insertInto('hook').values({
      ...sealed,
      user_id: userId,
      events: ['calls.ended'],
      state: 'active',
      created_at: new Date(),
    })
    return (await made.returning('id').executeTakeFirstOrThrow()).id
  },
  missing: noId,
}
const delivery: RouteFixture = {
  owners: ['user', 'reseller'],
  async make(app, owner, viewer) {
    const hookId = Number(await hook.make(app, owner, viewer))
    const event = app.db
      .insertInto('hook_event')
      .values({ user_id: owner.userId, type: 'balance.low', at: new Date(), of_messages: false, ids: [] })
    const { id } = await event.returning('id').executeTakeFirstOrThrow()
    const made = app.db.insertInto('hook_delivery').values({ hook_id: hookId, event_id: id, state: 'failed' })
    return (await made.returning('id').executeTakeFirstOrThrow()).id
  },
  missing: 999_999_999_999_999,
}
const onlyOwn = { reseller: { child: 404, deeper: 404 } }
const own = { on: ['hookId', hook], except: onlyOwn } as const satisfies Row

export const hookRows = {
  'hooks.list': {},
  'hooks.create': { fields: () => ({ events: ['calls.ended'] }) },
  'hooks.update': { ...own, fields: () => ({ events: ['balance.low'] }) },
  'hooks.test': own,
  'hooks.rotate': own,
  'hooks.replay': { on: ['deliveryId', delivery], except: onlyOwn },
  'hooks.delete': own,
  'hooks.deliveries': own,
  'hooks.events': {},
} satisfies Record<string, Row>
