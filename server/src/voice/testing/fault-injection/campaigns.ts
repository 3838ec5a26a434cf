import { testFiles } from '../../../testing/files/test-files.ts'
import type { Viewer } from '../../../policy.ts'
import { giveRupees, newLine } from '../../../testing/seed.ts'
import { newGroup } from '../cli-groups.ts'
import { flowsOver } from '../engine.ts'
import { newCampaign, newFixtures, type Fixtures } from '../fixtures.ts'
import { anotherTrunk, newRoute, secondHost } from '../routes.ts'
import type { KillBench } from './bench.ts'

type Line = Fixtures['line']

/** The rate of each dialer and each trunk: slow enough for the rows to last, then fast. */
export const callsPerSecond = { atFirst: 8, atLast: 60 }
/** The channels of each dialer, trunk and caller ID. */
export const channelsMax = 20
/** The contract of all trunks has less of both than the dialers have together. */
export const ofContract = { cps: 9, channels: 8 }
/** Enough for a call that goes on as long as no engine listens. */
const reservePaisa = 200
/** A dialer gets more rows when no more than this many were never called. */
const rowsLeftMin = 12
/** How often a number that is refused may be added: often enough for a kill to wait for, too seldom for its trunks to be held. */
const refusedEveryMs = 3000

/** How the rows of a batch end (drivers/telephony/simulator/numbers.ts); mixed, since ten alike running are held. */
const suffixes = [50, 11, 1, 12, 46, 13, 99, 9, 48, 11, 50, 37, 2, 12, 47, 99, 5, 13, 50, 9, 11, 48]
/** Refused before it rings, over every trunk of its route. Few, or their trunk is asked for less. */
export const refusedSuffix = 6
/** They talk for 10 s, then hang up. */
const agents = (['1', '2', '3'] as const).map((key) => ({ key, number: `+977972110${key}137` }))
const [ntc, ncell, smart] = [984, 982, 962] as const

export type Campaigns = {
  fixtures: Fixtures
  /** By dialer. */
  lines: Line[]
  /** Sees that each dialer has rows to call. `refused`: also numbers that are refused, of which the others have few. */
  feed(refused?: boolean): Promise<void>
  /** The rest is called fast, and the account that was short has money. Resolves with the time before which nothing was fast. */
  finish(): Promise<number>
  /** Campaigns that waited too long for money go on by hand. */
  resume(): Promise<void>
  allComplete(): Promise<boolean>
  /** How many rows are not over. */
  rowsLeft(): Promise<number>
}

/**
 * Campaigns of three accounts below two resellers, over three dialers: one with a route by operator over one dialer, one over all; of those with agents, one of a
 * caller ID that all dialers share, one of a group of caller IDs of several dialers; and two beside each other of which one account's money runs short.
 * Some numbers are in campaigns of two dialers. The first trunk has two hosts.
 */
export async function newCampaigns({ at, filesFolder, dialers, connect }: KillBench): Promise<Campaigns> {
  const caps = { cps: callsPerSecond.atFirst, channels: channelsMax }
  const fixtures = await newFixtures(at, { users: 3, resellers: 2, rupees: 8, ...caps })
  const { users, line } = fixtures
  const [rich, other, poor] = users
  if (!rich || !other || !poor) throw new Error('no users')
  for (const user of [rich, other]) await giveRupees(at, user.userId, 1_000_000)
  const lines = [line]
  while (lines.length < dialers.length) lines.push(await newLine(at, { holders: users, ...caps }))
  const [second, third] = [await anotherTrunk(at, fixtures, caps), await anotherTrunk(at, fixtures, caps)]
  await newRoute(at, fixtures, [
    { trunkId: line.trunkId, priority: 1, weight: 1, operators: [1] },
    { trunkId: second, priority: 1, weight: 1, operators: [2] },
    { trunkId: third, priority: 2, weight: 1 },
  ])
  await secondHost(at, line.trunkId)
  const shared = await newSharedLines(at, fixtures, lines)
  await newContract(at)
  await connect(lines.map(({ dialerId }) => dialerId))
  const flow = await flowsOver(testFiles(filesFolder))
  let serial = 0
  let poorly = 0
  let refusedAt = -Infinity
  const numberOf = (prefix: number, suffix: number): number => 977e10 + prefix * 1e7 + 100 * ++serial + suffix
  const batch = (prefix: number): number[] => suffixes.map((suffix) => numberOf(prefix, suffix))
  const compose = (
    user: Viewer,
    of: Line,
    phones: readonly number[],
    menu: ReturnType<typeof flow>,
    byOperator = false,
  ) => newCampaign(at, { user, line: of, phones, flow: menu, reservePaisa, channels: 40, status: 'ready', byOperator })
  /** Gives the dialer in this place another batch. */
  const more = async (place: number): Promise<void> => {
    const [first, , third] = lines
    if (!first || !third) throw new Error('no lines')
    if (place === 0) {
      const twice = batch(ncell)
      const mixed = batch(ntc).flatMap((phone, n) => [phone, twice[n] ?? phone])
      await compose(rich, first, [numberOf(ntc, refusedSuffix), ...mixed], flow(1), true)
      await compose(other, third, twice, flow(1))
    } else if (place === 1) {
      await compose(other, shared.alike, batch(smart), flow(2, { agents }))
      await compose(rich, shared.group, batch(ntc), flow(2, { agents }))
    } else {
      if (poorly++ < 2) await compose(poor, third, batch(ntc), flow(1))
      const mixed = batch(ncell).map((phone, n) => (n % 2 === 0 ? phone : numberOf(ntc, phone % 100)))
      await compose(other, shared.byOperator, [numberOf(ncell, refusedSuffix), ...mixed], flow(0), true)
    }
  }
  const oneRefused = async (): Promise<void> => {
    const [first] = lines
    if (!first || performance.now() - refusedAt < refusedEveryMs) return
    refusedAt = performance.now()
    await compose(rich, first, [numberOf(ntc, refusedSuffix)], flow(1), true)
  }
  return {
    fixtures,
    lines,
    async feed(refused = false) {
      const { rows } = await at.pool
        .query<{ dialer_id: number; n: number }>(
          `select dialer_id, sum(fresh)::int as n from campaign c join campaign_count k on k.campaign_id = c.id
           where c.status in ('ready', 'running') group by 1`,
        )
        .catch(() => ({ rows: null }))
      if (rows === null) return // PostgreSQL is away
      if (refused) await oneRefused().catch(() => {})
      for (const [place, { dialerId }] of lines.entries())
        if ((rows.find((row) => row.dialer_id === dialerId)?.n ?? 0) < rowsLeftMin) await more(place).catch(() => {})
    },
    async finish() {
      const finishedAt = Date.now()
      for (const table of ['dialer', 'trunk', 'operator_contract'] as const)
        await at.db.updateTable(table).set({ cps: callsPerSecond.atLast }).execute()
      await giveRupees(at, poor.userId, 1_000_000)
      return finishedAt
    },
    async resume() {
      await at.db.updateTable('campaign').set({ status: 'resuming' }).where('status', '=', 'onHold').execute()
    },
    async rowsLeft() {
      const { rows } = await at.pool.query<{ n: number }>(
        'select coalesce(sum(fresh + in_call + waiting), 0)::int as n from campaign_count',
      )
      return rows[0]?.n ?? 0
    },
    async allComplete() {
      const rows = await at.db.selectFrom('campaign').select('status').execute()
      return rows.every(({ status }) => status === 'complete')
    },
  }
}

