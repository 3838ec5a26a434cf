import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { firstIdSince } from '../../db/search/ids.ts'
import { readPage } from '../../db/lists/list.ts'
import { beginsFew, numberLike } from '../../db/search/numbers.ts'
import type { Page } from '../../http/types.ts'

/** Checks the account's own list, those above it and the platform's (docs/design.md#blacklists). */
export async function heldAmong(db: Db, userId: number, phones: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ phone: number }>`
    select distinct phone from blacklist where phone = any (${phones}::bigint[]) and owner_id = any (array(
      select unnest(path) from users where id = ${userId} union all select id from account where kind = 'mint'))`.execute(
    db,
  )
  return new Set(rows.map(({ phone }) => phone))
}

export type Entry = { id: number; phone: number; created_at: Date }

type Added = { from?: Date | undefined; to?: Date | undefined }

export async function list(db: Db, ownerId: number, { from, to }: Added, query: ListQuery): Promise<Page<Entry>> {
  const rows = { table: sql`blacklist`, where: sql<boolean>`owner_id = ${ownerId}`, at: sql`created_at` }
  const first = from && ((await firstIdSince(db, rows, from)) ?? 0)
  const last = to && ((await firstIdSince(db, rows, to)) ?? 0)
  const entries = db
    .selectFrom('blacklist')
    .select(['id', 'phone', 'created_at'])
    .where('owner_id', '=', ownerId)
    .$if(first !== undefined, (entries) => entries.where('id', '>=', first ?? 0))
    .$if(last !== undefined, (entries) => entries.where('id', '<', last ?? 0))
    .$if(query.search !== undefined, (entries) =>
      entries.where(numberLike(sql.ref('phone'), query.search ?? '', { indexed: true })),
    )
  const id = sql.ref<number>('id')
  const keys = { blacklistId: id, reqDate: id } // ids are in order of arrival
  const sortsFound = query.search !== undefined && beginsFew(query.search)
  return readPage(db, entries, query, { keys, id, fallback: '-blacklistId', sortsFound })
}

/** From here on the transaction waits a second at most for locks, then fails (`isWaiting`). */
export async function waitBriefly(tx: Tx): Promise<void> {
  await sql`set local lock_timeout = '1s'`.execute(tx)
}

export const isWaiting = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'

/** False when it is on the list already. */
export async function add(tx: Tx, ownerId: number, phone: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('blacklist')
    .values({ owner_id: ownerId, phone })
    .onConflict((conflict) => conflict.columns(['phone', 'owner_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The deleted number; undefined when the owner has no such entry. */
export function remove(tx: Tx, ownerId: number, id: number): Promise<{ phone: number } | undefined> {
  return tx
    .deleteFrom('blacklist')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('phone')
    .executeTakeFirst()
}

export function findUpload(db: Db, ownerId: number, uploadId: number) {
  return db
    .selectFrom('blacklist_upload')
    .select('invalid')
    .where('id', '=', uploadId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
}

export function refusedLines(db: Db, uploadId: number, afterLine: number, limit: number) {
  return db
    .selectFrom('blacklist_refused')
    .select(['line', 'text', 'reason'])
    .where('upload_id', '=', uploadId)
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(limit)
    .execute()
}

/** Refused lines are personal data, deleted after the days that the owner was told. */
export async function forgetOldUploads(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('blacklist_upload')
    .where('at', '<', sql<Date>`now() - ${days} * interval '1 day'`)
    .execute()
}

export async function platformBlacklists(tx: Tx, phone: number): Promise<boolean> {
  const { rows } = await sql`
    select from blacklist b join account a on a.id = b.owner_id where b.phone = ${phone} and a.kind = 'mint'`.execute(
    tx,
  )
  return rows.length > 0
}
