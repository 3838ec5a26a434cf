import { finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'
import type { SpokenFrom } from './rules.ts'

const basesMax = 10_000
const batch = 500

function bases(db: Db, scope: Scope) {
  return db
    .selectFrom('base')
    .innerJoin('users', 'users.id', 'base.owner_id')
    .selectAll('base')
    .select(['users.username', sql<SpokenFrom>`base.spoken_from`.as('spoken_from')])
    .where('base.deleted_at', 'is', null)
    .where(within(scope, 'base.owner_id'))
}

const lastUse = sql<Date>`greatest(base.kept_from, (select max(d.created_at) from campaign_detail d where d.base_id = base.id),
  (select max(d.created_at) from sms_campaign_detail d where d.base_id = base.id))`
const isNeeded = sql<boolean>`(exists (select from campaign_detail d join campaign c on c.id = d.campaign_id
    where d.base_id = base.id and c.status <> all (${[...finishedStatuses]}::campaign_status[]))
  or exists (select from sms_campaign_detail d join sms_campaign c on c.id = d.campaign_id
    where d.base_id = base.id and c.status <> all (${[...finishedStatuses]}::campaign_status[]))
  or exists (select from repeating r where r.base_id = base.id and r.state <> 'ended'))`

/** Stored files, newest first; pasted numbers are left out. */
export function list(db: Db, scope: Scope) {
  return bases(db, scope)
    .select([lastUse.as('last_use'), isNeeded.as('is_needed')])
    .where('base.pasted', '=', false)
    .orderBy('base.id', 'desc')
    .limit(basesMax)
    .execute()
}

export function findListed(db: Db, scope: Scope, baseId: number) {
  return bases(db, scope)
    .select([lastUse.as('last_use'), isNeeded.as('is_needed')])
    .where('base.id', '=', baseId)
    .where('base.pasted', '=', false)
    .executeTakeFirst()
}
export type Listed = NonNullable<Awaited<ReturnType<typeof findListed>>>

type CampaignOf = { kind: 'calls' | 'messages'; id: number; name: string; status: CampaignStatus; created_at: Date }
const campaignsShown = 50

export async function campaignsOf(db: Db, baseId: number): Promise<{ newest: CampaignOf[]; count: number }> {
  const { rows } = await sql<CampaignOf & { count: number }>`
    select uses.*, (count(*) over ())::int as count from (
      select 'calls' as kind, c.id, d.name, c.status, d.created_at from campaign_detail d join campaign c on c.id = d.campaign_id
      where d.base_id = ${baseId} and not exists (select from campaign_deleted x where x.campaign_id = c.id)
      union all
      select 'messages', c.id, d.name, c.status, d.created_at from sms_campaign_detail d join sms_campaign c on c.id = d.campaign_id
      where d.base_id = ${baseId} and not exists (select from sms_campaign_deleted x where x.campaign_id = c.id)
    ) uses order by created_at desc, id desc limit ${campaignsShown}`.execute(db)
  return { newest: rows, count: rows[0]?.count ?? 0 }
}

/** Locks out new campaigns made from it; undefined when it is not the owner's, or is deleted. */
export function lockOwn(tx: Tx, ownerId: number, baseId: number) {
  return tx
    .selectFrom('base')
    .select(['id', 'owner_id', 'name', 'file_hash'])
    .where('id', '=', baseId)
    .where('owner_id', '=', ownerId)
    .where('pasted', '=', false)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}
export type Own = NonNullable<Awaited<ReturnType<typeof lockOwn>>>

/** Pasted numbers too; undefined when it is not the owner's, or is deleted. */
export function lockForColumns(tx: Tx, ownerId: number, baseId: number) {
  return tx
    .selectFrom('base')
    .select(['name', 'columns', sql<SpokenFrom>`spoken_from`.as('spoken_from')])
    .where('id', '=', baseId)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function setSpokenFrom(tx: Tx, baseId: number, spokenFrom: SpokenFrom): Promise<void> {
  await tx
    .updateTable('base')
    .set({ spoken_from: JSON.stringify(spokenFrom) })
    .where('id', '=', baseId)
    .execute()
}

export async function rename(tx: Tx, baseId: number, name: string): Promise<void> {
  await tx.updateTable('base').set({ name }).where('id', '=', baseId).execute()
}

type Use = { name: string; status: CampaignStatus }
export async function unfinishedUses(tx: Tx, baseId: number): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select name, status from (
      select d.name, c.status, c.id from campaign c join campaign_detail d on d.campaign_id = c.id where d.base_id = ${baseId}
      union all
      select d.name, c.status, c.id from sms_campaign c join sms_campaign_detail d on d.campaign_id = c.id where d.base_id = ${baseId}
    ) uses where status <> all (${[...finishedStatuses]}::campaign_status[]) order by id limit 3`.execute(tx)
  return rows
}

export async function repeatingUses(tx: Tx, baseId: number): Promise<string[]> {
  const uses = await tx
    .selectFrom('repeating')
    .select('name')
    .where('base_id', '=', baseId)
    .where('state', '<>', 'ended')
    .orderBy('id')
    .limit(3)
    .execute()
  return uses.map(({ name }) => name)
}

export async function isBeingRead(tx: Tx, baseId: number): Promise<boolean> {
  const { rows } = await sql<{ is_read: boolean }>`select exists (
      select from campaign_detail d join campaign c on c.id = d.campaign_id where d.base_id = ${baseId} and c.status = 'processing')
    or exists (
      select from sms_campaign_detail d join sms_campaign c on c.id = d.campaign_id where d.base_id = ${baseId} and c.status = 'processing')
    as is_read`.execute(tx)
  return rows[0]?.is_read ?? false
}

type NewFile = Pick<
  NewBase,
  'fileHash' | 'sizeBytes' | 'rows' | 'dialable' | 'columns' | 'valueBytes' | 'moreNumbers' | 'dateOrders'
>

export async function replaceFile(tx: Tx, baseId: number, file: NewFile): Promise<void> {
  await tx
    .updateTable('base')
    .set({
      file_hash: file.fileHash,
      size_bytes: file.sizeBytes,
      rows: file.rows,
      dialable: file.dialable,
      columns: file.columns,
      value_bytes: file.valueBytes,
      more_numbers: JSON.stringify(file.moreNumbers),
      date_orders: JSON.stringify(file.dateOrders),
    })
    .where('id', '=', baseId)
    .execute()
}

export async function setDateOrders(db: Db, baseId: number, fileHash: string, orders: ColumnOrders): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('base')
    .set({ date_orders: JSON.stringify(orders) })
    .where('id', '=', baseId)
    .where('file_hash', '=', fileHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes its refused lines too: they are personal data. */
export async function remove(tx: Tx, baseId: number, at: Date): Promise<void> {
  await tx.updateTable('base').set({ deleted_at: at }).where('id', '=', baseId).execute()
  await tx.deleteFrom('base_refused').where('base_id', '=', baseId).execute()
}

/**
 * The first of each kind that may be deleted: stored files not used since `storedBefore`, and numbers pasted before `pastedBefore` that no
 * campaign needs any more.
 */
export function unneeded(db: Db, { storedBefore, pastedBefore }: { storedBefore: Date; pastedBefore: Date }) {
  return db
    .selectFrom('base')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where.and([
          where('pasted', '=', false),
          where('kept_from', '<', storedBefore),
          sql<boolean>`${lastUse} < ${storedBefore}`,
        ]),
        where.and([where('pasted', '=', true), where('created_at', '<', pastedBefore)]),
      ]),
    )
    .where(sql<boolean>`not ${isNeeded}`)
    .limit(batch)
    .execute()
}

/** Undefined when somebody used it meanwhile, or it is deleted. */
export function lockUnneeded(tx: Tx, baseId: number) {
  return tx
    .selectFrom('base')
    .select(['id', 'owner_id', 'name', 'file_hash'])
    .where('id', '=', baseId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`not ${isNeeded}`)
    .forUpdate()
    .executeTakeFirst()
}

/** Undefined when the numbers were not pasted, are deleted, or a campaign still uses them. */
export function lockPasted(tx: Tx, baseId: number) {
  return tx
    .selectFrom('base')
    .select(['id', 'owner_id', 'name', 'file_hash'])
    .where('id', '=', baseId)
    .where('pasted', '=', true)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`not exists (
        select from campaign_detail d where d.base_id = base.id and not exists (select from campaign_deleted x where x.campaign_id = d.campaign_id)
        union all
        select from sms_campaign_detail d where d.base_id = base.id and not exists (select from sms_campaign_deleted x where x.campaign_id = d.campaign_id))`,
    )
    .forUpdate()
    .executeTakeFirst()
}

export function find(db: Db, scope: Scope, baseId: number) {
  return bases(db, scope).where('base.id', '=', baseId).executeTakeFirst()
}

/** Also finds a deleted one, whoever owns it. */
export function findAny(db: Db, baseId: number) {
  return db
    .selectFrom('base')
    .select([
      'owner_id',
      'file_hash',
      'first_line',
      'size_bytes',
      'date_orders',
      sql<SpokenFrom>`spoken_from`.as('spoken_from'),
    ])
    .where('id', '=', baseId)
    .executeTakeFirst()
}

/** Of calls; also finds a deleted one. */
export function baseOfCampaign(db: Db, campaignId: number) {
  return db
    .selectFrom('base')
    .innerJoin('campaign_detail as d', 'd.base_id', 'base.id')
    .select('base.date_orders')
    .where('d.campaign_id', '=', campaignId)
    .executeTakeFirst()
}

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
  firstLine?: number
  moreNumbers: MoreNumbers
  spokenFrom?: SpokenFrom
  dateOrders: ColumnOrders
}

/** The new id; undefined when the owner has a file of that name, ignoring case. */
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
      first_line: base.firstLine ?? 1,
      more_numbers: JSON.stringify(base.moreNumbers),
      spoken_from: JSON.stringify(base.spokenFrom ?? {}),
      date_orders: JSON.stringify(base.dateOrders),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** The owners of the blacklists that apply to this user: the user's own, those above, the platform's (docs/design.md#blacklists). */
export async function blacklistOwners(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ owner_id: number }>`
    select unnest(path) as owner_id from users where id = ${userId}
    union select id from account where kind = 'mint'`.execute(db)
  return rows.map((row) => row.owner_id)
}

export async function blacklisted(db: Db, phones: readonly number[], owners: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ phone: number }>`
    select asked.phone from unnest(${phones}::bigint[]) asked (phone)
    where exists (select from blacklist b where b.phone = asked.phone and b.owner_id = any(${owners}::int[]))`.execute(
    db,
  )
  return new Set(rows.map((row) => row.phone))
}
