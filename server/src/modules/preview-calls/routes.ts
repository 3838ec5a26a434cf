import { isStored } from '../../drivers/files/driver.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { isAddressed } from './actions-address.ts'
import { previewCampaign, previewComposed } from './actions.ts'

export const previewCallHandlers: Handlers<'previewCalls'> = {
  composed: (ctx, { row, ...input }) => previewComposed(ctx, input, row),
  ofCampaign: (ctx, { campaignId, row }) => previewCampaign(ctx, campaignId, row),
  async hear({ app, viewer }, { sound, until, signature }) {
    const hash = sound.replace(/\.wav$/, '')
    const isThere = isAddressed(app, viewer, { hash, until, signature }) && (await isStored(app.files, hash))
    if (!isThere) throw new AppError('not_found')
    return { type: 'audio/wav', fileName: sound, inline: true, body: { hash } }
  },
}
