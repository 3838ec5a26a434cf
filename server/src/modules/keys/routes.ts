import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { makeKey, ownKeys, revokeKey, rollKey } from './actions.ts'

export const keyHandlers: Handlers<'keys'> = {
  list: (ctx) => ownKeys(ctx),
  async create(ctx, input) {
    return { message: messages.success, ...(await makeKey(ctx, input)) }
  },
  async roll(ctx, { keyId, overlapHours }) {
    return { message: messages.success, ...(await rollKey(ctx, keyId, overlapHours)) }
  },
  async revoke(ctx, { keyId }) {
    await revokeKey(ctx, keyId)
    return { message: messages.success }
  },
}
