import { randomUUID } from 'node:crypto'
import { newPrompt } from '../campaigns.ts'
import * as lines from './route-fixtures-lines.ts'
import { base, noId, type RouteFixture } from './route-fixtures.ts'

export const setup: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const { id } = await app.db
      .insertInto('setup')
      .values({ account_id: owner.userId, name: `Set-up ${randomUUID()}`, fields: JSON.stringify({ templateId: 0 }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** A set-up of the owner of which a campaign can be composed. */
export const completeSetup: RouteFixture = {
  owners: ['user'],
  async make(app, owner, viewer) {
    const cli = String(await lines.cli.make(app, owner, viewer))
    const fields = JSON.stringify({ templateId: 0, cli, welcomePId: await newPrompt(app, owner) })
    const { id } = await app.db
      .insertInto('setup')
      .values({ account_id: owner.userId, name: `Set-up ${randomUUID()}`, fields })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** A repeating campaign of the owner. */
export function repeating(state: 'active' | 'paused' | 'ended'): RouteFixture {
  return {
    owners: ['user'],
    async make(app, owner, viewer) {
      const next = { next_day: '2030-01-06', next_at: new Date('2030-01-06T04:00:00Z') }
      const { id } = await app.db
        .insertInto('repeating')
        .values({
          account_id: owner.userId,
          name: `Repeating ${randomUUID()}`,
          fields: JSON.stringify({ templateId: 0, cli: '015970001' }),
          base_id: Number(await base.make(app, owner, viewer)),
          rule: 'weekly',
          weekdays: [0],
          at_minute: 600,
          from_day: '2026-01-01',
          until_day: '2030-12-31',
          state,
          ...(state === 'active' && next),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    missing: noId,
  }
}
