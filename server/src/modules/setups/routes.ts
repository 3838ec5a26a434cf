import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { deleteSetup, renameSetup, saveSetup, saveSetupFrom, setupOf, setupsOf } from './actions.ts'

export const setupHandlers: Handlers<'setups'> = {
  async list(ctx) {
    return await setupsOf(ctx)
  },
  async detail(ctx, { setupId }) {
    return await setupOf(ctx, setupId)
  },
  async save(ctx, { setupName, ...fields }) {
    return { message: messages.success, setupId: await saveSetup(ctx, setupName, fields) }
  },
  async saveFrom(ctx, { campaignId, setupName, withContacts = false }) {
    const setupId = await saveSetupFrom(ctx, setupName, campaignId, withContacts)
    return { message: messages.success, setupId }
  },
  async rename(ctx, { setupId, setupName }) {
    await renameSetup(ctx, setupId, setupName)
    return { message: messages.success }
  },
  async delete(ctx, { setupId }) {
    await deleteSetup(ctx, setupId)
    return { message: messages.success }
  },
}
