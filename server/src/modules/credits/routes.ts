import { messages } from '@ghanti/contract/messages.ts'
import type { creditRoutes } from '@ghanti/contract/credits.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import { readBehind } from '../../db/servers/replica-reads.ts'
import type { Db } from '../../db/db.ts'
import type { Ctx, FileReply, Handlers } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { creditAccount, recharge } from './actions-recharge.ts'
import { accountView, belowView, customerView } from './actions-history.ts'
import { statementOf } from './actions-statement.ts'
import { statementCells, statementHeader } from './rules-statement.ts'
import { findChildren } from './store-statement.ts'
import { csvColumns, rowOf } from './rules.ts'
import type { HistoryView } from './store-search.ts'
import * as store from './store-history.ts'

type Asked = InputOf<(typeof creditRoutes)['historyCsv']>

function filterOf({ app }: Ctx, { date, action }: Pick<Asked, 'date' | 'action'>) {
  return { ...rangeOf(date, app.clock.now()), action }
}

/** The account of the path; the viewer's own may be exchanged for the one that the filter names, or for all below. */
async function viewOf({ app, viewer }: Ctx, { userId, customer, accounts }: Omit<Asked, 'search'>) {
  const own = await accountView(app.db, viewer, userId)
  if (customer !== undefined) return await customerView(app.db, viewer, customer)
  return accounts === 'below' && userId === viewer.userId ? await belowView(app.db, viewer) : own
}

async function page(ctx: Ctx, view: HistoryView, asked: Asked, query: ListQuery) {
  const { app } = ctx
  const read = (db: Db) => store.list(db, view, query, filterOf(ctx, asked))
  // People who open the list without a search are looking for the latest movements.
  const found = await (query.search ? readBehind(app, read) : read(app.db))
  return { ...found, rows: found.rows.map(rowOf) }
}

async function csv(ctx: Ctx, { userId, search, ...asked }: Asked): Promise<FileReply> {
  const { app, viewer } = ctx
  const view = await viewOf(ctx, { userId, ...asked })
  const filter = { ...filterOf(ctx, asked), search }
  await audit(app.db, ctx, 'credits.export', `user ${userId}`, { search, ...asked })
  const columns = csvColumns[viewer.role]
  async function* rows(): AsyncGenerator<CsvCell[]> {
    for await (const batch of store.all(app.db, view, filter))
      for (const row of batch.map(rowOf)) yield Object.values(columns).map((cell) => cell(row))
  }
  return {
    type: csvType,
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
    return {
      type: csvType,
      fileName: `credits-statement-${month}.csv`,
      body: { stream: csvStream(statementHeader, statementCells(statement)) },
    }
  },
  async children({ app, viewer }, { search }) {
    return await findChildren(app.db, viewer, search)
  },
  async historyOfUser(ctx, asked, query) {
    return await page(ctx, await accountView(ctx.app.db, ctx.viewer, asked.userId), asked, query)
  },
  async history(ctx, asked, query) {
    return await page(ctx, await viewOf(ctx, asked), asked, query)
  },
  async historyCsv(ctx, asked) {
    return await csv(ctx, asked)
  },
}
