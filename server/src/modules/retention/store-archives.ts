import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db, Tx } from '../../db/db.ts'
import { partitioned, partitionRows } from '../../db/schema/partitions.ts'
import { within, type Scope } from '../../policy.ts'
import type { Kind } from './rules.ts'

export type Partition = { kind: Kind; no: number; firstId: number; endId: number; table: string }

/** Partitions before the current one whose newest row was claimed before then, oldest first. */
export async function oldPartitions(client: Client, kind: Kind, before: Date): Promise<Partition[]> {
  const { parent, ids } = partitioned[kind]
  const { rows } = await client.query<{ no: number }>(
    `select substring(inhrelid::regclass::text from '\\d+$')::bigint as no from pg_inherits
      where inhparent = $1::regclass and substring(inhrelid::regclass::text from '\\d+$')::bigint < (select last_value / $2 from ${ids}) order by 1`,
    [parent, partitionRows],
  )
  const old = []
  for (const { no } of rows) {
    const table = `${parent}_${no}`
    const newest = await client.query<{ at: Date }>(`select claimed_at as at from ${table} order by id desc limit 1`)
    const at = newest.rows[0]?.at
    if (at !== undefined && at < before)
      old.push({ kind, no, firstId: no * partitionRows, endId: (no + 1) * partitionRows, table })
  }
  return old
}

type Part = { campaignId: number; accountId: number; rows: number }
export type Contents = { parts: Part[]; rows: number; costPaisa: number; firstAt: Date; lastAt: Date; isOver: boolean }

/** The campaigns in it. `isOver`: all of them are over and none is being deleted; false when a row has no campaign. */
export async function contentsOf(client: Client, { kind, table }: Partition): Promise<Contents> {
  const [campaign, deleted] =
    kind === 'calls' ? ['campaign', 'campaign_deleted'] : ['sms_campaign', 'sms_campaign_deleted']
  const { rows } = await client.query<Part & { cost: number; first_at: Date; last_at: Date; is_over: boolean }>(
    `select a.campaign_id as "campaignId", c.account_id as "accountId", a.rows, a.cost, a.first_at, a.last_at,
        c.status in ('complete', 'cancelled', 'refused', 'failed') and (g is null or g.done_at is not null) as is_over
       from (select campaign_id, count(*)::int as rows, sum(cost_paisa)::bigint as cost, min(claimed_at) as first_at, max(claimed_at) as last_at from ${table} group by 1) a
       left join ${campaign} c on c.id = a.campaign_id left join ${deleted} g on g.campaign_id = c.id order by 1`,
  )
  const times = (pick: (row: (typeof rows)[number]) => Date) => rows.map((row) => pick(row).getTime())
  return {
    parts: rows.map(({ campaignId, accountId, rows: n }) => ({ campaignId, accountId, rows: n })),
    rows: rows.reduce((sum, row) => sum + row.rows, 0),
    costPaisa: rows.reduce((sum, row) => sum + row.cost, 0),
    firstAt: new Date(times((row) => row.first_at).reduce((a, b) => Math.min(a, b), Infinity)),
    lastAt: new Date(times((row) => row.last_at).reduce((a, b) => Math.max(a, b), 0)),
    isOver: rows.every((row) => row.is_over),
  }
}

/** Whether anything is still to come for these rows: an end, a kept recording, a counter. */
export async function isUnderWay(client: Client, { kind, firstId, endId }: Partition): Promise<boolean> {
  const asked =
    kind === 'calls'
      ? `select exists (select from attempt_open where id >= $1 and id < $2) or exists (select from recording where attempt_id >= $1 and attempt_id < $2)
          or exists (select from attempt_news, unnest(ids) i where i >= $1 and i < $2) as waits`
      : `select exists (select from sms_open where id >= $1 and id < $2)
          or exists (select from sms_news, unnest(ids) i where i >= $1 and i < $2) as waits`
  const { rows } = await client.query<{ waits: boolean }>(asked, [firstId, endId])
  return rows[0]?.waits !== false
}

export async function columnsOf(client: Client, kind: Kind): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(attname, ',' order by attnum) as columns from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [partitioned[kind].parent],
  )
  return rows[0]?.columns ?? ''
}

export async function emptyCopy(client: Client, kind: Kind): Promise<void> {
  await client.query(`create temp table if not exists archived_${kind} (like ${partitioned[kind].parent})`)
  await client.query(`truncate archived_${kind}`)
}

