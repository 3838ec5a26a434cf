import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { askForBase, progressOf } from './actions.ts'

export const baseFromHandlers: Handlers<'baseFrom'> = {
  async make(ctx, asked) {
    return { message: messages.success, makingId: await askForBase(ctx, asked) }
  },
  progress: (ctx, { makingId }) => progressOf(ctx, makingId),
}
