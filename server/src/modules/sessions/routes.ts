import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { changePassword } from '../auth/actions-change.ts'
import { stopStranger } from '../auth/actions-reset.ts'
import { deviceKnownDays } from '../auth/rules-throttle.ts'
import { endSignIns, openSignIns } from './actions.ts'

export const sessionHandlers: Handlers<'sessions'> = {
  async notMe({ app, origin }, { token }) {
    await stopStranger(app, token, origin)
    return { message: messages.success }
  },

  async changePassword(ctx, { current, password }) {
    const { cookies } = ctx
    const { device, keys } = await changePassword(ctx, { current, password, cookie: cookies.device })
    cookies.keepDevice(device, deviceKnownDays)
    return { message: messages.success, ...(keys > 0 && { keys }) }
  },

  list: (ctx) => openSignIns(ctx),

  async end(ctx, which) {
    return { message: messages.success, ended: await endSignIns(ctx, which) }
  },
}
