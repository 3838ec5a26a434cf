import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import type { InboxRow, OptOut, smsInboxRoutes } from '@ghanti/contract/sms-inbox.ts'
import type { Pool } from 'pg'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import type { IncomingMessage } from '../../drivers/sms/driver.ts'
import type { Ctx, Page } from '../../http/types.ts'
import { namedBy, scopeOfFilter, scopeOfPath } from '../../policy.ts'
import { auditRead, auditReadOf } from '../audit/actions.ts'
import { searchedWords } from '../audit/rules.ts'
import { settingOf } from '../platform/actions.ts'
import { incomingOf, rowOf } from './rules.ts'
import * as store from './store.ts'
import { overDb, storeIncoming } from './store-intake.ts'

const dayMs = 24 * 3600_000

/** Stores messages from a callback. The engine handles them within a second or two. */
export async function keepIncoming(db: Db, gatewayId: number, these: readonly IncomingMessage[]): Promise<void> {
  const words = await settingOf(db, 'optOut')
  await storeIncoming(
    overDb(db),
    gatewayId,
    these.map((one) => incomingOf(one, words)),
  )
}

/** The same over the engine's pool: each message once, however often the gateway repeats it, within the limits. */
export async function keepIncomingOver(
  pool: Pick<Pool, 'query'>,
  gatewayId: number,
  these: readonly IncomingMessage[],
  words: OptOut,
): Promise<void> {
  const incoming = these.map((one) => incomingOf(one, words))
  await storeIncoming((text, values) => pool.query(text, values), gatewayId, incoming)
}

/** Each account of which the answer tells something gets an audit line, as in the report of calls. */
export async function listInbox(
  ctx: Ctx,
  { userId, customer, ...filters }: InputOf<typeof smsInboxRoutes.list>,
  query: ListQuery,
): Promise<Page<InboxRow>> {
  const { app, viewer } = ctx
  const whole = await scopeOfPath(app.db, viewer, userId)
  const scope = await scopeOfFilter(app.db, whole, 'customer', customer)
  const search = searchedWords(query.search, { customer, ...filters })
  const detail = search === '' ? {} : { search }
  await auditRead(ctx, { action: 'inbox.open', target: `user ${userId}`, ownerId: userId, detail })
  const { action: actions, received, campaign } = filters
  const filter = { actions, campaign, ...rangeOf(received, app.clock.now()) }
  const [page, searched] = await Promise.all([
    store.pageOfInbox(app.db, scope, filter, query),
    store.ownersOfNumber(app.db, scope, query.search),
  ])
  const told = new Set([...page.rows.flatMap(({ account_id: id }) => id ?? []), ...searched, ...namedBy(scope)])
  told.delete(userId)
  await auditReadOf(ctx, 'inbox.open', [...told])
  return { ...page, rows: page.rows.map(rowOf) }
}

/** Deletes messages after the configured days. Opt-outs they caused stay. */
export async function forgetOldInbox({ db, clock }: App): Promise<void> {
  await store.forgetOld(db, new Date(clock.now().getTime() - (await settingOf(db, 'inboxDays')) * dayMs))
}
