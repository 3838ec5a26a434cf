import type { Flow } from '@ghanti/callflow/flow.ts'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db, Tx } from '../../db/db.ts'
import { kyselyOver } from '../../db/pool.ts'
import type { CampaignStatus } from '../../db/tables.ts'
import { disagreements } from '../../modules/insight/testing.ts'
import type { Viewer } from '../../policy.ts'
import { newLine, newReseller, newUser } from '../../testing/seed.ts'
import { allProven, claim, type Claim, type Claimed, type NumberCaps, type Proven } from '../schedule/claim.sql.ts'
import { takeover } from '../session/lease.sql.ts'
import type { Outcome } from '../settle/settle.sql.ts'
import { nothingKnown } from '../settle/outcome.ts'
import { rebuildNumbers } from '../schedule/numbers.sql.ts'
import { faultsOf, checkInvariants, checkInvariantsSince } from '../invariants/invariants.sql.ts'
import type { Lease, Queryable } from '../statement.ts'

/** A database, and a pool as the engine has it. */
export type EngineDb = { db: Db; pool: Pool; url: string; engine: Pool }

export type Price = { pulseMs: number; pulsePaisa: number }
/** The user pays 40 paisa per 15 s, his reseller 30 per 15 s, the top reseller 2 per second. */
export const threeLevels: readonly Price[] = [
  { pulseMs: 15_000, pulsePaisa: 40 },
  { pulseMs: 15_000, pulsePaisa: 30 },
  { pulseMs: 1000, pulsePaisa: 2 },
]

export type Fixtures = {
  lease: Lease
  line: Awaited<ReturnType<typeof newLine>>
  users: Viewer[]
  resellers: Viewer[]
  /** The first ones. */
  user: Viewer
  reseller: Viewer
  top: Viewer
}

/** One top reseller, resellers below him, users below these in turns; one dialer whose lease is ours, or that of the test's engine. */
export async function newFixtures(
  at: EngineDb,
  of: { users?: number; resellers?: number; rupees?: number; channels?: number; cps?: number } = {},
): Promise<Fixtures> {
  const channels = of.channels ?? 100_000
  const top = await newReseller(at, { channels })
  const reseller = await newReseller(at, { parent: top, channels })
  const resellers = [reseller]
  while (resellers.length < (of.resellers ?? 1)) resellers.push(await newReseller(at, { parent: top, channels }))
  const one = (i: number): Promise<Viewer> =>
    newUser(at, { parent: resellers[i % resellers.length] ?? top, channels, rupees: of.rupees ?? 10_000_000 })
  const user = await one(0)
  const users = [user]
  while (users.length < (of.users ?? 1)) users.push(await one(users.length))
  await rebuildNumbers(at.engine) // the server of the tests may have been killed
  const lines = { channels: of.channels ?? 10_000, cps: of.cps ?? 10_000, portFrom: 20_000 }
  const line = await newLine(at, { holders: users, ...lines })
  const lease = (await takeover(at.engine, line.dialerId, 'test', 600_000)) ?? (await leaseOf(at, line.dialerId))
  return { lease, line, users, resellers, user, reseller, top }
}

/** The lease of the test's own engine, which looks for new dialers all the time and may find one before its fixture leases it. */
async function leaseOf({ db }: EngineDb, dialerId: number): Promise<Lease> {
  return await db
    .selectFrom('dialer_lease')
    .select(['dialer_id as dialerId', 'engine_id as engineId', 'epoch'])
    .where('dialer_id', '=', dialerId)
    .executeTakeFirstOrThrow()
}

export type NewCampaign = {
  user: Viewer
  line: { dialerId: number; trunkId: number; cliId: number }
  /** The numbers, E.164 without the plus; one that comes again follows its first. */
  phones: readonly number[]
  status?: CampaignStatus
  prices?: readonly Price[]
  reservePaisa?: number
  channels?: number
  retries?: number
  retryMs?: number
  flow?: Flow
  startAt?: Date
  dialUntil?: Date
  name?: string
}

