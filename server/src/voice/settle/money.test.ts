import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { grantChannels } from '../scheduler/capacity/channels.sql.ts'
import { why } from '../model/campaigns/claim.sql.ts'
import { settleOutcomes } from './settle.sql.ts'
import { earners, extend, sweep } from '../../dispatch/reservation.sql.ts'
import { releaseAgent, takeAgent } from '../model/campaigns/numbers.sql.ts'
import {
  agentsCall,
  busyNumbers,
  claimed,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  type NewCampaign,
} from '../testing/fixtures.ts'
import { giveRupees } from '../../testing/seed.ts'
import { engineDb } from '../testing/db.ts'

const at = await engineDb(50)
const reservePaisa = 400

async function oneUser(of: { rupees?: number; channels?: number } = {}) {
  const fixtures = await newFixtures(at, of)
  const { user, reseller } = fixtures
  const account = () => at.db.selectFrom('account').selectAll().where('id', '=', user.userId).executeTakeFirstOrThrow()
  const campaign = (of: Partial<NewCampaign> = {}) =>
    newCampaign(at, { user, line: fixtures.line, phones: phones(100), ...of })
  return { fixtures, user, reseller, account, campaign }
}

test('fifty parallel dispatches on a balance for ten spend it to zero and no further', async () => {
  const { fixtures, user, reseller, account, campaign } = await oneUser({ rupees: (10 * reservePaisa) / 100 })
  const campaigns = await Promise.all(Array.from({ length: 8 }, () => campaign()))
  // A dialer asks for channels once, not fifty times at a moment: whoever waits for a second there gets none.
  const payerIds = [user.userId, reseller.userId, fixtures.top.userId]
  await grantChannels(at.engine, [{ lease: fixtures.lease, wants: [{ payerIds, calls: 50 }] }])
  const racers = Array.from({ length: 50 }, (_, i) =>
    claimed(at, fixtures, campaigns[i % 8] ?? 0, 1, { slot: i % 16, isGranted: true }),
  )
  const won = (await Promise.all(racers)).flat()
  expect(won).toHaveLength(10)
  expect(await account()).toMatchObject({ balance_paisa: 4000, reserved_paisa: 4000 })
  await expectSoundBooks(at)
  const ended = won.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 150_000 }))
  expect(await settleOutcomes(at.engine, fixtures.lease, 0, ended)).toHaveLength(10)
  expect(await account()).toMatchObject({ balance_paisa: 0, reserved_paisa: 0 })
  expect(await claimed(at, fixtures, campaigns[0] ?? 0, 1)).toEqual([])
  expect(await why(at.engine, fixtures.lease, campaigns[0] ?? 0, [])).toMatchObject({
    affordable: false,
    unsettled: 0,
    free_paisa: 0,
  })
  await expectSoundBooks(at)
})

test('calls that bring a balance below its limit tell the owner and the reseller above once, with what is left', async () => {
  const { fixtures, user, reseller, campaign } = await oneUser({ rupees: 104 })
  const campaignId = await campaign()
  const lowBalanceNotices = () =>
    at.db
      .selectFrom('notice')
      .select(['user_id', 'kind', 'paisa', 'times'])
      .where('subject_id', '=', user.userId)
      .orderBy('kind')
      .execute()
  const settle = async (calls: number) => {
    const ended = (await claimed(at, fixtures, campaignId, calls)).map((call) =>
      outcome(call, { disposition: 'ANSWER', billMs: 150_000 }),
    )
    expect(await settleOutcomes(at.engine, fixtures.lease, 0, ended)).toHaveLength(calls)
  }
  await settle(1)
  expect(await lowBalanceNotices(), 'Rs 100 is not below Rs 100').toEqual([])
  await settle(3)
  const once = { paisa: 8800, times: 1 }
  const both = [
    { user_id: user.userId, kind: 'lowBalance', ...once },
    { user_id: reseller.userId, kind: 'childLowBalance', ...once },
  ]
  expect(await lowBalanceNotices()).toEqual(both)
  await settle(2)
  expect(await lowBalanceNotices(), 'it is below already').toEqual(both)
})

test('an account that earns by one call of a batch and pays for another is told of a low balance by what it owns after both', async () => {
  const fixtures = await newFixtures(at)
  const { user, reseller, line } = fixtures
  await giveRupees(at, reseller.userId, 101)
  const prices = [
    { pulseMs: 15_000, pulsePaisa: 300 },
    { pulseMs: 15_000, pulsePaisa: 100 },
    { pulseMs: 15_000, pulsePaisa: 50 },
  ] as const
  const below = await newCampaign(at, { user, line, phones: phones(1), prices, reservePaisa: 300 })
  const own = await newCampaign(at, {
    user: reseller,
    line,
    phones: phones(1),
    prices: prices.slice(0, 2),
    reservePaisa: 300,
  })
  const calls = [...(await claimed(at, fixtures, below, 1)), ...(await claimed(at, fixtures, own, 1))]
  expect(calls).toHaveLength(2)
  const ended = calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 1000 }))
  expect(await settleOutcomes(at.engine, fixtures.lease, 0, ended)).toHaveLength(2)
  const { rows } = await at.pool.query('select balance_paisa from account where id = $1', [reseller.userId])
  expect(rows, 'Rs 100 with what it earned').toEqual([{ balance_paisa: 98_00 }])
  const told = await at.db.selectFrom('notice').select('kind').where('subject_id', '=', reseller.userId).execute()
  expect(told).toEqual([])
  await expectSoundBooks(at)
})

