import * as z from 'zod/mini'
import { rangeOf } from '@ghanti/contract/range.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Handlers } from '../../http/types.ts'
import { clearAlert, Others } from './actions.ts'
import * as store from './store.ts'

export const alertHandlers: Handlers<'alerts'> = {
  async list({ app }, { state = 'open', kind, raised }, query) {
    const filter = { state, kinds: kind, ...rangeOf(raised, app.clock.now()) }
    const page = await store.listAlerts(app.db, filter, query)
    return {
      ...page,
      rows: page.rows.map(({ id, at, kind, subject, detail, times, others, cleared_at }) => ({
        alertId: id,
        raisedAt: nepalTimeOf(at),
        kind,
        subject,
        detail,
        times,
        others: z.parse(Others, others),
        clearedAt: cleared_at && nepalTimeOf(cleared_at),
      })),
    }
  },
  async clear(ctx, { alertId }) {
    await clearAlert(ctx.app.db, ctx, { id: alertId, at: ctx.app.clock.now() })
    return { message: messages.success }
  },
  async clearMany(ctx, { alertIds }) {
    return await eachOf(ctx, alertIds, (id) => clearAlert(ctx.app.db, ctx, { id, at: ctx.app.clock.now() }))
  },
}
