import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { beginsWithinMs } from '../../modules/platform/rules-dialling.ts'
import { newLine } from '../../testing/seed.ts'
import { renew, takeover } from '../../dispatch/lease/lease.sql.ts'
import type { Engine } from '../engine.ts'
import type { Lease } from '../../dispatch/statement.ts'
import { expectSoundFiles, newCampaign, newFixtures, numbersEnding } from '../testing/fixtures.ts'
import { dialling, poolWith } from '../testing/engine.ts'
import { until } from '../../testing/until.ts'

/** A call lasts 1.5 s. */
const at = await dialling({ speed: 2, timeScale: 0.01, inRealTime: true })
const settleMs = 300
const callsPerSecond = 20
/** Rows of each campaign: it lasts longer than all that changes hands meanwhile. */
const rows = 160
let phone = 0
/** decide.test.ts and rendezvous.test.ts have the shares, weights and older engines; lease-holder.test.ts a lock that is lost. */
const exhaustive = { tags: ['exhaustive'] }

/** How long the longest claim took: an engine counts a call's second from when it sent the claim, the database from when it wrote it. */
let longestClaimMs = 0
async function timed(send: () => unknown): Promise<unknown> {
  const sent = performance.now()
  const reply = await send()
  longestClaimMs = Math.max(longestClaimMs, performance.now() - sent)
  return reply
}

/** Ended with its test at the latest. */
function started(engineId: string, weight = 1, own: Pool = at.engine): Engine {
  const pool = poolWith({ ...at, engine: own }, 'claim', timed)
  const engine = at.start({ engineId, name: engineId, settleMs, weight, pool })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  return engine
}

/** The engine of each dialer, by name. */
async function holders(dialerIds: readonly number[]): Promise<Map<number, string>> {
  const { rows: held } = await at.pool.query<{ dialer_id: number; name: string }>(
    `select l.dialer_id, e.name from dialer_lease l join engine e on e.liveness = l.liveness
     where l.expires_at > now() and l.dialer_id = any ($1) order by 1`,
    [dialerIds],
  )
  return new Map(held.map(({ dialer_id, name }) => [dialer_id, name]))
}

/** Each engine has as many of the dialers as its name says here. */
function placementIs(dialerIds: readonly number[], shares: Record<string, number>): Promise<boolean> {
  return until(`the placement ${JSON.stringify(shares)}`, async () => {
    const held = [...(await holders(dialerIds)).values()]
    return Object.entries(shares).every(([name, n]) => held.filter((one) => one === name).length === n)
  })
}

/** Dialers with a campaign each, to numbers that answer and hear everything. */
async function setUp(
  dialers: number,
): Promise<{ dialerIds: number[]; campaigns: number[]; line: { dialerId: number } }> {
  await at.db.updateTable('dialer').set({ deleted_at: new Date() }).execute() // those of the test before
  const fixtures = await newFixtures(at, { cps: callsPerSecond, channels: 300 })
  const lines = [fixtures.line]
  const more = { holders: [fixtures.user], cps: callsPerSecond, channels: 300, portFrom: 20_000 }
  while (lines.length < dialers) lines.push(await newLine(at, more))
  const dialerIds = lines.map(({ dialerId }) => dialerId)
  await at.db.deleteFrom('dialer_lease').where('dialer_id', 'in', dialerIds).execute()
  const campaigns: number[] = []
  for (const line of lines) {
    const phones = numbersEnding(['50', '51', '52', '53'], rows / 4).map((one) => one + 1_000_000 * phone)
    phone += 1
    campaigns.push(
      await newCampaign(at, { user: fixtures.user, line, phones, flow: at.flow(0), reservePaisa: 400, channels: 200 }),
    )
  }
  return { dialerIds, campaigns, line: fixtures.line }
}

/** Gives a connection of its own only after a while. */
const slowToConnect: Pool = new Proxy(at.engine, {
  get(of, key) {
    if (key === 'connect') return () => sleep(1000).then(() => of.connect())
    const value: unknown = Reflect.get(of, key)
    return typeof value === 'function' ? value.bind(of) : value
  },
})

/**
 * Every row was called once, by one engine or another, and answered; nothing was lost or counted twice. Without `givenBack` no call was given back,
 * except one that nobody rang and whose moment had passed: on a busy machine an engine may get no time for a whole second, of which the claim itself
 * is a part.
 */
async function expectAllOnce(campaigns: readonly number[], { givenBack = false } = {}): Promise<void> {
  for (const id of campaigns) await at.status(id, 'complete')
  const { rows: ends } = await at.pool.query<{ campaign_id: number; disposition: string; whole: boolean; n: number }>(
    `select campaign_id, disposition, bill_ms >= 2000 as whole, count(*)::int as n from attempt
     where campaign_id = any ($1) and not (disposition = 'CANCEL' and ($2 or (
       alerted is not true and sip_status is null and q850_cause is null and ended_at - claimed_at >= $3::float8 * interval '1 ms')))
     group by 1, 2, 3 order by 1`,
    [campaigns, givenBack, beginsWithinMs - 50 - longestClaimMs],
  )
  expect(ends).toEqual(campaigns.map((campaign_id) => ({ campaign_id, disposition: 'ANSWER', whole: true, n: rows })))
  await expectSoundFiles(at)
}

const dialled = (dialerId: number) => at.tick((report) => report.dialerId === dialerId && report.dialled > 0)