test('fifty extensions on money for one give one; a call beyond its reservation pays that and leaves the rest uncollected', async () => {
  const { fixtures, account, campaign } = await oneUser({ rupees: 5 })
  const campaignId = await campaign()
  const [call] = await claimed(at, fixtures, campaignId, 1)
  if (!call) throw new Error('no call')
  const extended = await Promise.all(Array.from({ length: 50 }, () => extend(at.engine, fixtures.lease, call.id, 80)))
  expect(extended.filter((paisa) => paisa !== null)).toEqual([480])
  await settleOutcomes(at.engine, fixtures.lease, 0, [outcome(call, { disposition: 'ANSWER', billMs: 900_000 })])
  expect(await account()).toMatchObject({ balance_paisa: 20, reserved_paisa: 0 })
  expect(
    await at.db.selectFrom('attempt').select(['cost_paisa', 'uncollected_paisa']).where('id', '=', call.id).execute(),
  ).toEqual([{ cost_paisa: 480, uncollected_paisa: 60 * 40 - 480 }])
  expect(await extend(at.engine, fixtures.lease, call.id, 10)).toBeNull()
  await expectSoundBooks(at)
})

test('four writers on money for 25 calls: no statement meets a constraint and all rows get done', async () => {
  const { fixtures, campaign } = await oneUser({ rupees: (25 * reservePaisa) / 100 })
  const campaigns = await Promise.all([0, 1, 2, 3].map(() => campaign({ phones: phones(150) })))
  const writers = campaigns.map(async (campaignId, slot) => {
    for (let none = 0; none < 20;) {
      const calls = await claimed(at, fixtures, campaignId, 10, { slot })
      none = calls.length > 0 ? 0 : none + 1
      await settleOutcomes(
        at.engine,
        fixtures.lease,
        slot,
        calls.map((call) => outcome(call, { disposition: 'NO ANSWER' })),
      )
    }
  })
  await Promise.all(writers)
  for (const campaignId of campaigns) expect(await counts(at, campaignId)).toMatchObject({ fresh: 0, done: 150 })
  await expectSoundBooks(at)
})

test('calls at once of a user and of all below a reseller never exceed their channels, whoever claims', async () => {
  const { fixtures, user, reseller, campaign } = await oneUser()
  await at.db.updateTable('account_channels').set({ channels: 7 }).where('account_id', '=', reseller.userId).execute()
  const campaigns = await Promise.all([0, 1, 2, 3].map(() => campaign()))
  const payerIds = [user.userId, reseller.userId, fixtures.top.userId]
  await grantChannels(at.engine, [{ lease: fixtures.lease, wants: [{ payerIds, calls: 20 }] }])
  const won = (await Promise.all(campaigns.map((id, slot) => claimed(at, fixtures, id, 5, { slot })))).flat()
  expect(won).toHaveLength(7)
  await expectSoundBooks(at)
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    won.slice(0, 3).map((call) => outcome(call, { disposition: 'BUSY' })),
  )
  expect(await claimed(at, fixtures, campaigns[1] ?? 0, 100)).toHaveLength(3)
  await expectSoundBooks(at)
})

test('a campaign has no more calls at once than its own channels', async () => {
  const { fixtures, campaign } = await oneUser()
  const campaignId = await campaign({ channels: 4 })
  const calls = await claimed(at, fixtures, campaignId, 10)
  expect(calls).toHaveLength(4)
  expect(await claimed(at, fixtures, campaignId, 10)).toEqual([])
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    calls.slice(2).map((call) => outcome(call, { disposition: 'BUSY' })),
  )
  expect(await claimed(at, fixtures, campaignId, 10)).toHaveLength(2)
})

test('a free plan dials without money and charges nothing', async () => {
  const { fixtures, account, campaign } = await oneUser({ rupees: 0 })
  const free = { pulseMs: 1000, pulsePaisa: 0 }
  const campaignId = await campaign({ reservePaisa: 0, prices: [free, free, free] })
  const calls = await claimed(at, fixtures, campaignId, 50)
  expect(calls).toHaveLength(50)
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 5000 })),
  )
  expect(await account()).toMatchObject({ balance_paisa: 0, reserved_paisa: 0 })
  expect(await counts(at, campaignId)).toMatchObject({ answered: 50, done: 50 })
  await expectSoundBooks(at)
})

