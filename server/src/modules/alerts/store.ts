import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'

/** Inserts nothing while an alert of the same kind and subject is open; within an hour it opens the last one again. */
export async function insert(db: Db, kind: string, subject: string, detail: string): Promise<void> {
  await sql`select raise_alert(${kind}, ${subject}, ${detail})`.execute(db)
}

export async function clearOpen(db: Db, kind: string, subject: string): Promise<void> {
  await sql`select clear_alert(${kind}, ${subject})`.execute(db)
}

type Filter = {
  state: 'open' | 'cleared' | 'all'
  /** 'judge' stands for all invariants. */
  kinds?: readonly string[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export function listAlerts(db: Db, { state, kinds, from, to }: Filter, query: ListQuery) {
  let rows = db.selectFrom('alert').selectAll()
  if (state !== 'all') rows = rows.where('cleared_at', state === 'open' ? 'is' : 'is not', null)
  if (kinds) rows = rows.where(sql<boolean>`split_part(kind, ':', 1) = any (${kinds})`)
  if (from) rows = rows.where('at', '>=', from)
  if (to) rows = rows.where('at', '<', to)
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(sql<boolean>`lower(kind || ' ' || subject || ' ' || detail) like ${pattern}`)
  }
  const id = sql.ref<number>('alert.id')
  return readPage(db, rows, query, { keys: { alertId: id }, id, fallback: '-alertId' })
}

export function readAlerts(db: Db, { cleared }: { cleared: boolean }) {
  return db
    .selectFrom('alert')
    .selectAll()
    .$if(!cleared, (alerts) => alerts.where('cleared_at', 'is', null))
    .orderBy('id')
    .execute()
}

export function openAbout(db: Db, subject: string, kinds: readonly string[]) {
  return db
    .selectFrom('alert')
    .select(['kind', 'detail', 'at'])
    .where('kind', 'in', kinds)
    .where('subject', '=', subject)
    .where('cleared_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

export function lockAlert(tx: Tx, id: number) {
  return tx.selectFrom('alert').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function setCleared(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.updateTable('alert').set({ cleared_at: at }).where('id', '=', id).execute()
}

export function countOpen(db: Db) {
  return db
    .selectFrom('alert')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('open')])
    .where('cleared_at', 'is', null)
    .groupBy('kind')
    .execute()
}
