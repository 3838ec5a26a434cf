import { revenueId } from '../../db/platform-accounts.ts'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import type { Attempt, CountKind, CountSlice } from '../../db/tables.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { countAll, forgetMinutes, startCounting } from './actions-count.ts'
import { checkCounters } from './actions-check.ts'
import { followOnce } from './store-count.ts'
import { countFaults, sumFaults } from './store-agree.ts'
import { countedRows, disagreements, newFamily } from './testing.ts'

const app = await testApp()
const everyDay = { from: 0, to: 100_000 }

const counted = (slice: CountSlice, kind: CountKind, accountId: number) => countedRows(app.db, slice, kind, accountId)
const attemptsOf = async (accountId: number) =>
  (await counted('day', 'all', accountId)).reduce((sum, { attempts }) => sum + attempts, 0)

const family = () => newFamily(app)

test('every account of the chain and the platform get a call once, each with what it paid and got', async () => {
  const { reseller, below, user, campaignId } = await family()
  const platform = await revenueId(app.db)
  await newCall(app, user, campaignId, { ...answered(20), pulses: 2, cost_paisa: 100, keys: '1' })
  await newCall(app, user, campaignId)
  await countAll(app.db)
  await countAll(app.db)
  const seen = []
  for (const id of [user.userId, below.userId, reseller.userId, platform]) {
    const [row] = await counted('day', 'campaign', id)
    seen.push([row?.key, row?.attempts, row?.paid_paisa, row?.received_paisa])
    expect(await attemptsOf(id)).toBe(2)
  }
  expect(seen).toEqual([
    [campaignId, 2, 100, 0],
    [campaignId, 2, 60, 100],
    [campaignId, 2, 40, 60],
    [campaignId, 2, 0, 40],
  ])
  const customers = await Promise.all(
    [user.userId, below.userId, reseller.userId, platform].map((id) => counted('day', 'customer', id)),
  )
  expect(customers.map((rows) => rows.map(({ key }) => key))).toEqual([
    [],
    [user.userId],
    [below.userId],
    [reseller.userId],
  ])
})

test('a follower that keeps failing raises an alert, and what it could not count is counted later', async () => {
  const { user, campaignId } = await family()
  const owner = new Client({ connectionString: app.url })
  await owner.connect()
  await owner.query('alter table call_count add constraint none_at_all check (attempts < 0) not valid')
  const alert = () =>
    app.db
      .selectFrom('alert')
      .select('detail')
      .where('kind', '=', 'judge: counts')
      .where('subject', '=', 'follower')
      .execute()
  await newCall(app, user, campaignId, answered(20))
  const end = startCounting(app, 0)
  await expect.poll(alert, { timeout: 10_000 }).toEqual([{ detail: expect.stringContaining('none_at_all') }])
  await end()
  await owner.query('alter table call_count drop constraint none_at_all')
  await owner.end()
  await countAll(app.db)
  expect(await attemptsOf(user.userId)).toBe(1)
})

test('calls are added up by kind: rung, keys, drop-off, agents and the time until the telephone rang', async () => {
  const { user, campaignId } = await family()
  const at = new Date(Date.now() - 3600_000)
  const later = (ms: number) => new Date(at.getTime() + ms)
  const calls: Partial<Attempt>[] = [
    { ...answered(20, at), keys: '1', trail: 'welcome menu menu=1 >end', alerted: true },
    { ...answered(4, at), trail: 'welcome >welcome', alerted: true },
    { ...answered(9, at), trail: 'welcome talk >talk', agent: '+9779801111137', patch_bill_ms: 6000 },
    { disposition: 'NO ANSWER', alerted: true },
    { disposition: 'NO ANSWER', kind: 'callNow', agent: '+9779801111137', patch_bill_ms: 30_000 }, // the agent waited alone
    { disposition: 'CANCEL' },
    { disposition: 'CONGESTION' },
  ] as never
  for (const [n, call] of calls.entries())
    await newCall(app, user, campaignId, { at, ...call, ...(n === 0 && { alerted_at: later(1500) as never }) } as never)
  await countAll(app.db)
  const [row] = await counted('day', 'all', user.userId)
  expect(row).toMatchObject({
    attempts: 7,
    answered: 3,
    no_answer: 2,
    cancel: 1,
    congestion: 1,
    rung: 1,
    keyed: 1,
    dropped: 1,
    joined: 1,
    joined_ms: 6000,
    talk_ms: 33_000,
    pdd_calls: 1,
    pdd_ms: 1500,
  })
  expect(await counted('day', 'agent', user.userId)).toMatchObject([
    { key: 9779801111137, attempts: 2, joined: 1, joined_ms: 6000 },
  ])
  expect((await counted('minute', 'all', user.userId)).length).toBe(1)
})

