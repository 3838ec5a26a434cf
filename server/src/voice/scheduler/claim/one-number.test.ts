import { expect, test } from 'vitest'
import type { Disposition } from '@ghanti/contract/campaign-status.ts'
import type { Claimed, NumberCaps } from '../../model/campaigns/claim.sql.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { takeover } from '../../../dispatch/lease/lease.sql.ts'
import { forgetDays, freeNumbers, rebuildNumbers, releaseAgent, takeAgent } from '../../model/campaigns/numbers.sql.ts'
import {
  agentsCall,
  busyNumbers,
  claimed,
  claimOf,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'
import { beginTest, takeTests } from '../../dialer/trunks/test-calls/trunk-tests.sql.ts'

const at = await engineDb(12)
const caps: NumberCaps = { answered: 3, attempted: 10, platform: 20 }
let last = 9779851000000
const freshNumber = () => (last += 1)

/** Fifteen campaigns of three accounts, each with this one number. */
async function attack(phone: number): Promise<{ fixtures: Fixtures; ids: number[] }> {
  const fixtures = await newFixtures(at, { users: 3 })
  const { line, users } = fixtures
  const one = (i: number) => newCampaign(at, { user: users[i % 3] ?? fixtures.user, line, phones: [phone] })
  return { fixtures, ids: await Promise.all(Array.from({ length: 15 }, (_, i) => one(i))) }
}

const answered = (fixtures: Fixtures, calls: readonly Claimed[], disposition: Disposition = 'ANSWER') =>
  settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    calls.map((call) => outcome(call, { disposition, billMs: disposition === 'ANSWER' ? 1000 : null })),
  )

const yesterday = async () => {
  await at.pool.query('update number_use set day = day - 1')
  await at.pool.query('update number_use_others set day = day - 1')
}

const dueNow = () => at.pool.query('update contact_retry set due_at = now() where put_off = 0')

test('a number that is in fifteen campaigns of three accounts takes one call at a time, and three answered ones a day of each account', async () => {
  const phone = freshNumber()
  const { fixtures, ids } = await attack(phone)
  let calls = 0
  for (let round = 0; round < 30; round++) {
    const claims = await Promise.all(ids.map((id) => claimOf(at, fixtures, id, 10, { caps })))
    const up = claims.flatMap((one) => one.calls)
    expect(up.length).toBeLessThanOrEqual(1)
    expect(await busyNumbers(at)).toEqual(up.map((call) => call.phone))
    calls += up.length
    await answered(fixtures, up)
    await expectSoundBooks(at)
    await dueNow()
  }
  expect(calls).toBe(9)
  const { rows } = await at.pool.query(
    'select account_id, answered, tried from number_day where phone = $1 order by account_id',
    [phone],
  )
  expect(rows).toEqual(fixtures.users.map((user) => ({ account_id: user.userId, answered: 3, tried: 3 })))
  const { rows: waiting } = await at.pool.query(
    `select distinct r.put_off, r.due_at = nepal_midnight(nepal_day(now()) + 1) as tomorrow, c.state, c.attempts
     from contact_retry r join campaign_contact c on c.campaign_id = r.campaign_id and c.no = r.no where c.phone = $1`,
    [phone],
  )
  expect(waiting).toEqual([{ put_off: 3, tomorrow: true, state: 'fresh', attempts: 0 }])
})

test('forty rows of one number in one file make three answered calls a day; the others wait for tomorrow and say how many there were', async () => {
  const phone = freshNumber()
  const fixtures = await newFixtures(at)
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: Array<number>(40).fill(phone) })
  for (let call = 0; call < 3; call++) await answered(fixtures, await claimed(at, fixtures, id, 100, { caps }))
  const { calls, putOff } = await claimOf(at, fixtures, id, 100, { caps })
  expect([calls, putOff?.rows, putOff?.calledToday]).toEqual([[], 1, 3])
  expect(await counts(at, id)).toMatchObject({ done: 3, fresh: 37, in_call: 0, waiting: 0 })
  await yesterday()
  await at.pool.query('update contact_retry set due_at = now() where campaign_id = $1', [id])
  expect(await claimed(at, fixtures, id, 100, { caps })).toHaveLength(1)
  await expectSoundBooks(at)
})

