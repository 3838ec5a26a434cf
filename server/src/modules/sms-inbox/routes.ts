import type { Handlers } from '../../http/types.ts'
import { listInbox } from './actions.ts'

export const smsInboxHandlers: Handlers<'smsInbox'> = {
  list: (ctx, asked, query) => listInbox(ctx, asked, query),
}
