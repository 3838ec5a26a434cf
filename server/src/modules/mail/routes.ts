import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { sendAgain, verify } from './actions.ts'

export const mailHandlers: Handlers<'mail'> = {
  async verify({ app, origin }, { token }) {
    await verify(app, token, origin)
    return { message: messages.mailVerified }
  },
  async sendAgain(ctx) {
    await sendAgain(ctx)
    return { message: messages.linkSent }
  },
}
