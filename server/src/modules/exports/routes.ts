import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { askForExport, deleteExport, listExports, openExport } from './actions.ts'

export const exportHandlers: Handlers<'exports'> = {
  async ask(ctx, asked) {
    return { message: messages.success, exportId: await askForExport(ctx, asked) }
  },
  list: (ctx, { userId }) => listExports(ctx, userId),
  download: (ctx, { exportId, fileName }) => openExport(ctx, exportId, fileName),
  async delete(ctx, { exportId }) {
    await deleteExport(ctx, exportId)
    return { message: messages.success }
  },
}
