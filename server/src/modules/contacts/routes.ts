import { Readable } from 'node:stream'
import { messages } from '@ghanti/contract/messages.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { scopeOfPath } from '../../policy.ts'
import { csvType, pasteContacts, refusedCsv, uploadBase } from './actions.ts'
import { sampleFile } from './rules-samples.ts'
import * as store from './store.ts'

export const contactHandlers: Handlers<'contacts'> = {
  async bases({ app, viewer }, { userId }) {
    const bases = await store.list(app.db, await scopeOfPath(app.db, viewer, userId))
    return bases.map((base) => ({
      baseId: base.id,
      baseName: base.name,
      username: base.username,
      rows: base.rows,
      dialable: base.dialable,
      columns: base.columns,
      uploadedAt: nepalTimeOf(base.created_at),
    }))
  },
  async paste(ctx, _input, { contactList }) {
    return { message: messages.success, ...(await pasteContacts(ctx, contactList)) }
  },
  async baseUpload(ctx, { baseName }, { baseFile }) {
    return { message: messages.success, ...(await uploadBase(ctx, baseName, baseFile)) }
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
