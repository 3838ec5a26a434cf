import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { readPage } from '../../db/list.ts'
import { beginsFew, numberLike } from '../../db/number-search.ts'
import type { Page } from '../../http/types.ts'

/** An account that blacklists numbers; the platform's is the mint, whose username is ''. */
export type Owner = { id: number; username: string; isPlatform: boolean }

export async function platformId(db: Db): Promise<number> {
  const { id } = await db.selectFrom('account').select('id').where('kind', '=', 'mint').executeTakeFirstOrThrow()
  return id
}

/** Whose lists hold for the user: his own, his resellers', the platform's (DESIGN §7). */
export async function ownersFor(db: Db, userId: number): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select above.id, above.username, false as "isPlatform" from users u join users above on above.id = any (u.path) where u.id = ${userId}
    union all select id, '', true from account where kind = 'mint'`.execute(db)
  return rows
}

export type Entry = { id: number; owner_id: number; phone: number; created_at: Date }

/** One page of several owners' lists as one. */
export function list(db: Db, ownerIds: readonly number[], query: ListQuery): Promise<Page<Entry>> {
  const parts = ownerIds.map((ownerId) =>
    db
      .selectFrom('blacklist')
      .select(['id', 'owner_id', 'phone', 'created_at'])
      .where('owner_id', '=', ownerId)
      .$if(query.search !== undefined, (rows) =>
        rows.where(numberLike(sql.ref('phone'), query.search ?? '', { indexed: true })),
      ),
  )
  const id = sql.ref<number>('id')
  const keys = { blacklistId: id, reqDate: id } // numbers are in the order in which they came
  const sortsFound = query.search !== undefined && beginsFew(query.search)
  return readPage(db, parts, query, { keys, id, fallback: '-blacklistId', sortsFound })
}

/** False: it is on the list already. */
export async function add(tx: Tx, ownerId: number, phone: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('blacklist')
    .values({ owner_id: ownerId, phone })
    .onConflict((conflict) => conflict.columns(['phone', 'owner_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The number that was deleted; undefined: the owner has no such entry. */
export function remove(tx: Tx, ownerId: number, id: number): Promise<{ phone: number } | undefined> {
  return tx
    .deleteFrom('blacklist')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('phone')
    .executeTakeFirst()
}

export async function uploadIsThere(db: Db, ownerId: number, uploadId: number): Promise<boolean> {
  const found = await db
    .selectFrom('blacklist_upload')
    .select('id')
    .where('id', '=', uploadId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
  return found !== undefined
}

/** Refused lines behind `afterLine`, in the order of the file. */
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

/** What an upload refused is nobody's business after the days that its owner was told. */
export async function forgetOldUploads(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('blacklist_upload')
    .where('at', '<', sql<Date>`now() - ${days} * interval '1 day'`)
    .execute()
}
