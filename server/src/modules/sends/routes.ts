import type { Handlers } from '../../http/types.ts'
import { findMessages, readMessage, sendMessage } from './actions.ts'

export const sendHandlers: Handlers<'sends'> = {
  create: (ctx, input) => sendMessage(ctx, input),
  detail: (ctx, { messageId }) => readMessage(ctx, messageId),
  find: (ctx, { reference }) => findMessages(ctx, reference),
}
