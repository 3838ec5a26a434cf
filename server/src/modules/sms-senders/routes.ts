import { approvalsOf } from '@ghanti/contract/sms-approval.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import type { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Ctx, Handlers } from '../../http/types.ts'
import { scopeOf, scopeOfFilter, scopeOfPath, type Scope } from '../../policy.ts'
import { approveSender, askForSender, deleteSender, rejectSender } from './actions.ts'
import { rowOf } from './rules.ts'
import * as store from './store.ts'

type Filters = InputOf<(typeof smsSenderRoutes)['listAll']>

async function page({ app, viewer }: Ctx, within: Scope, filters: Filters, query: ListQuery) {
  const scope = await scopeOfFilter(app.db, within, 'customer', filters.customer)
  const filter = { statuses: approvalsOf(filters.cliStatus), ...rangeOf(filters.asked, app.clock.now()) }
  const found = await store.list(app.db, scope, filter, query)
  return { ...found, rows: found.rows.map((row) => rowOf(row, viewer.role === 'superAdmin')) }
}

export const smsSenderHandlers: Handlers<'smsSenders'> = {
  async listAll(ctx, filters, query) {
    return page(ctx, scopeOf(ctx.viewer), filters, query)
  },
  async list(ctx, { userId, ...filters }, query) {
    return page(ctx, await scopeOfPath(ctx.app.db, ctx.viewer, userId), filters, query)
  },
  async ask(ctx, { cliName }) {
    return { message: messages.success, cliId: await askForSender(ctx, cliName) }
  },
  async approve(ctx, { cliId, ...wanted }) {
    await approveSender(ctx, cliId, wanted)
    return { message: messages.success }
  },
  async reject(ctx, { cliId, reason }) {
    await rejectSender(ctx, cliId, reason)
    return { message: messages.success }
  },
  async approveMany(ctx, { cliIds, ...wanted }) {
    return eachOf(ctx, cliIds, (cliId) => approveSender(ctx, cliId, wanted))
  },
  async rejectMany(ctx, { cliIds, reason }) {
    return eachOf(ctx, cliIds, (cliId) => rejectSender(ctx, cliId, reason))
  },
  async delete(ctx, { cliId }) {
    await deleteSender(ctx, cliId)
    return { message: messages.success }
  },
}
