import type { Handlers } from '../../http/types.ts'
import { openCsv, openPdf } from './actions.ts'

export const summaryHandlers: Handlers<'summaries'> = {
  pdf: (ctx, asked) => openPdf(ctx, asked),
  csv: (ctx, { campaignId }) => openCsv(ctx, campaignId),
}