test('all accounts together call a number as often as the platform allows, and an account as often as it may, answered or not', async () => {
  const phone = freshNumber()
  const { fixtures, ids } = await attack(phone)
  const busyFor = { ...caps, attempted: 2, platform: 5 }
  let calls = 0
  for (let round = 0; round < 10; round++)
    for (const id of ids) {
      const up = await claimed(at, fixtures, id, 1, { caps: busyFor })
      calls += up.length
      await answered(fixtures, up, 'BUSY')
    }
  expect(calls).toBe(5)
  const { rows } = await at.pool.query<{ tried: number }>('select tried from number_day where phone = $1', [phone])
  expect(rows.map((row) => row.tried).toSorted()).toEqual([1, 2, 2])
  await expectSoundBooks(at)
})

test('yesterday’s calls to a number, of any account, do not count today, and today is counted from its beginning', async () => {
  const phone = freshNumber()
  const { fixtures, ids } = await attack(phone)
  const once = { ...caps, answered: 1, platform: 3 }
  const round = async () => {
    let calls = 0
    for (const id of ids) {
      const up = await claimed(at, fixtures, id, 1, { caps: once })
      calls += up.length
      await answered(fixtures, up)
    }
    return calls
  }
  expect(await round()).toBe(3)
  await yesterday()
  await at.pool.query('update contact_retry set due_at = now()')
  expect(await round()).toBe(3)
  const { rows } = await at.pool.query(
    'select distinct day = nepal_day(now()) as today, tried, answered from number_day where phone = $1',
    [phone],
  )
  expect(rows).toEqual([{ today: true, tried: 1, answered: 1 }])
  await expectSoundBooks(at)
})

test('a claim looks up the numbers of its own rows, however many are in a call', async () => {
  const fixtures = await newFixtures(at)
  const busy = Array.from({ length: 3000 }, freshNumber)
  await at.pool.query('insert into number_use (phone, attempt_id) select phone, 1 from unnest($1::bigint[]) phone', [
    busy,
  ])
  const phones = [freshNumber(), freshNumber()]
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones })
  const engine = await at.engine.connect()
  const read = async () => {
    const { rows } = await engine.query<{ n: number }>(
      "select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'number_use'",
    )
    return rows[0]?.n ?? 0
  }
  try {
    await engine.query('begin')
    const before = await read()
    const { calls } = await claimOf({ engine }, fixtures, id, 2)
    expect(calls).toHaveLength(2)
    expect((await read()) - before).toBeLessThan(10)
    await engine.query('commit')
    await answered(fixtures, calls)
  } finally {
    engine.release()
  }
  await at.pool.query('delete from number_use where phone = any ($1)', [busy])
})

