import { messages } from '@ghanti/contract/messages.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Handlers } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { allow, blacklist, refusedOfUpload, shownLists, uploadBlacklist } from './actions.ts'
import * as store from './store.ts'

export const blacklistHandlers: Handlers<'blacklist'> = {
  async list(ctx, { userId }, query) {
    const { app, viewer } = ctx
    const { ownId, owners } = await shownLists(app.db, viewer, userId)
    await auditRead(ctx, { action: 'blacklist.open', target: `user ${userId}`, ownerId: userId })
    const byId = new Map(owners.map((owner) => [owner.id, owner]))
    const found = await store.list(app.db, [...byId.keys()], query)
    const rows = found.rows.map((entry) => {
      const owner = byId.get(entry.owner_id)
      const inherited = owner?.isPlatform ? ('platform' as const) : ('reseller' as const)
      return {
        blacklistId: entry.id,
        mobile: nationalOf(String(entry.phone)),
        reqDate: nepalTimeOf(entry.created_at),
        source: entry.owner_id === ownId ? ('own' as const) : inherited,
        username: owner?.username ?? '',
      }
    })
    return { ...found, rows }
  },
  async add(ctx, { mobile }) {
    await blacklist(ctx, mobile)
    return { message: messages.success }
  },
  async delete(ctx, { blacklistId }) {
    await allow(ctx, blacklistId)
    return { message: messages.success }
  },
  async upload(ctx, _, { blistFile }) {
    return { message: messages.success, ...(await uploadBlacklist(ctx, blistFile)) }
  },
  async refusedFile(ctx, { uploadId }) {
    return await refusedOfUpload(ctx, uploadId)
  },
}
