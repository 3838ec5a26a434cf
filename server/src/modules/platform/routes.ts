import { messages } from '@ghanti/contract/messages.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Handlers } from '../../http/types.ts'
import { allowDialling, dialEffect, stopDialling } from './actions.ts'
import * as store from './store.ts'

export const platformHandlers: Handlers<'platform'> = {
  async dialBlocks({ app }) {
    const blocks = await store.openBlocks(app.db)
    return blocks.map(({ id, at, ...block }) => ({ ...block, dialBlockId: id, since: nepalTimeOf(at) }))
  },
  async dialTargets({ app }, { kind, search }) {
    return store.targets(app.db, kind, search ?? '')
  },
  dialEffect: ({ app }, { targetId, ...target }) => dialEffect(app, { ...target, targetId: targetId ?? null }),
  async stopDialling(ctx, { targetId, ...stop }) {
    const dialBlockId = await stopDialling(ctx, { ...stop, targetId: targetId ?? null })
    return { message: messages.success, dialBlockId }
  },
  async allowDialling(ctx, { dialBlockId }) {
    await allowDialling(ctx, dialBlockId)
    return { message: messages.success }
  },
}