test.each<{ why: string; disposition: Disposition; alerted: boolean; counted: boolean }>([
  { why: 'an answered call', disposition: 'ANSWER', alerted: false, counted: true },
  { why: 'one that nobody picked up', disposition: 'NO ANSWER', alerted: false, counted: true },
  { why: 'a busy line', disposition: 'BUSY', alerted: false, counted: true },
  { why: 'a refusal', disposition: 'REJECTED', alerted: false, counted: true },
  { why: 'one of which nobody knows', disposition: 'LOST', alerted: false, counted: true },
  { why: 'one that failed after it rang', disposition: 'FAILED', alerted: true, counted: true },
  { why: 'one that was stopped while it rang', disposition: 'CANCEL', alerted: true, counted: true },
  { why: 'one that failed on the way', disposition: 'FAILED', alerted: false, counted: false },
  { why: 'one that was stopped before it rang', disposition: 'CANCEL', alerted: false, counted: false },
  { why: 'one that the network did not carry', disposition: 'CONGESTION', alerted: false, counted: false },
  { why: 'a number that does not exist', disposition: 'INVALID', alerted: false, counted: false },
])('$why counts for the day: $counted; after a crash it is the same', async ({ disposition, alerted, counted }) => {
  const phone = freshNumber()
  const fixtures = await newFixtures(at)
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: [phone] })
  const [call] = await claimed(at, fixtures, id, 1)
  if (!call) throw new Error('no call')
  const billMs = disposition === 'ANSWER' ? 1000 : null
  await settleOutcomes(at.engine, fixtures.lease, 0, [outcome(call, { disposition, alerted, billMs })])
  const day = async () => (await at.pool.query('select tried, answered from number_day where phone = $1', [phone])).rows
  const expected = counted ? [{ tried: 1, answered: disposition === 'ANSWER' ? 1 : 0 }] : []
  expect(await day()).toEqual(expected)
  await crashed()
  expect(await rebuildNumbers(at.engine)).toBe(true)
  expect(await day()).toEqual(expected)
})

/** As PostgreSQL leaves unlogged tables behind. */
async function crashed(): Promise<void> {
  await at.pool.query('delete from number_use')
  await at.pool.query('delete from number_use_others')
}

async function askForTest({ line, user }: Fixtures, phone: number): Promise<void> {
  await at.pool.query(
    `insert into trunk_test (trunk_id, dialer_id, kind, phone, cli, by_user_id) values ($1, $2, 'call', $3, '1', $4)`,
    [line.trunkId, line.dialerId, phone, user.userId],
  )
}

test('after a crash nobody is called until one engine has counted who is in a call, agents and tests too, and what was called today', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const [first, second] = [freshNumber(), freshNumber()]
  const [agent, tested] = [9779801222233, 9779801222244]
  const id = await newCampaign(at, { user, line, phones: [first, second, second] })
  const free = freshNumber()
  const other = await newCampaign(at, { user, line, phones: [first, agent, tested, free] })
  const up = await claimed(at, fixtures, id, 2)
  const [one, two] = up
  if (!one || !two) throw new Error('no calls')
  await answered(fixtures, [two])
  expect(await takeAgent(at.engine, lease, agent, agentsCall(one))).toBe('taken')
  await askForTest(fixtures, tested)
  expect(await takeTests(at.engine, lease, 'busy')).toMatchObject([{ phone: tested }])
  const before = [
    await busyNumbers(at),
    (await at.pool.query('select * from number_day order by phone, account_id')).rows,
  ]
  await crashed()
  expect(await claimed(at, fixtures, other, 10)).toEqual([])
  expect(await takeAgent(at.engine, lease, freshNumber(), agentsCall(one))).toBe('notFree')
  await askForTest(fixtures, freshNumber())
  expect(await takeTests(at.engine, lease, 'busy')).toEqual([])
  expect(await beginTest(at.engine, lease, { ...line, phone: tested, cli: '1', everyMs: 0, aDay: 1 })).toBe('busy')
  const rebuilt = await Promise.all(Array.from({ length: 4 }, () => rebuildNumbers(at.engine)))
  expect(rebuilt.filter(Boolean)).toHaveLength(1)
  expect([
    await busyNumbers(at),
    (await at.pool.query('select * from number_day order by phone, account_id')).rows,
  ]).toEqual(before)
  expect((await claimed(at, fixtures, other, 10)).map((call) => call.phone)).toEqual([free])
  await expectSoundBooks(at)
})

