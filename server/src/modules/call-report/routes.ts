import type { Handlers } from '../../http/types.ts'
import { downloadArchivedCalls } from './actions-archived.ts'
import { exportCalls, listCalls, listCallsOf } from './actions.ts'

export const callReportHandlers: Handlers<'callReport'> = {
  list: (ctx, asked, query) => listCalls(ctx, asked, query),
  recordings: (ctx, asked, query) => listCalls(ctx, { ...asked, recorded: 'yes' }, query),
  ofCampaign: (ctx, asked, query) => listCallsOf(ctx, asked, query),
  exportCsv: (ctx, asked) => exportCalls(ctx, asked),
  archivedCsv: (ctx, { campaignId }) => downloadArchivedCalls(ctx, campaignId),
}
