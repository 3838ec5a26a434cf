import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { deleteView, renameView, saveView, setDefaultView, viewsOf } from './actions.ts'

export const savedViewHandlers: Handlers<'savedViews'> = {
  async list(ctx, { list }) {
    return await viewsOf(ctx, list)
  },
  async save(ctx, wanted) {
    return { message: messages.success, viewId: await saveView(ctx, wanted) }
  },
  async rename(ctx, { viewId, name }) {
    await renameView(ctx, viewId, name)
    return { message: messages.success }
  },
  async setDefault(ctx, { viewId, isDefault }) {
    await setDefaultView(ctx, viewId, isDefault)
    return { message: messages.success }
  },
  async delete(ctx, { viewId }) {
    await deleteView(ctx, viewId)
    return { message: messages.success }
  },
}