export type AgentDay = { agent: string; day: number }
/** The agents that the calls in the copy were put through to, with the days (Nepal's). */
export async function agentsIn(client: Client, kind: Kind): Promise<AgentDay[]> {
  if (kind !== 'calls') return []
  const { rows } = await client.query<AgentDay>(
    `select distinct ltrim(agent, '+') as agent, nepal_minute(started_at) / 1440 as day from archived_calls where agent ~ '^[+]?[0-9]{3,17}$'`,
  )
  return rows
}

/**
 * Deletes the counters of these agents on these days, for the campaign's account and all accounts above it. Other campaigns' calls to the same agent on the same
 * day are lost from these counters too: archived calls cannot be subtracted, only calls in the database can (`forget_calls()`).
 */
export async function forgetAgents(tx: Tx, campaignId: number, agents: readonly AgentDay[]): Promise<void> {
  if (agents.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtext('call_count'))`.execute(tx)
  await sql`
    delete from call_count k
     using json_to_recordset(${JSON.stringify(agents)}) as d (agent bigint, day int), counted_for(array(select account_id from campaign where id = ${campaignId})) v
     where k.slice = 'day' and k.kind = 'agent' and k.account_id = v.viewer_id and k.at = d.day and k.key = d.agent`.execute(
    tx,
  )
}

export async function isSame(
  client: Client,
  { kind, table }: Partition,
  columns: string,
  campaignId: number,
): Promise<boolean> {
  const sums = (from: string) =>
    `select count(*) as n, sum(cost_paisa) as cost, sum(hashtextextended(row(${columns})::text, 0)::numeric) as hash from ${from}`
  const { rows } = await client.query<{ same: boolean }>(
    `select s is not distinct from b as same from (${sums(`${table} where campaign_id = $1`)}) s, (${sums(`archived_${kind}`)}) b`,
    [campaignId],
  )
  return rows[0]?.same === true
}

export type NewArchive = Omit<Partition, 'table'> &
  Omit<Contents, 'parts' | 'isOver'> & {
    columns: string
    headerBytes: number
    hash: string
    bytes: number
    begunAt: Date
    at: Date
  }
export type StoredPart = Part & { start: number; bytes: number }

/** Records the file and drops its partition in one transaction. */
export async function replacePartition(tx: Tx, of: NewArchive, parts: readonly StoredPart[]): Promise<void> {
  const { id } = await tx
    .insertInto('archive')
    .values({
      parent: partitioned[of.kind].parent,
      no: of.no,
      first_id: of.firstId,
      end_id: of.endId,
      first_at: of.firstAt,
      last_at: of.lastAt,
      rows: of.rows,
      cost_paisa: of.costPaisa,
      columns: of.columns,
      header_bytes: of.headerBytes,
      file_hash: of.hash,
      bytes: of.bytes,
      begun_at: of.begunAt,
      made_at: of.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into archive_part (archive_id, campaign_id, account_id, rows, start_byte, bytes)
    select ${id}, t.* from json_to_recordset(${JSON.stringify(parts)}) as t ("campaignId" int, "accountId" int, rows int, start bigint, bytes bigint)`.execute(
    tx,
  )
  if (of.kind === 'calls')
    await sql`delete from recording_removed where attempt_id >= ${of.firstId} and attempt_id < ${of.endId}`.execute(tx)
  await sql`delete from recording_withheld where attempt_id >= ${of.firstId} and attempt_id < ${of.endId}`.execute(tx)
  await sql`select drop_archived(${id})`.execute(tx)
}