type SharedLines = { alike: Line; group: Line; byOperator: Line }

/** Of routes over all dialers: a caller ID whose trunks are equal, a group with caller IDs of two dialers, and a caller ID with a trunk for each operator on another one. One trunk may not show one of the group. */
async function newSharedLines(
  at: KillBench['at'],
  fixtures: Fixtures,
  [first, second, third]: readonly Line[],
): Promise<SharedLines> {
  if (!first || !second || !third) throw new Error('no lines')
  const equal = [first, second, third].map(({ trunkId }) => ({ trunkId, priority: 1, weight: 1 }))
  await newRoute(at, { ...fixtures, line: second }, equal)
  const { cliId, members } = await newGroup(
    at,
    { ...fixtures, line: second },
    { size: 3, channels: channelsMax, last: third },
  )
  const group = { ...second, cliId }
  await newRoute(at, { ...fixtures, line: group }, equal)
  const { dialerId, trunkId } = third
  const byOperator = await newLine(at, { holders: fixtures.users, dialerId, trunkId, channels: channelsMax })
  await newRoute(at, { ...fixtures, line: byOperator }, [
    { trunkId, priority: 1, weight: 1, operators: [1] },
    { trunkId: first.trunkId, priority: 1, weight: 1, operators: [2] },
    { trunkId: second.trunkId, priority: 2, weight: 1 },
  ])
  await showAllBut(at, third.trunkId, members[0]?.cliId ?? 0)
  return { alike: second, group, byOperator }
}

async function showAllBut({ pool }: KillBench['at'], trunkId: number, cliId: number): Promise<void> {
  await pool.query(
    `update trunk set sip_options = jsonb_set(sip_options, '{shownClis}', (select jsonb_agg(number) from cli where not is_group and id <> $2)) where id = $1`,
    [trunkId, cliId],
  )
}

/** All trunks belong to it, on all dialers. */
async function newContract({ db }: KillBench['at']): Promise<void> {
  const { id } = await db
    .insertInto('operator_contract')
    .values({ name: 'All', ...ofContract })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('trunk').set({ contract_id: id }).execute()
}

/** Until every row of every campaign has its outcome. Resolves with the time before which nothing was fast. */
export async function finishAll({ at, until }: KillBench, campaigns: Campaigns): Promise<number> {
  const fastFrom = await campaigns.finish()
  // How long all of it takes depends on what is left for the few channels of the contract, and on the machine.
  let left = await campaigns.rowsLeft()
  while (left > 0) {
    const before = left
    await until(
      `fewer than ${before} rows are left`,
      async () => (await campaigns.rowsLeft()) < before,
      campaigns.resume,
    )
    left = await campaigns.rowsLeft()
  }
  await until('all campaigns complete', campaigns.allComplete, campaigns.resume)
  const open = () => at.db.selectFrom('attempt_open').select('id').execute()
  await until('everything is written', async () => (await open()).length === 0)
  return fastFrom
}
