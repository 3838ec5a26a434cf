import type { hookRoutes } from '@ghanti/contract/hooks.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { Ctx } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { bodyOf } from './actions-body.ts'
import { eventIdOf } from './rules.ts'
import * as store from './store.ts'

const listedMax = 20

type Events = ReplyOf<typeof hookRoutes.events>

/** The account's own, as a hook gets them. What is deleted is left out. */
export async function eventsAfter(ctx: Ctx, after: number): Promise<Events> {
  const { app, viewer } = ctx
  const { userId } = viewer
  await auditRead(ctx, { action: 'hook.read', target: `user ${userId}`, ownerId: userId })
  const found = await store.eventsAfter(app.db, userId, after, listedMax)
  const events: Events['events'] = []
  for (const event of found) {
    const body = await bodyOf(app.db, event)
    if (body) events.push({ eventId: eventIdOf(event.key), ...body } as Events['events'][number])
  }
  return { events, next: found.at(-1)?.id ?? after }
}
