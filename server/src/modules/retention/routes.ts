import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { archiveCampaign } from './actions-archive.ts'
import { downloadArchive, listArchives } from './actions-read.ts'
import { deleteCampaign } from './actions-delete.ts'

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
  archives: (ctx) => listArchives(ctx),
  archive: (ctx, { archiveId }) => downloadArchive(ctx, archiveId),
  async deleteCalls(ctx, input) {
    await deleteCampaign(ctx, 'calls', input)
    return success
  },
  async deleteMessages(ctx, input) {
    await deleteCampaign(ctx, 'messages', input)
    return success
  },
}
