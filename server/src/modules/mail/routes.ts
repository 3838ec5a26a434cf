import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { sendAgain } from './actions.ts'

export const mailHandlers: Handlers<'mail'> = {
  async sendAgain(ctx) {
    await sendAgain(ctx)
    return { message: messages.linkSent }
  },
}
