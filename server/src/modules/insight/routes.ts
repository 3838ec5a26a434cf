import type { Handlers } from '../../http/types.ts'
import { callInsight, messageInsight } from './actions.ts'

export const insightHandlers: Handlers<'insight'> = { calls: callInsight, messages: messageInsight }
