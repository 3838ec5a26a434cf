import { rangeOf } from '@ghanti/contract/range.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Handlers } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { allow, blacklist, isBlacklisted, refusedOfUpload, shownList, uploadBlacklist } from './actions.ts'
import * as store from './store.ts'

export const blacklistHandlers: Handlers<'blacklist'> = {
  async list(ctx, { userId, added }, query) {
    const { app, viewer } = ctx
    const ownerId = await shownList(app.db, viewer, userId)
    await auditRead(ctx, { action: 'blacklist.open', target: `user ${userId}`, ownerId: userId })
    const found = await store.list(app.db, ownerId, rangeOf(added, app.clock.now()), query)
    const rows = found.rows.map((entry) => ({
      blacklistId: entry.id,
      mobile: nationalOf(String(entry.phone)),
      reqDate: nepalTimeOf(entry.created_at),
    }))
    return { ...found, rows }
  },
  async check(ctx, { mobile }) {
    return { blacklisted: await isBlacklisted(ctx, mobile) }
  },
  async add(ctx, { mobile }) {
    await blacklist(ctx, mobile)
    return { message: messages.success }
  },
  async delete(ctx, { blacklistId }) {
    await allow(ctx, blacklistId)
    return { message: messages.success }
  },
  async deleteMany(ctx, { blacklistIds }) {
    return await eachOf(ctx, blacklistIds, (blacklistId) => allow(ctx, blacklistId))
  },
  async upload(ctx, reading, { blistFile }) {
    return { message: messages.success, ...(await uploadBlacklist(ctx, blistFile, reading)) }
  },
  async refusedFile(ctx, { uploadId }) {
    return await refusedOfUpload(ctx, uploadId)
  },
}