export function listArchives(db: Db, limit: number) {
  return db
    .selectFrom('archive')
    .select(['id', 'parent', 'first_at', 'last_at', 'rows', 'bytes', 'file_hash', 'made_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findArchive(db: Db, id: number) {
  return db
    .selectFrom('archive')
    .select(['id', 'parent', 'file_hash', 'first_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export type ArchivedPart = {
  archiveId: number
  hash: string
  columns: string
  start: number
  bytes: number
  rows: number
  madeAt: Date
}

export async function partsOf(db: Db, kind: Kind, campaignId: number): Promise<ArchivedPart[]> {
  return await db
    .selectFrom('archive_part as p')
    .innerJoin('archive as a', 'a.id', 'p.archive_id')
    .select([
      'a.id as archiveId',
      'a.file_hash as hash',
      'a.columns',
      'p.start_byte as start',
      'p.bytes',
      'p.rows',
      'a.made_at as madeAt',
    ])
    .where('p.campaign_id', '=', campaignId)
    .where('a.parent', '=', partitioned[kind].parent)
    .orderBy('a.no')
    .execute()
}

/** The campaign's owner and name; undefined when it is out of scope. */
export async function campaignOf(db: Db, kind: Kind, scope: Scope, campaignId: number) {
  const progress = kind === 'calls' ? sql.table('campaign_progress') : sql.table('sms_campaign_progress')
  const { rows } = await sql<{ ownerId: number; name: string }>`
    select p.account_id as "ownerId", p.name from ${progress} p where p.campaign_id = ${campaignId} and ${within(scope, 'p.account_id')}`.execute(
    db,
  )
  return rows[0]
}

export async function notEmptied(db: Db, kind: Kind, campaignId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('archive_part as p')
    .innerJoin('archive as a', 'a.id', 'p.archive_id')
    .select('a.id')
    .where('p.campaign_id', '=', campaignId)
    .where('a.parent', '=', partitioned[kind].parent)
    .where('p.emptied_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

const inFile = (db: Db, id: number, campaignId: number) =>
  db
    .selectFrom('archive as a')
    .innerJoin('archive_part as p', 'p.archive_id', 'a.id')
    .select(['a.file_hash as hash', 'a.columns', 'a.bytes as all', 'p.start_byte as start', 'p.bytes', 'p.emptied_at'])
    .where('a.id', '=', id)
    .where('p.campaign_id', '=', campaignId)

export type ArchivedIn = Awaited<ReturnType<typeof archivedIn>>
export function archivedIn(db: Db, id: number, campaignId: number) {
  return inFile(db, id, campaignId).executeTakeFirstOrThrow()
}

/** The same, with the file locked against replacement until the transaction ends. */
export async function lockArchive(tx: Tx, id: number, campaignId: number): Promise<ArchivedIn> {
  await tx.selectFrom('archive').select('id').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  return await archivedIn(tx, id, campaignId)
}

export async function archivesOf(
  db: Db,
  kind: Kind,
  scope: Scope,
  campaignId?: number,
): Promise<{ lastAt: Date; madeAt: Date }[]> {
  const ofCampaign = campaignId === undefined ? sql`true` : sql`p.campaign_id = ${campaignId}`
  const { rows } = await sql<{ lastAt: Date; madeAt: Date }>`
    select a.last_at as "lastAt", a.made_at as "madeAt" from archive a
     where a.parent = ${partitioned[kind].parent}
       and exists (select from archive_part p where p.archive_id = a.id and ${within(scope, 'p.account_id')} and ${ofCampaign})
     order by a.last_at desc limit ${archivesLooked}`.execute(db)
  return rows
}
export async function archivesOfCampaigns(db: Db, kind: Kind, campaignIds: readonly number[]) {
  return await db
    .selectFrom('archive_part as p')
    .innerJoin('archive as a', 'a.id', 'p.archive_id')
    .select(['p.campaign_id as campaignId', 'a.last_at as lastAt', 'a.made_at as madeAt'])
    .where('p.campaign_id', 'in', [0, ...campaignIds])
    .where('a.parent', '=', partitioned[kind].parent)
    .orderBy('a.last_at', 'desc')
    .limit(archivesLooked)
    .execute()
}
/** As many as 'Settings' lists. */
const archivesLooked = 500

/** Records the rewritten file: the campaign's member has a new size, and everything after it moved. */
export async function markEmptied(
  tx: Tx,
  {
    id,
    campaignId,
    hash,
    bytes,
    grown,
    at,
  }: { id: number; campaignId: number; hash: string; bytes: number; grown: number; at: Date },
): Promise<void> {
  await sql`update archive_part set start_byte = start_byte + ${grown} where archive_id = ${id}
    and start_byte > (select start_byte from archive_part where archive_id = ${id} and campaign_id = ${campaignId})`.execute(
    tx,
  )
  await sql`update archive_part set bytes = ${bytes}, emptied_at = ${at} where archive_id = ${id} and campaign_id = ${campaignId}`.execute(
    tx,
  )
  await sql`update archive set file_hash = ${hash}, bytes = bytes + ${grown} where id = ${id}`.execute(tx)
}
