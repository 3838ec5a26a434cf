import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { generateReport, openReport, prepareDownload } from './actions.ts'

export const reportHandlers: Handlers<'reports'> = {
  async generate(ctx, { campaignId }) {
    await generateReport(ctx, campaignId)
    return { message: messages.success }
  },
  async download(ctx, { campaignId }) {
    return await prepareDownload(ctx, campaignId)
  },
  async zip(ctx, { campaignZip, type }) {
    return await openReport(ctx, Number.parseInt(campaignZip, 10), type)
  },
}
