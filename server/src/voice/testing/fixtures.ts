import type { Flow } from '@ghanti/callflow/flow.ts'
import type { Pool } from 'pg'
import type { Db } from '../../db/db.ts'
import { kyselyOver } from '../../db/pool.ts'
import { fileFaults } from '../../modules/exports/testing.ts'
import { disagreements } from '../../modules/insight/testing.ts'
import type { Viewer } from '../../policy.ts'
import { insertCampaign, newBase, type CampaignFixture, type Price } from '../../testing/campaigns.ts'
import { newLine, newReseller, newUser } from '../../testing/seed.ts'
import {
  allProven,
  claim,
  type Claim,
  type Claimed,
  type NumberCaps,
  type Proven,
} from '../model/campaigns/claim.sql.ts'
import { grantChannels } from '../scheduler/capacity/channels.sql.ts'
import { takeover } from '../../dispatch/lease/lease.sql.ts'
import type { Outcome } from '../settle/settle.sql.ts'
import { nothingKnown } from '../dialer/dial/outcome.ts'
import { rebuildNumbers } from '../model/campaigns/numbers.sql.ts'
import { faultsOf } from '../../dispatch/faults.ts'
import { checkInvariants, checkInvariantsSince } from '../invariants/invariants.sql.ts'
import type { Lease, Queryable } from '../../dispatch/statement.ts'

/** A database, and a pool as the engine has it. */
export type EngineDb = { db: Db; pool: Pool; url: string; engine: Pool }

/** The user pays 40 paisa per 15 s, the reseller above 30 per 15 s, the top reseller 2 per second. */
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

/** One top reseller, resellers below it, users below these in turns; one dialer whose lease is ours, or that of the test's engine. */
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

export type NewCampaign = { user: Viewer } & Pick<CampaignFixture, 'line' | 'phones'> &
  Partial<Omit<CampaignFixture, 'owner' | 'baseId' | 'firstLine' | 'rowsInFile'>>

const silentFlow: Flow = { templateId: 0, opening: [], menus: [], closing: [], speech: null, spoken: [] }
let serial = 0

/** As after compose and preparation: prices frozen, rows numbered, ready to dial. */
export async function newCampaign(at: { db: Db }, { user, name, ...of }: NewCampaign): Promise<number> {
  return at.db.transaction().execute(async (tx) =>
    insertCampaign(tx, {
      flow: silentFlow,
      prices: threeLevels,
      startAt: new Date(Date.now() - 1000),
      channels: 1_000_000,
      reservePaisa: 400,
      firstLine: 1,
      rowsInFile: of.status === 'processing' ? null : of.phones.length,
      ...of,
      owner: user,
      name: name ?? `Campaign ${++serial}`,
      baseId: await newBase({ db: tx }, user, [], of.phones.length),
    }),
  )
}

let unused = 9779800000000

/** Consecutive mobile numbers, new ones at each call unless `from` is given; the first ends in 00. The last `repeated` of them repeat the first ones. */
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

/** For tests that call the same numbers many times. */
export const noCaps: NumberCaps = { answered: 1_000_000, attempted: 1_000_000, platform: 1_000_000 }

type ClaimOf = {
  slot?: number
  lease?: Lease
  probe?: boolean
  proven?: Proven
  caps?: NumberCaps
  busyMs?: number
  looks?: number
  stream?: number
  trunkId?: number
  isShared?: boolean
  /** The dialer has asked for the channels already. */
  isGranted?: boolean
}

export async function claimed(...of: Parameters<typeof claimOf>): Promise<Claimed[]> {
  return (await claimOf(...of)).calls
}

/** A claim by the campaign's own chain, from the beginning of its queue, after its dialer has asked for the channels. */
export async function claimOf(
  at: { engine: Queryable },
  fixtures: Fixtures,
  campaignId: number,
  wanted: number,
  { lease, caps = noCaps, busyMs = 5000, isGranted = false, ...more }: ClaimOf = {},
): Promise<Claim> {
  const { rows } = await at.engine.query<{ payers: number[]; mint: number; trunk: number }>(
    `select array_agg(payer_id order by level) as payers, (select id from account where kind = 'mint') as mint,
      (select trunk_id from campaign where id = $1) as trunk from campaign_level where campaign_id = $1`,
    [campaignId],
  )
  const chain = rows[0] ?? { payers: [], mint: 0, trunk: 0 }
  const holder = lease ?? fixtures.lease
  if (!isGranted)
    await grantChannels(at.engine, [{ lease: holder, wants: [{ payerIds: chain.payers, calls: wanted }] }])
  return claim(at.engine, holder, {
    campaignId,
    trunkId: chain.trunk,
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

/** A call that takes an agent's number, and obeys no blacklist. */
export const agentsCall = ({ id }: { id: number }) => ({ attemptId: id, blacklistOwnerIds: [] })

export type CallOutcome = Partial<Omit<Outcome, 'attemptId'>> & Pick<Outcome, 'disposition'>

export function outcome(call: { id: number }, ending: CallOutcome): Outcome {
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

/** Like expectSoundBooks; exported files must also agree, to the call and the paisa. */
export async function expectSoundFiles(at: EngineDb): Promise<void> {
  await expectSoundBooks(at)
  const faults = await fileFaults(at)
  if (faults.length > 0) throw new Error(`the exports are wrong: ${faults.join(', ')}`)
}

export async function counts(at: { pool: Pool }, campaignId: number | null = null): Promise<Record<string, number>> {
  const { rows } = await at.pool.query<Record<string, number>>(
    `select sum(fresh)::int fresh, sum(in_call)::int in_call, sum(waiting)::int waiting, sum(done)::int done, sum(dnd)::int dnd, sum(expired)::int expired,
       sum(attempts)::int attempts, sum(answered)::int answered from campaign_count where $1::int is null or campaign_id = $1`,
    [campaignId],
  )
  return rows[0] ?? {}
}
