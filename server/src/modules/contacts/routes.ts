import { Readable } from 'node:stream'
import { messages } from '@ghanti/contract/messages.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { AppError } from '../../errors.ts'
import { eachOf } from '../../http/each.ts'
import type { Handlers } from '../../http/types.ts'
import { scopeOfPath } from '../../policy.ts'
import { csvType, pasteContacts, refusedCsv, uploadBase } from './actions.ts'
import { contactFileDays } from '../platform/actions.ts'
import { deleteBase, keptUntil, renameBase } from './actions-stored.ts'
import { sampleFile } from './rules-samples.ts'
import * as store from './store.ts'

export const contactHandlers: Handlers<'contacts'> = {
  async bases({ app, viewer }, { userId }) {
    const bases = await store.list(app.db, await scopeOfPath(app.db, viewer, userId))
    const days = await contactFileDays(app.db)
    return bases.map((base) => ({
      baseId: base.id,
      baseName: base.name,
      username: base.username,
      rows: base.rows,
      dialable: base.dialable,
      columns: base.columns,
      uploadedAt: nepalTimeOf(base.created_at),
      keptUntil: base.is_needed ? null : nepalTimeOf(keptUntil(base.last_use, days)),
      bytes: base.size_bytes,
    }))
  },
  async paste(ctx, _input, { contactList }) {
    return { message: messages.success, ...(await pasteContacts(ctx, contactList)) }
  },
  async baseUpload(ctx, { baseName }, { baseFile }) {
    return { message: messages.success, ...(await uploadBase(ctx, baseName, baseFile)) }
  },
  async rename(ctx, { baseId, baseName }) {
    await renameBase(ctx, baseId, baseName)
    return { message: messages.success }
  },
  async delete(ctx, { baseId }) {
    await deleteBase(ctx, baseId)
    return { message: messages.success }
  },
  async deleteMany(ctx, { baseIds }) {
    return await eachOf(ctx, baseIds, (baseId) => deleteBase(ctx, baseId))
  },
  async sample(_, { sampleName }) {
    const text = sampleFile(sampleName)
    if (text === null) throw new AppError('not_found')
    return {
      type: csvType,
      fileName: sampleName,
      cache: 'public',
      body: { stream: Readable.from([Buffer.from(text)]) },
    }
  },
  async refusedFile(ctx, { baseId, templateId }) {
    return await refusedCsv(ctx, baseId, templateId ?? 0)
  },
}