test('calls that end while they are counted again count once', async () => {
  const fixtures = await newFixtures(at)
  const numbers = Array.from({ length: 400 }, freshNumber)
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: numbers })
  const up = await claimed(at, fixtures, id, 400)
  await crashed()
  const ends = async () => {
    while (up.length > 0) await answered(fixtures, up.splice(0, 20))
  }
  await Promise.all([ends(), rebuildNumbers(at.engine)])
  const { rows } = await at.pool.query(
    'select count(*)::int as n, max(tried) as most from number_day where phone = any ($1)',
    [numbers],
  )
  expect(rows).toEqual([{ n: 400, most: 1 }])
  expect((await busyNumbers(at)).filter((phone) => numbers.includes(phone))).toEqual([])
})

test('claims and ends of calls of two campaigns of one account, and of others on another dialer, that share all their numbers never wait in a circle', async () => {
  const fixtures = await newFixtures(at, { users: 2 })
  const elsewhere = await newFixtures(at, { users: 2 })
  const numbers = phones(300, 0, 9779860000000)
  const shuffled = numbers.toSorted((a, b) => ((a * 7919) % 1009) - ((b * 7919) % 1009))
  const workers = await Promise.all(
    [fixtures, elsewhere].flatMap((one) =>
      one.users.flatMap((user) =>
        [numbers, shuffled].map(async (list) => ({
          one,
          id: await newCampaign(at, { user, line: one.line, phones: list, reservePaisa: 40 }),
        })),
      ),
    ),
  )
  const up = new Map<number, { one: Fixtures; call: Claimed }>()
  const dialling = new Set(workers)
  const dial = async (worker: (typeof workers)[number]): Promise<void> => {
    const { one, id } = worker
    const all = async () => (await counts(at, id))['done'] === 300
    while (!(await all()))
      for (const call of await claimed(at, one, id, 30, { busyMs: 5 })) up.set(call.id, { one, call })
    dialling.delete(worker)
  }
  const end = async (one: Fixtures): Promise<void> => {
    while (dialling.size > 0 || up.size > 0) {
      const mine = [...up.values()].filter((each) => each.one === one).slice(0, 25)
      for (const { call } of mine) up.delete(call.id)
      await answered(
        one,
        mine.map(({ call }) => call),
      )
      if (mine.length === 0) await at.engine.query('select pg_sleep(0.005)')
    }
  }
  await Promise.all([...workers.map(dial), end(fixtures), end(elsewhere)])
  await expectSoundBooks(at)
  const { rows } = await at.pool.query('select sum(tried)::int as n from number_day where phone = any ($1)', [numbers])
  expect(rows).toEqual([{ n: 300 * workers.length }])
}, 120_000)

test('a list of capped numbers gives way within a few claims: a thousand rows are looked at where nobody of those whose turn it was may be called', async () => {
  const fixtures = await newFixtures(at)
  const { user, line } = fixtures
  const numbers = Array.from({ length: 2500 }, freshNumber)
  await at.pool.query(
    `insert into number_use (phone, account_id, day, tried, answered) select phone, $2, nepal_day(now()), 3, 3 from unnest($1::bigint[]) phone`,
    [numbers, user.userId],
  )
  const free = [freshNumber(), freshNumber(), freshNumber()]
  const id = await newCampaign(at, { user, line, phones: [...numbers, ...free] })
  expect(await claimOf(at, fixtures, id, 2, { caps })).toMatchObject({ calls: [], putOff: { rows: 2, calledToday: 3 } })
  const looked = { caps, looks: 1000 }
  expect(await claimOf(at, fixtures, id, 2, looked)).toMatchObject({ calls: [], putOff: { rows: 1000 } })
  expect(await claimOf(at, fixtures, id, 2, looked)).toMatchObject({ calls: [], putOff: { rows: 1000 } })
  const up = await claimed(at, fixtures, id, 2, looked)
  expect(up.map((call) => call.phone)).toEqual(free.slice(0, 2))
  expect((await claimed(at, fixtures, id, 2, { caps })).map((call) => call.phone)).toEqual(free.slice(2))
  expect(await counts(at, id)).toMatchObject({ fresh: 2500, in_call: 3 })
  await expectSoundBooks(at)
})

