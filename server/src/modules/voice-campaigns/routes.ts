import { messages } from '@ghanti/contract/messages.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Handlers } from '../../http/types.ts'
import { editCampaign } from '../voice-compose/actions-edit.ts'
import { composeCampaign } from '../voice-compose/actions.ts'
import { watch } from './actions-events.ts'
import { previewCampaign } from '../voice-compose/actions-preview.ts'
import { campaignDetail, exportCampaigns, exportRefused, listAttempts, listCampaigns } from './actions-read.ts'
import { pauseCampaign, resumeCampaign, retryCampaign, stopCampaign } from './actions-state.ts'
import { attemptRowOf } from './rules.ts'
import { wireStart } from '../voice-compose/rules-start.ts'

const success = { message: messages.success }

export const voiceCampaignHandlers: Handlers<'voiceCampaigns'> = {
  async compose(ctx, input) {
    const { campaignId, start } = await composeCampaign(ctx, input)
    return { ...success, campaignId, start: wireStart(start) }
  },
  async edit(ctx, input) {
    return { ...success, start: wireStart(await editCampaign(ctx, input)) }
  },
  preview: (ctx, input) => previewCampaign(ctx, input),
  list: (ctx, asked, query) => listCampaigns(ctx, asked, query),
  exportCsv: (ctx, asked) => exportCampaigns(ctx, asked),
  detail: (ctx, { campaignId }) => campaignDetail(ctx, campaignId),
  async attempts(ctx, input, query) {
    const page = await listAttempts(ctx, input, query)
    const { clock, config } = ctx.app
    const days = config.recordingDays
    const kept = { days, since: new Date(clock.now().getTime() - days * 24 * 3600_000) }
    return { ...page, rows: page.rows.map((row) => attemptRowOf(row, kept)) }
  },
  refusedCsv: (ctx, { campaignId }) => exportRefused(ctx, campaignId),
  async stop(ctx, input) {
    await stopCampaign(ctx, input)
    return success
  },
  async pause(ctx, input) {
    await pauseCampaign(ctx, input)
    return success
  },
  async resume(ctx, { campaignId }) {
    await resumeCampaign(ctx, campaignId)
    return success
  },
  async stopMany(ctx, { campaignIds, ...how }) {
    return await eachOf(ctx, campaignIds, (campaignId) => stopCampaign(ctx, { campaignId, ...how }))
  },
  async pauseMany(ctx, { campaignIds, reason }) {
    return await eachOf(ctx, campaignIds, (campaignId) => pauseCampaign(ctx, { campaignId, reason }))
  },
  async resumeMany(ctx, { campaignIds }) {
    return await eachOf(ctx, campaignIds, (campaignId) => resumeCampaign(ctx, campaignId))
  },
  async retry(ctx, { campaignId, invalidToo }) {
    await retryCampaign(ctx, campaignId, invalidToo)
    return success
  },
  async events({ app, viewer }, stream) {
    watch(app, viewer, stream)
  },
}
