import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { archiveCampaign } from './actions-archive.ts'

const success = { message: messages.success }

export const retentionHandlers: Handlers<'retention'> = {
  async archiveCalls(ctx, input) {
    await archiveCampaign(ctx, 'calls', input)
    return success
  },
  async archiveMessages(ctx, input) {
    await archiveCampaign(ctx, 'messages', input)
    return success
  },
}
