import type { SavedView } from '@ghanti/contract/saved-views.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

export function list(db: Db, userId: number, path: string): Promise<SavedView[]> {
  return db
    .selectFrom('saved_view')
    .select(['id as viewId', 'name', 'query', 'is_default as isDefault'])
    .where('user_id', '=', userId)
    .where('list', '=', path)
    .orderBy(sql`lower(name)`)
    .execute()
}

/** Serialises changes of the account's views, so that the limits of fifty views and one default hold. */
export async function lock(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('saved views'), ${userId})`.execute(tx)
}

export async function count(tx: Tx, userId: number): Promise<number> {
  const { views } = await tx
    .selectFrom('saved_view')
    .select(({ fn }) => fn.countAll<number>().as('views'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(views)
}

export function find(tx: Tx, userId: number, viewId: number) {
  return tx
    .selectFrom('saved_view')
    .select('list')
    .where('user_id', '=', userId)
    .where('id', '=', viewId)
    .executeTakeFirst()
}

/** Ignores case. `but`: the view's own id. */
export async function nameTaken(tx: Tx, userId: number, path: string, name: string, but = 0): Promise<boolean> {
  const other = await tx
    .selectFrom('saved_view')
    .select('id')
    .where('user_id', '=', userId)
    .where('list', '=', path)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', but)
    .executeTakeFirst()
  return other !== undefined
}

export async function insert(
  tx: Tx,
  userId: number,
  { list: path, name, query }: { list: string; name: string; query: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('saved_view')
    .values({ user_id: userId, list: path, name, query })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function rename(tx: Tx, viewId: number, name: string): Promise<void> {
  await tx.updateTable('saved_view').set({ name }).where('id', '=', viewId).execute()
}

/** Makes it the only default of its list, or no longer the default. */
export async function setDefault(
  tx: Tx,
  userId: number,
  path: string,
  viewId: number,
  isDefault: boolean,
): Promise<void> {
  const ofList = tx.updateTable('saved_view').where('user_id', '=', userId).where('list', '=', path)
  const others = ofList.set({ is_default: false }).where('is_default', '=', true)
  if (isDefault) await others.where('id', '<>', viewId).execute()
  await ofList.set({ is_default: isDefault }).where('id', '=', viewId).execute()
}

export async function remove(db: Db, userId: number, viewId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_view')
    .where('user_id', '=', userId)
    .where('id', '=', viewId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
