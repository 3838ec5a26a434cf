import type { Handlers } from '../../http/types.ts'
import { campaignAnswers, exportAnswers } from './actions.ts'

export const answerHandlers: Handlers<'answers'> = {
  ofCampaign: (ctx, { campaignId }) => campaignAnswers(ctx, campaignId),
  keysCsv: (ctx, { campaignId }) => exportAnswers(ctx, campaignId, 'keys'),
  dropOffCsv: (ctx, { campaignId }) => exportAnswers(ctx, campaignId, 'dropOff'),
}
