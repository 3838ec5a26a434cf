import { messages } from '@ghanti/contract/messages.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Handlers } from '../../http/types.ts'
import { storedFiles } from '../contacts/actions-stored.ts'
import { downloadArchivedMessages } from './actions-archived.ts'
import { createCampaign } from './actions-compose.ts'
import { editCampaign } from './actions-edit.ts'
import { storeStaged, stageFile } from './actions-files.ts'
import { previewCampaign } from './actions-preview.ts'
import {
  campaignSummary,
  exportCampaigns,
  exportMessages,
  exportRefused,
  listCampaigns,
  listMessages,
} from './actions-read.ts'
import { decideValues, listUnapproved } from './actions-values.ts'
import { pauseCampaign, resumeCampaign, retryCampaign, stopCampaign } from './actions-state.ts'

const success = { message: messages.success }

export const smsCampaignHandlers: Handlers<'smsCampaigns'> = {
  bases: (ctx, { userId }) => storedFiles(ctx, userId),
  async stageFile(ctx, _input, { smsBaseFile }) {
    return { ...success, uploaded: true, file_name: await stageFile(ctx, smsBaseFile) }
  },
  async baseUpload(ctx, named) {
    return { ...success, ...(await storeStaged(ctx, named)) }
  },
  async create(ctx, input) {
    return { ...success, campaignId: await createCampaign(ctx, input) }
  },
  async edit(ctx, input) {
    await editCampaign(ctx, input)
    return success
  },
  preview: (ctx, input) => previewCampaign(ctx, input),
  list: (ctx, asked, query) => listCampaigns(ctx, asked, query),
  exportCsv: (ctx, asked) => exportCampaigns(ctx, asked),
  summary: (ctx, { campaignId }) => campaignSummary(ctx, campaignId),
  report: (ctx, asked, query) => listMessages(ctx, asked, query),
  reportCsv: (ctx, asked) => exportMessages(ctx, asked),
  archivedCsv: (ctx, { campaignId }) => downloadArchivedMessages(ctx, campaignId),
  refusedCsv: (ctx, { campaignId }) => exportRefused(ctx, campaignId),
  unapproved: (ctx, { campaignId }, query) => listUnapproved(ctx, campaignId, query),
  async approveValues(ctx, { campaignId }) {
    await decideValues(ctx, { campaignId, status: 'approved', reason: null })
    return success
  },
  async rejectValues(ctx, { campaignId, reason }) {
    await decideValues(ctx, { campaignId, status: 'rejected', reason })
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
  async stop(ctx, input) {
    await stopCampaign(ctx, input)
    return success
  },
  async stopMany(ctx, { campaignIds, reason }) {
    return await eachOf(ctx, campaignIds, (campaignId) => stopCampaign(ctx, { campaignId, reason }))
  },
  async pauseMany(ctx, { campaignIds, reason }) {
    return await eachOf(ctx, campaignIds, (campaignId) => pauseCampaign(ctx, { campaignId, reason }))
  },
  async resumeMany(ctx, { campaignIds }) {
    return await eachOf(ctx, campaignIds, (campaignId) => resumeCampaign(ctx, campaignId))
  },
  async retry(ctx, { campaignId }) {
    await retryCampaign(ctx, campaignId)
    return success
  },
}
