import { messages } from '@ghanti/contract/messages.ts'
import type { Ctx, Handlers } from '../../http/types.ts'
import { fromOf } from '../auth/actions-new-browser.ts'
import { makeKey, ownKeys, revokeKey, rollKey } from '../keys/actions.ts'

const acting = (ctx: Ctx) => ({ ...ctx, from: fromOf(ctx.origin) })

export const keyHandlers: Handlers<'keys'> = {
  list: (ctx) => ownKeys(ctx),
  async create(ctx, input) {
    return { message: messages.success, ...(await makeKey(acting(ctx), input)) }
  },
  async roll(ctx, { keyId, overlapHours }) {
    return { message: messages.success, ...(await rollKey(acting(ctx), keyId, overlapHours)) }
  },
  async revoke(ctx, { keyId }) {
    await revokeKey(ctx, keyId)
    return { message: messages.success }
  },
}
