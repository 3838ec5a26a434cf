import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

const basesMax = 10_000

function bases(db: Db, scope: Scope) {
  return db
    .selectFrom('base')
    .innerJoin('users', 'users.id', 'base.owner_id')
    .selectAll('base')
    .select('users.username')
    .where('base.deleted_at', 'is', null)
    .where(within(scope, 'base.owner_id'))
}

/** Stored files, the newest first; pasted numbers are none. */
export function list(db: Db, scope: Scope) {
  return bases(db, scope).where('base.pasted', '=', false).orderBy('base.id', 'desc').limit(basesMax).execute()
}

export function find(db: Db, scope: Scope, baseId: number) {
  return bases(db, scope).where('base.id', '=', baseId).executeTakeFirst()
}

/** Whosesoever, deleted too. */
export function findAny(db: Db, baseId: number) {
  return db
    .selectFrom('base')
    .select(['owner_id', 'file_hash', 'size_bytes'])
    .where('id', '=', baseId)
    .executeTakeFirst()
}

/** Held as it is until the transaction ends. */
export function hold(tx: Tx, scope: Scope, baseId: number) {
  return bases(tx, scope).where('base.id', '=', baseId).forShare('base').executeTakeFirst()
}

export async function nameTaken(db: Db, ownerId: number, name: string): Promise<boolean> {
  const taken = await db
    .selectFrom('base')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('pasted', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return taken !== undefined
}

export type NewBase = {
  ownerId: number
  name: string
  pasted: boolean
  fileHash: string
  sizeBytes: number
  rows: number
  dialable: number
  columns: string[]
  valueBytes: number
}

/** The new id, or undefined when the owner has a file of that name, in any case of letters. */
export async function insert(tx: Tx, base: NewBase): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('base')
    .values({
      owner_id: base.ownerId,
      name: base.name,
      pasted: base.pasted,
      file_hash: base.fileHash,
      size_bytes: base.sizeBytes,
      rows: base.rows,
      dialable: base.dialable,
      columns: base.columns,
      value_bytes: base.valueBytes,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Whose blacklists hold for this user: his own, every ancestor's, the platform's (DESIGN §7). */
export async function blacklistOwners(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ owner_id: number }>`
    select unnest(path) as owner_id from users where id = ${userId}
    union select id from account where kind = 'mint'`.execute(db)
  return rows.map((row) => row.owner_id)
}

/** Those of the numbers that one of the owners has blacklisted. */
export async function blacklisted(db: Db, phones: readonly number[], owners: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ phone: number }>`
    select asked.phone from unnest(${phones}::bigint[]) asked (phone)
    where exists (select from blacklist b where b.phone = asked.phone and b.owner_id = any(${owners}::int[]))`.execute(
    db,
  )
  return new Set(rows.map((row) => row.phone))
}
