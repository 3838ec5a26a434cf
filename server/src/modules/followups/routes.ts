import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { beginFollowup, followup, stopFollowup } from './actions.ts'

const { success: message } = messages

export const followupHandlers: Handlers<'followups'> = {
  async begin(ctx, { callUID }) {
    return { message, followupId: await beginFollowup(ctx, callUID) }
  },
  detail: (ctx, { followupId }) => followup(ctx, followupId),
  async stop(ctx, { followupId }) {
    await stopFollowup(ctx, followupId)
    return { message }
  },
}
