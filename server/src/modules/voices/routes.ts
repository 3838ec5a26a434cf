import { messages } from '@ghanti/contract/messages.ts'
import { csvStream, csvType } from '../../lib/csv.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { createPack, decidePack, deletePack, deleteWord, soundOf, uploadWords } from './actions.ts'
import { detailOf, rowOf, wordListHeader, wordListRows } from './rules.ts'
import * as store from './store.ts'

export const voiceHandlers: Handlers<'voices'> = {
  async list({ app, viewer }, { waiting, language }, query) {
    const found = await store.list(app.db, scopeOf(viewer), { waiting: waiting === '1', language }, query)
    return { ...found, rows: found.rows.map((pack) => rowOf(pack, viewer)) }
  },
  async create(ctx, pack) {
    return { message: messages.success, packId: await createPack(ctx, pack) }
  },
  async wordList(_, { language }) {
    const stream = csvStream(wordListHeader, wordListRows(language))
    return { type: csvType, fileName: `words ${language}.csv`, body: { stream } }
  },
  async upload(ctx, { packId, key }, { voiceFile }) {
    return { message: messages.success, ...(await uploadWords(ctx, { packId, key, file: voiceFile })) }
  },
  async deleteWord(ctx, { packId, key }) {
    await deleteWord(ctx, packId, key)
    return { message: messages.success }
  },
  async approve(ctx, { packId, change }) {
    await decidePack(ctx, { packId, change, approved: true, reason: null })
    return { message: messages.success }
  },
  async reject(ctx, { packId, change, reason }) {
    await decidePack(ctx, { packId, change, approved: false, reason: reason ?? null })
    return { message: messages.success }
  },
  async detail({ app, viewer }, { packId }) {
    const pack = await store.find(app.db, scopeOf(viewer), packId)
    if (!pack) throw new AppError('not_found')
    return detailOf(pack, await store.recorded(app.db, packId), viewer)
  },
  async delete(ctx, { packId }) {
    await deletePack(ctx, packId)
    return { message: messages.success }
  },
  async listen(ctx, { packId, key, which }) {
    const hash = await soundOf(ctx, { packId, key, which })
    return { type: 'audio/wav', fileName: `${key}.wav`, inline: true, body: { hash } }
  },
}
