import type { Handlers } from '../../http/types.ts'
import { callsCsv, messagesCsv } from './actions-csv.ts'
import { callInsight, messageInsight } from './actions.ts'

export const insightHandlers: Handlers<'insight'> = {
  calls: callInsight,
  messages: messageInsight,
  callsCsv,
  messagesCsv,
}