test('a chain cheaper below than above, forced behind compose’s back: parents get what the user paid, no balance falls', async () => {
  const { fixtures, user, campaign } = await oneUser()
  const cheap = await campaign({
    prices: [
      { pulseMs: 60_000, pulsePaisa: 1 },
      { pulseMs: 15_000, pulsePaisa: 30 },
      { pulseMs: 1000, pulsePaisa: 2 },
    ],
  })
  const usual = await campaign()
  const calls = [...(await claimed(at, fixtures, cheap, 50)), ...(await claimed(at, fixtures, usual, 50))]
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 60_000 })),
  )
  const rows = await at.db
    .selectFrom('transfer')
    .select(['level', 'amount_paisa'])
    .where('campaign_id', '=', cheap)
    .orderBy('level')
    .execute()
  expect(rows).toEqual([0, 1, 2].map((level) => ({ level, amount_paisa: 50 })))
  const entries = await at.db
    .selectFrom('credit_entry')
    .select(['action', 'amount_paisa', 'balance_paisa'])
    .where('account_id', '=', user.userId)
    .where('campaign_id', 'is not', null)
    .orderBy('campaign_id')
    .execute()
  expect(entries.map((entry) => [entry.action, entry.amount_paisa])).toEqual([
    ['campaign_deduction', -50],
    ['campaign_deduction', -50 * 160],
  ])
  await expectSoundBooks(at)
})

test('history sums a campaign and day: the deduction of the user, the margin of each payee, with what each owns afterwards', async () => {
  const { fixtures, user, reseller, campaign } = await oneUser({ rupees: 1000 })
  const campaignId = await campaign()
  for (let batch = 0; batch < 2; batch++) {
    const calls = await claimed(at, fixtures, campaignId, 10)
    await settleOutcomes(
      at.engine,
      fixtures.lease,
      batch,
      calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 30_000 })),
    )
  }
  const entries = await at.db
    .selectFrom('credit_entry')
    .select(['account_id', 'action', 'amount_paisa', 'balance_paisa'])
    .where('campaign_id', '=', campaignId)
    .where('account_id', 'in', [user.userId, reseller.userId, fixtures.top.userId])
    .orderBy('account_id', 'desc')
    .execute()
  expect(entries).toEqual([
    { account_id: user.userId, action: 'campaign_deduction', amount_paisa: -20 * 80, balance_paisa: 100_000 - 20 * 80 },
    { account_id: reseller.userId, action: 'campaign_margin', amount_paisa: 20 * (80 - 60), balance_paisa: 400 },
    // 30 paisa per 15 s came in, 2 per s are paid on: nothing is left, so there is no line
  ])
})

test('a sweep waits for the batch that is being settled: nothing is lost, and income becomes spendable', async () => {
  const { fixtures, reseller, campaign } = await oneUser()
  const campaignId = await campaign()
  const ending = (call: { id: number }) => outcome(call, { disposition: 'ANSWER' as const, billMs: 30_000 })
  await settleOutcomes(at.engine, fixtures.lease, 0, (await claimed(at, fixtures, campaignId, 50)).map(ending))
  const client = await at.engine.connect()
  try {
    const calls = await claimed(at, fixtures, campaignId, 50)
    await client.query('begin')
    await settleOutcomes(client, fixtures.lease, 0, calls.map(ending))
    const swept = sweep(at.engine, reseller.userId)
    await sleep(50)
    await client.query('commit')
    await swept
  } finally {
    client.release()
  }
  await sweep(at.engine, reseller.userId)
  const { balance_paisa } = await at.db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', reseller.userId)
    .executeTakeFirstOrThrow()
  expect(balance_paisa).toBe(100 * 20)
  expect(await earners(at.engine)).not.toContain(reseller.userId)
  await expectSoundBooks(at)
})

test('an agent takes one call at a time; the end of the call frees the agent', async () => {
  const { fixtures, campaign } = await oneUser()
  const [one, two] = await claimed(at, fixtures, await campaign(), 2)
  if (!one || !two) throw new Error('no calls')
  const agent = 9779801111133
  const taken = await Promise.all(
    [one, two].map((call) => takeAgent(at.engine, fixtures.lease, agent, agentsCall(call))),
  )
  expect(taken.filter((is) => is === 'taken')).toHaveLength(1)
  const [holder, other] = taken[0] === 'taken' ? [one, two] : [two, one]
  await releaseAgent(at.engine, fixtures.lease, agent, { attemptId: other.id, counts: false })
  expect(await takeAgent(at.engine, fixtures.lease, agent, agentsCall(other))).toBe('notFree')
  expect(await takeAgent(at.engine, fixtures.lease, agent, agentsCall(holder))).toBe('taken') // who adopts a call may not know that the agent rang
  await settleOutcomes(at.engine, fixtures.lease, 0, [outcome(holder, { disposition: 'ANSWER', billMs: 5000 })])
  expect(await takeAgent(at.engine, fixtures.lease, agent, agentsCall(other))).toBe('taken')
  await releaseAgent(at.engine, fixtures.lease, agent, { attemptId: other.id, counts: false })
  expect(await busyNumbers(at)).not.toContain(agent)
})
