import type { ExportFormat, ExportKind } from '@ghanti/contract/exports.ts'
import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isStopped } from '../../db/live.ts'
import type { Export } from '../../db/tables.ts'
import type { Viewer } from '../../policy.ts'

export type ExportLine = Selectable<Export>

export async function countUnfinished(tx: Tx, ownerId: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('exports'), ${ownerId})`.execute(tx)
  const { count } = await tx
    .selectFrom('export')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('status', 'in', ['queued', 'making'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

type NewExport = { ownerId: number; kind: ExportKind; format: ExportFormat; filter: object; fileName: string; at: Date }
export async function insert(tx: Tx, one: NewExport): Promise<number> {
  const { id } = await tx
    .insertInto('export')
    .values({
      owner_id: one.ownerId,
      kind: one.kind,
      format: one.format,
      filter: JSON.stringify(one.filter),
      file_name: one.fileName,
      asked_at: one.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function listOf(db: Db, ownerId: number, limit: number): Promise<ExportLine[]> {
  return db
    .selectFrom('export')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findReady(db: Db, ownerId: number, id: number, now: Date): Promise<ExportLine | undefined> {
  return db
    .selectFrom('export')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'ready')
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Takes the export for making, also one whose maker was killed. Undefined: it is done, or was deleted. */
export function begin(db: Db, id: number): Promise<ExportLine | undefined> {
  return db
    .updateTable('export')
    .set({ status: 'making', rows: 0 })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'making'])
    .returningAll()
    .executeTakeFirst()
}

export async function saveRows(db: Db, id: number, rows: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('export')
    .set({ rows })
    .where('id', '=', id)
    .where('status', '=', 'making')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Made = { hash: string; rows: number; bytes: number; at: Date; expiresAt: Date }
/** False: it was deleted meanwhile, or another process was quicker. */
export async function markReady(tx: Tx, id: number, { hash, rows, bytes, at, expiresAt }: Made): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('export')
    .set({ status: 'ready', file_hash: hash, rows, bytes, ended_at: at, expires_at: expiresAt })
    .where('id', '=', id)
    .where('status', '=', 'making')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores which campaigns have contacts in its file. Nothing is stored for an export that was deleted meanwhile. */
export async function nameCampaigns(tx: Tx, id: number, campaignIds: readonly number[]): Promise<void> {
  await sql`
    insert into export_holds (export_id, campaign_id)
    select e.id, c.id from export e, unnest(${campaignIds}::int[]) c(id) where e.id = ${id} and e.status = 'making'`.execute(
    tx,
  )
}

export async function markFailed(db: Db, id: number, reason: string, at: Date): Promise<void> {
  await db
    .updateTable('export')
    .set({ status: 'failed', reason, ended_at: at })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'making'])
    .execute()
}

/** Locks the owner's export, and reads the hash of its file if it has one. Undefined: the owner has no such export. */
export function lockOwn(tx: Tx, ownerId: number, id: number): Promise<ExportLine | undefined> {
  return tx
    .selectFrom('export')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
}

export async function remove(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('export').where('id', '=', id).execute()
}

export function outdated(db: Db, now: Date, failedBefore: Date, limit: number) {
  return db
    .selectFrom('export')
    .select(['id', 'owner_id'])
    .where('ended_at', 'is not', null)
    .where((where) =>
      where.or([
        where('expires_at', '<', now),
        where.and([where('status', '=', 'failed'), where('ended_at', '<', failedBefore)]),
      ]),
    )
    .orderBy('ended_at')
    .limit(limit)
    .execute()
}

/** The asker as a viewer. Undefined: the account, or one above it, is disabled or deleted. */
export async function viewerOf(db: Db, userId: number): Promise<Viewer | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'parent_id'])
    .where('id', '=', userId)
    .where(sql<boolean>`not ${isStopped('users.path')}`)
    .executeTakeFirst()
  return user && { userId: user.id, username: user.username, role: user.role, parentId: user.parent_id }
}