test('an agent is not called while a campaign calls the same number, and a campaign waits while the agent is in a call', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const [customer, agent] = [freshNumber(), freshNumber()]
  const [one, two] = await Promise.all([[customer], [agent]].map((of) => newCampaign(at, { user, line, phones: of })))
  const [call] = await claimed(at, fixtures, one ?? 0, 1)
  if (!call) throw new Error('no call')
  expect(await takeAgent(at.engine, lease, customer, agentsCall(call))).toBe('notFree')
  expect(await takeAgent(at.engine, lease, agent, agentsCall(call))).toBe('taken')
  expect(await claimOf(at, fixtures, two ?? 0, 1)).toMatchObject({ calls: [], putOff: { rows: 1, calledToday: 0 } })
  await answered(fixtures, [call])
  await dueNow()
  const [second] = await claimed(at, fixtures, two ?? 0, 1)
  if (!second) throw new Error('no call')
  await answered(fixtures, [second])
  await expectSoundBooks(at)
})

test('a number that nobody holds any more is free within a minute, and days that are over are forgotten', async () => {
  const kept = await busyNumbers(at)
  const phone = freshNumber()
  await at.pool.query('insert into number_use (phone, attempt_id) values ($1, 999999999), ($2, -999999)', [
    phone,
    freshNumber(),
  ])
  expect((await freeNumbers(at.engine)).toSorted()).toEqual([phone, last])
  expect(await busyNumbers(at)).toEqual(kept)
  await yesterday()
  const now = freshNumber()
  await at.pool.query('insert into number_use (phone, account_id, day, tried) values ($1, 1, nepal_day(now()), 1)', [
    now,
  ])
  await forgetDays(at.engine)
  const { rows } = await at.pool.query<{ phone: number }>('select phone from number_use where attempt_id is null')
  expect(rows).toEqual([{ phone: now }])
})

test('an engine that takes a dialer over finds the numbers of its calls busy, and they are free when these are settled', async () => {
  const fixtures = await newFixtures(at)
  const phone = freshNumber()
  const id = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: [phone] })
  const [call] = await claimed(at, fixtures, id, 1)
  if (!call) throw new Error('no call')
  await at.pool.query(`update dialer_lease set expires_at = now() - interval '10 seconds' where dialer_id = $1`, [
    fixtures.lease.dialerId,
  ])
  const lease = await takeover(at.engine, fixtures.lease.dialerId, 'another', 60_000)
  if (!lease) throw new Error('no lease')
  expect(await busyNumbers(at)).toContain(phone)
  await settleOutcomes(at.engine, lease, 0, [outcome(call, { disposition: 'LOST' })])
  expect(await busyNumbers(at)).not.toContain(phone)
})

test('releasing an agent locks the attempt before the number, as ending the call does', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const agent = freshNumber()
  const id = await newCampaign(at, { user, line, phones: [freshNumber()] })
  const [call] = await claimed(at, fixtures, id, 1)
  if (!call) throw new Error('no call')
  expect(await takeAgent(at.engine, lease, agent, agentsCall(call))).toBe('taken')
  const ending = await at.pool.connect()
  try {
    await ending.query('begin')
    await ending.query('select from attempt_open where id = $1 for update', [call.id])
    const released = releaseAgent(at.engine, lease, agent, { attemptId: call.id, counts: false })
    const waiting = async () =>
      (
        await ending.query<{ n: number }>(
          'select count(*)::int as n from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))',
        )
      ).rows[0]?.n
    await expect.poll(waiting).toBe(1)
    await ending.query('select from number_use where phone = $1 for update nowait', [agent]) // free: no deadlock
    await ending.query('commit')
    await released
  } finally {
    ending.release()
  }
  expect(await busyNumbers(at)).not.toContainEqual(expect.objectContaining({ phone: agent }))
})
