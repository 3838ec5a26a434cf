import { rangeOf } from '@ghanti/contract/range.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Handlers } from '../../http/types.ts'
import { choicesOf, choose, readAllNotices, readNotice } from './actions.ts'
import * as store from './store.ts'

export const noticeHandlers: Handlers<'notices'> = {
  async list({ app, viewer }, { kind, state, at }, query) {
    const filter = { kinds: kind, state, ...rangeOf(at, app.clock.now()) }
    const { rows, ...page } = await store.page(app.db, viewer.userId, filter, query)
    const shown = rows.map((row) => ({
      noticeId: row.id,
      kind: row.kind,
      subjectId: row.subject_id,
      about: row.about,
      reason: row.reason,
      balance: row.paisa === null ? null : rupeesOf(row.paisa),
      at: nepalTimeOf(row.at),
      times: row.times,
      read: row.read_at !== null,
    }))
    return { ...page, rows: shown }
  },

  async read(ctx, { noticeId }) {
    await readNotice(ctx, noticeId)
    return { message: messages.success }
  },

  async readMany(ctx, { noticeIds }) {
    return await eachOf(ctx, noticeIds, (noticeId) => readNotice(ctx, noticeId))
  },

  async readAll({ app, viewer }) {
    await readAllNotices(app, viewer.userId)
    return { message: messages.success }
  },

  choices: (ctx) => choicesOf(ctx),

  async choose(ctx, input) {
    return { message: await choose(ctx, input) }
  },
}
