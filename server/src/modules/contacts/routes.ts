import { messages } from '@ghanti/contract/messages.ts'
import { csvType } from '../../lib/csv.ts'
import { AppError } from '../../errors.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Handlers } from '../../http/types.ts'
import { addToBase } from './actions-added.ts'
import { chooseColumns } from './actions-columns.ts'
import { lookAndCheck } from './actions-check.ts'
import { pasteContacts, refusedCsv, uploadBase } from './actions.ts'
import { deleteBase, detailOf, downloadBase, storedFiles } from './actions-stored.ts'
import { updateBase } from './actions-update.ts'
import { sampleFile } from './rules-samples.ts'

export const contactHandlers: Handlers<'contacts'> = {
  bases: (ctx, { userId }) => storedFiles(ctx, userId),
  detail: (ctx, { baseId }) => detailOf(ctx, baseId),
  download: (ctx, { baseId }) => downloadBase(ctx, baseId),
  async paste(ctx, _input, { contactList }) {
    return { message: messages.success, ...(await pasteContacts(ctx, contactList)) }
  },
  async baseUpload(ctx, { baseName, ...reading }, { baseFile }) {
    return { message: messages.success, ...(await uploadBase(ctx, baseName, baseFile, reading)) }
  },
  async add(ctx, { baseId, ...reading }, files) {
    return { message: messages.success, ...(await addToBase(ctx, baseId, files, reading)) }
  },
  look: (ctx, asked, { baseFile }) => lookAndCheck(ctx, baseFile, asked),
  async columns(ctx, { baseId, columns }) {
    await chooseColumns(ctx, baseId, columns)
    return { message: messages.success }
  },
  async update(ctx, { baseId, ...changes }) {
    await updateBase(ctx, baseId, changes)
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
      body: { make: async () => Buffer.from(text) },
    }
  },
  async refusedFile(ctx, { baseId, templateId }) {
    return await refusedCsv(ctx, baseId, templateId ?? 0)
  },
}
