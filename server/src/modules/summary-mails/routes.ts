import { messages } from '@ghanti/contract/messages.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { addAddress, confirmAddress, readChoice, removeAddress, saveChoice, stopMails } from './actions.ts'
import { sendSummary } from './actions-send.ts'

const done = { message: messages.success }

export const summaryMailHandlers: Handlers<'summaryMails'> = {
  read: (ctx) => readChoice(ctx),
  async save(ctx, choice) {
    await saveChoice(ctx, choice)
    return done
  },
  async addAddress(ctx, { address }) {
    return { ...done, addressId: await addAddress(ctx, address) }
  },
  async removeAddress(ctx, { addressId }) {
    if (!(await removeAddress(ctx, addressId))) throw new AppError('not_found')
    return done
  },
  async confirm({ app, origin }, { token }) {
    await confirmAddress(app, token, origin)
    return done
  },
  async stop({ app, origin }, { token }) {
    await stopMails(app, token, origin)
    return done
  },
  async send(ctx, asked) {
    await sendSummary(ctx, asked)
    return done
  },
}