test('an hour begins with Nepal’s, and a call counts in the hour and on the day on which it started', async () => {
  const { user, campaignId } = await family()
  await newCall(app, user, campaignId, { at: new Date('2026-08-01T18:14:59Z') })
  await newCall(app, user, campaignId, { at: new Date('2026-08-01T18:15:00Z') })
  await countAll(app.db)
  const hours = await app.db
    .selectFrom('call_count')
    .select('at')
    .where('slice', '=', 'hour')
    .where('account_id', '=', user.userId)
    .orderBy('at')
    .execute()
  const first = Date.UTC(2026, 7, 1, 23) / 3600_000
  expect(hours.map(({ at }) => at)).toEqual([first, first + 1])
  expect((await counted('day', 'all', user.userId)).length).toBe(2)
  expect(await counted('minute', 'all', user.userId)).toEqual([])
})

test('a call that is committed late is counted, and so is each once when several processes count at once', async () => {
  const { user, campaignId } = await family()
  const { promise: counting, resolve: commit } = Promise.withResolvers<void>()
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  const late = app.db.transaction().execute(async (tx) => {
    await newCall({ db: tx }, user, campaignId)
    written()
    await counting
  })
  await isWritten
  for (let n = 0; n < 30; n++) await newCall(app, user, campaignId)
  await countAll(app.db)
  expect(await attemptsOf(user.userId)).toBe(30)
  commit()
  await late
  await newCall(app, user, campaignId)
  for (let round = 0; round < 5; round++) await Promise.all([1, 2, 3, 4].map(() => followOnce(app.db, 1)))
  await countAll(app.db)
  expect(await attemptsOf(user.userId)).toBe(32)
})

test('calls that a process had taken when it died are counted by the next', async () => {
  const { user, campaignId } = await family()
  await newCall(app, user, campaignId)
  const dying = app.db.transaction().execute(async (tx) => {
    expect(await followOnce(tx, 50)).toBeGreaterThan(0)
    throw new Error('killed')
  })
  await expect(dying).rejects.toThrow('killed')
  await countAll(app.db)
  expect(await attemptsOf(user.userId)).toBe(1)
})

test('minutes are forgotten after 48 hours, hours and days stay', async () => {
  const { user, campaignId } = await family()
  await newCall(app, user, campaignId, { at: new Date(Date.now() - 47 * 3600_000) })
  await countAll(app.db)
  await forgetMinutes(app.db)
  expect((await counted('minute', 'all', user.userId)).length).toBe(1)
  await app.pool.query(`update call_count set at = at - 90 where slice = 'minute' and account_id = $1`, [user.userId])
  await forgetMinutes(app.db)
  expect(await counted('minute', 'all', user.userId)).toEqual([])
  expect(await attemptsOf(user.userId)).toBe(1)
})

test('a counter that differs from the calls is found, said and raises an alert', async () => {
  // Calls of the tests above are yesterday's just after midnight in Nepal, and some of them are counted in part on purpose.
  const nextWeek = new Date(app.clock.now().getTime() + 7 * 24 * 3600_000)
  const { user, campaignId } = await family()
  await newCall(app, user, campaignId, answered(5))
  await countAll(app.db)
  await app.db
    .updateTable('campaign_progress')
    .set({ finished_at: new Date().toISOString() })
    .where('campaign_id', '=', campaignId)
    .execute()
  expect(await countFaults(app.db, [campaignId])).toEqual([
    `campaign ${campaignId}: its summary has 0 calls of 1 and 0 paisa of 50`,
  ])
  await app.db
    .updateTable('campaign_count')
    .set({ attempts: 1, answered: 1, pulses: 1, cost_paisa: 50 })
    .where('campaign_id', '=', campaignId)
    .execute()
  expect(await checkCounters(app.db, nextWeek)).toEqual([])
  await sql`update call_count set attempts = attempts + 1 where slice = 'day' and kind = 'campaign' and account_id = ${user.userId}`.execute(
    app.db,
  )
  const [fault, ...others] = await checkCounters(app.db, nextWeek)
  expect(others).toEqual([])
  expect(await checkCounters(app.db, nextWeek, { rowsAtOnce: 0, rowsMax: 1 }), 'also of a large one').toEqual([fault])
  expect(fault).toContain(`campaign ${campaignId}, account ${user.userId}`)
  expect(fault).toContain('2 calls counted of 1')
  const alerts = await app.db
    .selectFrom('alert')
    .select(['kind', 'detail'])
    .where('subject', '!=', 'follower')
    .execute()
  expect(alerts).toEqual([{ kind: 'judge: counts', detail: fault }])
  expect(await sumFaults(app.db, user.userId, everyDay)).toEqual([
    expect.stringContaining('2 by day and campaign, 1 in all'),
  ])
  expect((await disagreements(app.db)).length).toBeGreaterThan(0)
})
