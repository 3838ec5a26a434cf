import { messages } from '@ghanti/contract/messages.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import { approvalsOf, approvalCode } from '@ghanti/contract/sms-approval.ts'
import type { smsTextRoutes } from '@ghanti/contract/sms-texts.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Ctx, Handlers } from '../../http/types.ts'
import { scopeOf, scopeOfFilter, scopeOfPath, type Scope } from '../../policy.ts'
import { decideText, deleteText, saveText } from './actions.ts'
import { rowOf } from './rules.ts'
import * as store from './store.ts'

type Filters = InputOf<(typeof smsTextRoutes)['listAll']>

async function page({ app }: Ctx, within: Scope, filters: Filters, query: ListQuery) {
  const scope = await scopeOfFilter(app.db, within, 'customer', filters.customer)
  const filter = { statuses: approvalsOf(filters.textStatus), ...rangeOf(filters.changed, app.clock.now()) }
  const found = await store.list(app.db, scope, filter, query)
  return { ...found, rows: found.rows.map(rowOf) }
}

export const smsTextHandlers: Handlers<'smsTexts'> = {
  async listAll(ctx, filters, query) {
    return page(ctx, scopeOf(ctx.viewer), filters, query)
  },
  async list(ctx, { userId, ...filters }, query) {
    return page(ctx, await scopeOfPath(ctx.app.db, ctx.viewer, userId), filters, query)
  },
  async save(ctx, input) {
    const { textId, status } = await saveText(ctx, input)
    return { message: messages.success, textId, textStatus: approvalCode[status] }
  },
  async delete(ctx, { textId }) {
    await deleteText(ctx, textId)
    return { message: messages.success }
  },
  async approve(ctx, { textId, urgent = false }) {
    await decideText(ctx, { textId, status: 'approved', isUrgent: urgent, reason: null })
    return { message: messages.success }
  },
  async reject(ctx, { textId, reason }) {
    await decideText(ctx, { textId, status: 'rejected', reason })
    return { message: messages.success }
  },
  async approveMany(ctx, { textIds }) {
    return eachOf(ctx, textIds, (textId) => decideText(ctx, { textId, status: 'approved', reason: null }))
  },
  async rejectMany(ctx, { textIds, reason }) {
    return eachOf(ctx, textIds, (textId) => decideText(ctx, { textId, status: 'rejected', reason }))
  },
}