test('an engine alone leads all dialers; a second and a third get their shares while campaigns run, and no call is lost or doubled', async () => {
  const { dialerIds, campaigns } = await setUp(3)
  started('one')
  await placementIs(dialerIds, { one: 3 })
  await Promise.all(dialerIds.map(dialled))
  started('two')
  await placementIs(dialerIds, { one: 2, two: 1 })
  started('three')
  await placementIs(dialerIds, { one: 1, two: 1, three: 1 })
  const placement = await holders(dialerIds)
  await Promise.all(dialerIds.map(dialled))
  await sleep(3000)
  expect(await holders(dialerIds), 'nothing wanders').toEqual(placement)
  await expectAllOnce(campaigns)
})

test(
  'an engine that shuts down hands its dialers over at once; calls in progress are adopted, and dialling goes on within seconds',
  exhaustive,
  async () => {
    const { dialerIds, campaigns } = await setUp(2)
    const one = started('one')
    started('two')
    await placementIs(dialerIds, { one: 1, two: 1 })
    await Promise.all(dialerIds.map(dialled))
    await sleep(1000)
    const asked = performance.now()
    await one.stop({ drainMs: 20_000 })
    expect(performance.now() - asked).toBeLessThan(5000) // it does not wait until its calls have ended
    await placementIs(dialerIds, { two: 2 })
    await expectAllOnce(campaigns)
    const { rows: gaps } = await at.pool.query<{ seconds: number; most: number }>(
      `select max(extract(epoch from b.first - a.last))::float8 as seconds, count(*)::int as most
     from (select campaign_id, epoch, max(started_at) as last from attempt where campaign_id = any ($1) group by 1, 2) a
     join (select campaign_id, epoch, min(started_at) as first from attempt where campaign_id = any ($1) group by 1, 2) b
       on b.campaign_id = a.campaign_id and b.epoch > a.epoch`,
      [campaigns],
    )
    expect(gaps[0]?.most).toBeGreaterThan(0)
    expect(gaps[0]?.seconds).toBeGreaterThan(1) // no second has calls of both, so that none exceeds the rate
    expect(gaps[0]?.seconds).toBeLessThan(5)
  },
)

test(
  'an engine that shuts down, whose release of one dialer the database does not answer, hands over the others and ends',
  exhaustive,
  async () => {
    const { dialerIds, campaigns } = await setUp(3)
    let fails = 0
    const pool = poolWith(at, 'release_lease', (send) => {
      if (fails-- <= 0) return send()
      throw new Error('Connection terminated unexpectedly')
    })
    const one = started('one', 2, pool)
    started('two')
    await placementIs(dialerIds, { one: 2, two: 1 })
    await Promise.all(dialerIds.map(dialled))
    fails = 1
    await one.stop({ drainMs: 20_000 })
    expect(fails, 'it released the other one').toBeLessThan(0)
    await placementIs(dialerIds, { two: 3 })
    await expectAllOnce(campaigns)
  },
)

test('engines get dialers by their weights', exhaustive, async () => {
  const { dialerIds, campaigns } = await setUp(4)
  started('heavy', 3)
  const light = started('light', 1)
  await placementIs(dialerIds, { heavy: 3, light: 1 })
  await light.stop({ drainMs: 0 })
  await placementIs(dialerIds, { heavy: 4 })
  await expectAllOnce(campaigns)
})

test(
  'an engine of the version before, which takes whatever is free and hands nothing over, keeps what it has; what it leaves is spread',
  exhaustive,
  async () => {
    const { dialerIds, campaigns } = await setUp(3)
    const [first = 0, second = 0] = dialerIds
    const liveness = 4711
    const client = await at.pool.connect() // its lock lives as long as this
    await client.query('select pg_advisory_lock($1::bigint)', [liveness])
    const leases: Lease[] = []
    for (const id of [first, second]) {
      const taken = await takeover(at.engine, id, 'before', 5000, liveness)
      if (taken) leases.push(taken)
    }
    const living = setInterval(() => leases.forEach((lease) => void renew(at.engine, lease, 5000)), 500)
    onTestFinished(() => clearInterval(living))
    started('one')
    started('two')
    await sleep(4000)
    const { rows: held } = await at.pool.query<{ engine_id: string; n: number }>(
      `select engine_id, count(*)::int as n from dialer_lease where dialer_id = any ($1) group by 1 order by 1`,
      [dialerIds],
    )
    expect(held.find(({ engine_id }) => engine_id === 'before')?.n).toBe(2)
    expect((await holders(dialerIds)).size).toBe(1)
    clearInterval(living)
    client.release(true) // it dies
    await until('the others share what it leaves', async () => {
      const held = [...(await holders(dialerIds)).values()]
      return held.length === 3 && new Set(held).size === 2
    })
    await expectAllOnce(campaigns)
  },
)

test(
  'when all engines lose their connections at one moment, as in a restart of the database, each keeps its dialers',
  exhaustive,
  async () => {
    const { dialerIds, campaigns } = await setUp(4)
    started('one')
    started('two', 1, slowToConnect)
    await placementIs(dialerIds, { one: 2, two: 2 })
    await Promise.all(dialerIds.map(dialled))
    const leases = async () => {
      const { rows: held } = await at.pool.query(
        'select dialer_id, liveness, epoch from dialer_lease where dialer_id = any ($1) order by 1',
        [dialerIds],
      )
      return held
    }
    const before = await leases()
    const owner = openPool({ connectionString: at.url, max: 1, name: 'owner', asOwner: true }, () => {})
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ghanti-engine-test' and datname = current_database()`,
    )
    await owner.end()
    await sleep(4000)
    expect(await leases()).toEqual(before)
    await expectAllOnce(campaigns, { givenBack: true }) // claims whose answers were lost
  },
)
