import { messages } from '@ghanti/contract/messages.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { csvStream, type CsvCell } from '../../csv.ts'
import type { Ctx, FileReply, Handlers } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { creditAccount, recharge } from './actions-recharge.ts'
import { accountView, historyView } from './actions-history.ts'
import { statementOf } from './actions-statement.ts'
import { statementTable } from './rules-statement.ts'
import { findChildren } from './store-statement.ts'
import { csvCell, csvColumns, rowOf } from './rules.ts'
import * as store from './store-history.ts'

async function page(ctx: Ctx, view: store.HistoryView, query: ListQuery) {
  const found = await store.list(ctx.app.db, view, query)
  return { ...found, rows: found.rows.map(rowOf) }
}

async function csv(ctx: Ctx, userId: number, search: string | undefined): Promise<FileReply> {
  const { app, viewer } = ctx
  const view = await historyView(app.db, viewer, userId)
  await audit(app.db, ctx, 'credits.export', `user ${userId}`, { search: search ?? null })
  const columns = csvColumns[viewer.role]
  async function* rows(): AsyncGenerator<CsvCell[]> {
    for await (const batch of store.all(app.db, view, search))
      for (const row of batch.map(rowOf)) yield Object.values(columns).map((column) => csvCell(row[column]))
  }
  return {
    type: 'text/csv; charset=utf-8',
    fileName: 'credits-history.csv',
    body: { stream: csvStream(Object.keys(columns), rows()) },
  }
}

export const creditHandlers: Handlers<'credits'> = {
  async add(ctx, input) {
    return { message: messages.success, ...(await recharge(ctx, input, 'credit_add')) }
  },
  async remove(ctx, input) {
    return { message: messages.success, ...(await recharge(ctx, input, 'credit_remove')) }
  },
  async account(ctx, { userId }) {
    return await creditAccount(ctx, userId)
  },
  async statement(ctx, { userId, month }) {
    return await statementOf(ctx.app.db, ctx.viewer, userId, month)
  },
  async statementCsv(ctx, { userId, month }) {
    const statement = await statementOf(ctx.app.db, ctx.viewer, userId, month)
    await audit(ctx.app.db, ctx, 'credits.export', `user ${userId}`, { month })
    const [header = [], ...rows] = statementTable(statement)
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `credits-statement-${month}.csv`,
      body: { stream: csvStream(header, rows) },
    }
  },
  async children({ app, viewer }, { search }) {
    return await findChildren(app.db, viewer, search)
  },
  async historyOfUser(ctx, { userId }, query) {
    return await page(ctx, await accountView(ctx.app.db, ctx.viewer, userId), query)
  },
  async history(ctx, { userId }, query) {
    return await page(ctx, await historyView(ctx.app.db, ctx.viewer, userId), query)
  },
  async historyCsv(ctx, { userId, search }) {
    return await csv(ctx, userId, search)
  },
}
