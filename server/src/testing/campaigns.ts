import { createHash, randomUUID } from 'node:crypto'
import type { Flow } from '@ghanti/callflow/flow.ts'
import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { operatorCode, operatorOf, operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'
import type { PromptCategory, PromptStatus } from '../db/tables.ts'
import type { Viewer } from '../policy.ts'
import { newLine } from './seed.ts'

type HasDb = { db: Db }

/** A voice file without its sound, approved by default. */
export async function newPrompt(
  app: HasDb,
  owner: Viewer,
  prompt: { name?: string; durationMs?: number; status?: PromptStatus; category?: PromptCategory } = {},
): Promise<number> {
  const hash = createHash('sha256').update(randomUUID()).digest('hex')
  const { id } = await app.db
    .insertInto('prompt')
    .values({
      owner_id: owner.userId,
      name: prompt.name ?? `Prompt ${hash}`,
      category: prompt.category ?? 'welcome',
      status: prompt.status ?? 'approved',
      account_type: 'promotional',
      wav_hash: hash,
      original_hash: hash,
      duration_ms: prompt.durationMs ?? 10_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A stored contact file without its bytes. */
export async function newBase(app: HasDb, owner: Viewer, columns: string[] = ['mobile'], rows = 1): Promise<number> {
  const name = `Base ${randomUUID()}`
  const { id } = await app.db
    .insertInto('base')
    .values({ owner_id: owner.userId, name, file_hash: name, size_bytes: 11, rows, dialable: rows, columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type LineIds = { dialerId: number; trunkId: number; cliId: number }
/** What a level pays for a call. */
export type Price = { pulseMs: number; pulsePaisa: number }

export type CampaignFixture = {
  owner: Viewer
  line: LineIds
  baseId: number
  /** E.164 without the plus; a number that is repeated follows its first row. */
  phones: readonly number[]
  name: string
  status: CampaignStatus
  /** From the user upwards. Empty: no price is frozen. */
  prices: readonly Price[]
  flow: Flow | null
  /** The line of the file that has the first row. */
  firstLine: number
  rowsInFile: number | null
  startAt: Date
  dialUntil: Date
  channels: number
  reservePaisa: number
  retries: number
  retryMs: number
  /** As where its route names operators: its rows are numbered by operator. */
  byOperator: boolean
}

const dayMs = 24 * 3600_000

/** A campaign with its rows, as it is after compose and preparation, but without their checks. A running engine dials it. */
export async function insertCampaign(
  tx: Tx,
  {
    owner,
    line,
    phones,
    name,
    ...of
  }: Pick<CampaignFixture, 'owner' | 'line' | 'baseId' | 'phones' | 'name'> & Partial<CampaignFixture>,
): Promise<number> {
  const templateId = of.flow?.templateId ?? 0
  const { byOperator = false } = of
  const firsts = new Set(phones).size
  const { id } = await tx
    .insertInto('campaign')
    .values({
      account_id: owner.userId,
      dialer_id: line.dialerId,
      trunk_id: line.trunkId,
      cli_id: line.cliId,
      status: of.status ?? 'running',
      start_at: of.startAt ?? new Date(),
      dial_until: of.dialUntil ?? new Date(Date.now() + 7 * dayMs),
      channels: of.channels ?? 30,
      reserve_paisa: of.reservePaisa ?? 50,
      retries: of.retries ?? 2,
      retry_ms: of.retryMs ?? 600_000,
      uploaded: phones.length,
      fresh_next: byOperator ? firsts : 0,
      fresh_end: firsts,
      by_operator: byOperator,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('campaign_detail')
    .values({
      campaign_id: id,
      name,
      template_id: templateId,
      base_id: of.baseId,
      flow: JSON.stringify(of.flow ?? {}),
      composed: '{}',
      retry_interval_minutes: 10,
      rows_in_file: of.rowsInFile ?? null,
    })
    .execute()
  await sql`insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at, uploaded, pending, fresh)
    select id, account_id, ${name}, ${templateId}, status, start_at, uploaded, uploaded, uploaded from campaign where id = ${id}`.execute(
    tx,
  )
  if (of.prices?.length) await insertPrices(tx, id, owner, of.prices)
  await insertRows(
    tx,
    id,
    byOperator ? phones.toSorted((a, b) => streamOf(a) - streamOf(b)) : phones,
    of.firstLine ?? 2,
  )
  if (byOperator) await insertStreams(tx, id, phones)
  return id
}

const streamOf = (phone: number): number => operatorCode[operatorOf(phone, operatorPrefixesDefault)]

async function insertStreams(tx: Tx, campaignId: number, phones: readonly number[]): Promise<void> {
  const codes = [...new Set(phones)].map(streamOf)
  let from = 0
  for (const stream of [...new Set([0, ...codes])].toSorted((a, b) => a - b)) {
    const end = from + codes.filter((code) => code === stream).length
    const cursor = { campaign_id: campaignId, stream, fresh_from: from, fresh_next: from, fresh_end: end }
    await tx.insertInto('campaign_stream').values(cursor).execute()
    from = end
  }
}

async function insertPrices(tx: Tx, campaignId: number, owner: Viewer, prices: readonly Price[]): Promise<void> {
  await sql`with recursive chain as (
      select 0 as level, id, parent_id from account where id = ${owner.userId}
      union all select c.level + 1, a.id, a.parent_id from chain c join account a on a.id = c.parent_id where a.parent_id is not null
    )
    insert into campaign_level (campaign_id, level, payer_id, payee_id, pulse_ms, pulse_paisa)
    select ${campaignId}, level, id, parent_id, (${prices.map((price) => price.pulseMs)}::int[])[level + 1],
      (${prices.map((price) => price.pulsePaisa)}::bigint[])[level + 1] from chain`.execute(tx)
}

async function insertRows(tx: Tx, campaignId: number, phones: readonly number[], firstLine: number): Promise<void> {
  const rows = numbered(phones)
  await sql`insert into campaign_count (campaign_id, slot, fresh) values (${campaignId}, 0, ${rows.length})`.execute(tx)
  await sql`insert into campaign_contact (campaign_id, no, line, phone, follower_no)
    select ${campaignId}, t.no, t.no + ${firstLine}::int, t.phone, t.follower
    from unnest(${rows.map((row) => row.no)}::int[], ${rows.map((row) => row.phone)}::bigint[], ${rows.map((row) => row.follower)}::int[])
      as t (no, phone, follower)`.execute(tx)
}

/** The first row of each number comes before repeated ones. Each row knows the next one of its number. */
function numbered(phones: readonly number[]): { no: number; phone: number; follower: number | null }[] {
  const seen = new Set<number>()
  const firsts: number[] = []
  const later: number[] = []
  for (const phone of phones) (seen.has(phone) ? later : (seen.add(phone), firsts)).push(phone)
  const ordered = [...firsts, ...later].map((phone, no) => ({ no, phone, follower: null as number | null }))
  const last = new Map<number, (typeof ordered)[number]>()
  for (const row of ordered) {
    const before = last.get(row.phone)
    if (before) before.follower = row.no
    last.set(row.phone, row)
  }
  return ordered
}

/** A campaign with `rows` fresh rows in some status. It has no prices, so no engine can dial it. */
export async function newCampaign(
  app: HasDb,
  owner: Viewer,
  {
    rows = 0,
    name = `Campaign ${randomUUID()}`,
    ...of
  }: { status?: CampaignStatus; rows?: number; name?: string; line?: LineIds; startAt?: Date } = {},
): Promise<number> {
  const line = of.line ?? (await newLine(app, { holders: [owner] }))
  const baseId = await newBase(app, owner)
  const phones = Array.from({ length: rows }, (_, no) => 9_779_800_000_000 + no)
  return app.db.transaction().execute((tx) => insertCampaign(tx, { ...of, owner, line, baseId, phones, name }))
}
