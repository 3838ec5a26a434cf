import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { freezeUser, reachOfFreezing } from './actions.ts'

export const freezingHandlers: Handlers<'freezing'> = {
  reach: (ctx, { userId }) => reachOfFreezing(ctx, userId),

  async freeze(ctx, { userId, frozen = true, reason, calls }) {
    await freezeUser(ctx, { userId, frozen, reason, calls })
    return { message: messages.success }
  },
}