const silentFlow: Flow = { templateId: 0, opening: [], menus: [], closing: [], speech: null, spoken: [] }
let serial = 0

/** As compose and preparation leave it: chain frozen, rows numbered, ready to dial. An engine that runs sees all of it at once. */
export async function newCampaign(at: { db: Db }, of: NewCampaign): Promise<number> {
  return at.db.transaction().execute(async (tx) => {
    const id = await insertCampaign(tx, of)
    await insertChain(tx, id, of)
    await insertRows(tx, id, of)
    return id
  })
}

async function insertCampaign(tx: Tx, of: NewCampaign): Promise<number> {
  const baseId = await insertBase(tx, of)
  const name = of.name ?? `Campaign ${++serial}`
  const templateId = of.flow?.templateId ?? 0
  const { id } = await tx
    .insertInto('campaign')
    .values({
      account_id: of.user.userId,
      dialer_id: of.line.dialerId,
      trunk_id: of.line.trunkId,
      cli_id: of.line.cliId,
      status: of.status ?? 'running',
      start_at: of.startAt ?? new Date(Date.now() - 1000),
      dial_until: of.dialUntil ?? new Date(Date.now() + 7 * 24 * 3600_000),
      channels: of.channels ?? 1_000_000,
      reserve_paisa: of.reservePaisa ?? 400,
      retries: of.retries ?? 2,
      retry_ms: of.retryMs ?? 600_000,
      uploaded: of.phones.length,
      fresh_end: new Set(of.phones).size,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('campaign_detail')
    .values({
      campaign_id: id,
      name,
      template_id: templateId,
      base_id: baseId,
      flow: JSON.stringify(of.flow ?? silentFlow),
      composed: '{}',
      retry_interval_minutes: 10,
      rows_in_file: of.status === 'processing' ? null : of.phones.length,
    })
    .execute()
  await sql`insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at, uploaded, pending, fresh)
    select id, account_id, ${name}, ${templateId}, status, start_at, uploaded, uploaded, uploaded from campaign where id = ${id}`.execute(
    tx,
  )
  return id
}

async function insertRows(tx: Tx, campaignId: number, { phones: numbers }: NewCampaign): Promise<void> {
  const rows = numbered(numbers)
  await sql`insert into campaign_count (campaign_id, slot, fresh) values (${campaignId}, 0, ${rows.length})`.execute(tx)
  await sql`insert into campaign_contact (campaign_id, no, line, phone, follower_no)
    select ${campaignId}, t.no, t.no + 1, t.phone, t.follower
    from unnest(${rows.map((row) => row.no)}::int[], ${rows.map((row) => row.phone)}::bigint[], ${rows.map((row) => row.follower)}::int[])
      as t (no, phone, follower)`.execute(tx)
}

async function insertBase(tx: Tx, of: NewCampaign): Promise<number> {
  const { id } = await tx
    .insertInto('base')
    .values({
      owner_id: of.user.userId,
      name: `Base ${++serial}`,
      file_hash: 'none',
      size_bytes: 1,
      rows: of.phones.length,
      dialable: of.phones.length,
      columns: [],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The first row of each number gets 0..n-1, later ones follow; each knows the next of its number. */
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

async function insertChain(tx: Tx, campaignId: number, { user, prices = threeLevels }: NewCampaign): Promise<void> {
  await sql`with recursive chain as (
      select 0 as level, id, parent_id from account where id = ${user.userId}
      union all select c.level + 1, a.id, a.parent_id from chain c join account a on a.id = c.parent_id where a.parent_id is not null
    )
    insert into campaign_level (campaign_id, level, payer_id, payee_id, pulse_ms, pulse_paisa)
    select ${campaignId}, level, id, parent_id, (${prices.map((price) => price.pulseMs)}::int[])[level + 1],
      (${prices.map((price) => price.pulsePaisa)}::bigint[])[level + 1] from chain`.execute(tx)
}

let unused = 9779800000000

/** Mobiles in a row, others each time unless `from` says which; the first ends in 00. The last `repeated` say the first numbers again. */
export function phones(n: number, repeated = 0, from = unused): number[] {
  if (from === unused) unused += Math.ceil(n / 100) * 100
  return Array.from({ length: n }, (_, i) => from + (i % (n - repeated)))
}

/** n numbers that end in each of these pairs of digits, which decide what becomes of a call (telephony/README.md); mixed: ten alike running are held. */
export function numbersEnding(suffixes: readonly string[], n: number): number[] {
  return Array.from({ length: n }, (_, i) => 9779800000000 + 100 * i).flatMap((from) =>
    suffixes.map((suffix) => from + Number(suffix)),
  )
}

const beginning = new Date(0)

/** For tests that call the same numbers again and again. */
export const noCaps: NumberCaps = { answered: 1_000_000, attempted: 1_000_000, platform: 1_000_000 }

type ClaimOf = {
  slot?: number
  lease?: Lease
  probe?: boolean
  proven?: Proven
  caps?: NumberCaps
  busyMs?: number
  looks?: number
}

/** The calls of a claim. */
export async function claimed(...of: Parameters<typeof claimOf>): Promise<Claimed[]> {
  return (await claimOf(...of)).calls
}

/** A claim by the campaign's own chain, from the beginning of its queue. */
export async function claimOf(
  at: { engine: Queryable },
  fixtures: Fixtures,
  campaignId: number,
  wanted: number,
  { lease, caps = noCaps, busyMs = 5000, ...more }: ClaimOf = {},
): Promise<Claim> {
  const { rows } = await at.engine.query<{ payers: number[]; mint: number }>(
    `select array_agg(payer_id order by level) as payers, (select id from account where kind = 'mint') as mint from campaign_level where campaign_id = $1`,
    [campaignId],
  )
  const chain = rows[0] ?? { payers: [], mint: 0 }
  return claim(at.engine, lease ?? fixtures.lease, {
    campaignId,
    wanted,
    slot: 0,
    since: beginning,
    payerIds: chain.payers,
    blacklistOwnerIds: [...chain.payers, chain.mint],
    proven: allProven,
    caps,
    busyMs,
    ...more,
  })
}

/** Who is in a call, from the lowest number. */
export async function busyNumbers(at: { db: Db }): Promise<number[]> {
  const rows = await at.db
    .selectFrom('number_use')
    .select('phone')
    .where('attempt_id', '<>', 0)
    .orderBy('phone')
    .execute()
  return rows.map((row) => row.phone)
}

export type Ending = Partial<Omit<Outcome, 'attemptId'>> & Pick<Outcome, 'disposition'>

export function outcome(call: { id: number }, ending: Ending): Outcome {
  return { ...nothingKnown, ...ending, attemptId: call.id }
}

/** Throws, naming them, when invariants do not hold, when the monitor found a violation while the engine ran, or when the counters say something else. */
export async function expectSoundBooks(at: { engine: Pool }): Promise<void> {
  const { rows } = await at.engine.query<{ text: string }>(
    `select kind || ' ' || subject || ': ' || detail as text from alert where kind like 'judge%'`,
  )
  const running = await checkInvariantsSince(at.engine, 0)
  const faults = [
    ...faultsOf(await checkInvariants(at.engine)),
    ...running.faults,
    ...rows.map((row) => row.text),
    ...(await disagreements(kyselyOver(at.engine))),
  ]
  if (faults.length > 0) throw new Error(`the books are wrong: ${faults.join(', ')}`)
}

export async function counts(at: { pool: Pool }, campaignId: number | null = null): Promise<Record<string, number>> {
  const { rows } = await at.pool.query<Record<string, number>>(
    `select sum(fresh)::int fresh, sum(in_call)::int in_call, sum(waiting)::int waiting, sum(done)::int done, sum(dnd)::int dnd, sum(expired)::int expired,
       sum(attempts)::int attempts, sum(answered)::int answered from campaign_count where $1::int is null or campaign_id = $1`,
    [campaignId],
  )
  return rows[0] ?? {}
}
