import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testLog } from '../../testing/log.ts'
import { engineDb } from '../testing/db.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../testing/fixtures.ts'
import { anotherPlace } from '../testing/routes.ts'
import { Writer } from './writer.ts'
import type { WriterOfDialer } from './writer-of-dialer.ts'

const at = await engineDb()
const ends = { disposition: 'ANSWER', billMs: 20_000 } as const
const lockedMs = 5000
const perTurn = 20
const turnMs = 100

type Told = { attemptId: number; accountId: number }

/** A writer of one dialer, and when it wrote each attempt. */
function newWriter(lease: WriterOfDialer['lease'], writer = new Writer(at.engine, testLog())) {
  const writtenAt = new Map<number, number>()
  const state = { isValid: true, parked: [] as number[] }
  const dialer = writer.dialer({
    lease,
    slot: lease.dialerId,
    isValid: () => state.isValid,
    onSettled(ended, parked) {
      for (const { attemptId } of ended) writtenAt.set(attemptId, performance.now())
      state.parked.push(...parked)
    },
  })
  onTestFinished(() => dialer.close())
  return { writer, dialer, writtenAt, state }
}

test('while the account of some outcomes is locked for five seconds, those of others are written as fast as ever', async () => {
  const fixtures = await newFixtures(at, { users: 4 })
  const turns = (2 * lockedMs) / turnMs
  const n = (turns * perTurn) / fixtures.users.length
  const calls: Told[][] = []
  for (const user of fixtures.users) {
    const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(n) })
    const rows = await claimed(at, fixtures, campaignId, n)
    expect(rows).toHaveLength(n)
    calls.push(rows.map(({ id }) => ({ attemptId: id, accountId: user.userId })))
  }
  const { dialer, writtenAt } = newWriter(fixtures.lease)
  const slow = fixtures.users[0]?.userId
  const report = async (turnsToReport: number): Promise<void> => {
    for (let turn = 0; turn < turnsToReport; turn++) {
      for (const ofUser of calls)
        for (const { attemptId, accountId } of ofUser.splice(0, perTurn / calls.length))
          dialer.settle({ ...outcome({ id: attemptId }, ends), campaignId: 0 }, accountId)
      await sleep(turnMs)
    }
  }
  const others = new Set(
    calls
      .slice(1)
      .flat()
      .map(({ attemptId }) => attemptId),
  )
  const written = (from: number, to: number): number =>
    [...writtenAt].filter(([id, when]) => others.has(id) && when >= from && when < to).length

  const began = performance.now()
  await report(turns / 2)
  const usual = written(began, performance.now())
  const client = await at.pool.connect()
  await client.query('begin')
  await client.query('select from account where id = $1 for update', [slow])
  const lockedFrom = performance.now()
  await report(turns / 2)
  const lockedTo = performance.now()
  const meanwhile = written(lockedFrom, lockedTo)
  await client.query('rollback')
  client.release()
  const slowOnes = [...writtenAt].filter(
    ([id, when]) => !others.has(id) && when > lockedFrom + turnMs && when < lockedTo,
  )
  expect(slowOnes).toEqual([])
  expect(meanwhile).toBeGreaterThanOrEqual(0.9 * usual)
  await expect.poll(() => dialer.waiting, { timeout: 5000 }).toBe(0)
  expect(writtenAt.size).toBe(turns * perTurn)
  await expectSoundBooks(at)
}, 60_000)

test.for([
  ['the account', 'select from account where id = $1 for no key update', 'user'],
  ['what the reseller above earns', 'select from account_income where account_id = $1 for no key update', 'reseller'],
  ['the channels of the account', 'select from account_grant where account_id = $1 for no key update', 'user'],
] as const)(
  'one who locks %s of some outcomes after their batch has begun holds up none of the others',
  async ([, lock, of]) => {
    const fixtures = await newFixtures(at, { users: 2, resellers: 2 })
    const owner = new Client({ connectionString: at.url })
    await owner.connect()
    await owner.query(`create function wait_at_gate() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(4711); return new; end $$`)
    await owner.query('create trigger gate before insert on attempt for each row execute function wait_at_gate()')
    const holder = await at.pool.connect()
    onTestFinished(async () => {
      holder.release()
      await owner.query('drop function wait_at_gate cascade')
      await owner.end()
    })
    const { dialer, writtenAt } = newWriter(fixtures.lease)
    const calls: Told[][] = []
    for (const user of fixtures.users) {
      const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(4) })
      const rows = await claimed(at, fixtures, campaignId, 4)
      calls.push(rows.map(({ id }) => ({ attemptId: id, accountId: user.userId })))
    }
    const report = (): Told[] => {
      const some = calls.flatMap((ofUser) => ofUser.splice(0, 2))
      for (const { attemptId, accountId } of some)
        dialer.settle({ ...outcome({ id: attemptId }, ends), campaignId: 0 }, accountId)
      return some
    }
    report()
    await dialer.flush() // so that each reseller has earned

    await owner.query('select pg_advisory_lock(4711)')
    const told = report()
    const waiting = "select from pg_locks where locktype = 'advisory' and not granted"
    await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1)
    await holder.query('begin')
    await holder.query(lock, [fixtures[of].userId])
    await owner.query('select pg_advisory_unlock(4711)')
    const writtenOf = (accountId: number): boolean[] =>
      told.filter((one) => one.accountId === accountId).map(({ attemptId }) => writtenAt.has(attemptId))
    const [slow = 0, other = 0] = fixtures.users.map(({ userId }) => userId)
    await expect.poll(() => writtenOf(other), { timeout: 2000 }).toEqual([true, true])
    expect(writtenOf(slow)).toEqual([false, false])
    await holder.query('rollback')
    await expect.poll(() => writtenOf(slow), { timeout: 2000 }).toEqual([true, true])
    await expectSoundBooks(at)
  },
)

test('of two dialers of an engine whose outcomes are written together, the one whose lease is lost writes nothing, the other everything', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const lost = await anotherPlace(at)
  const campaignId = await newCampaign(at, { user, line, phones: phones(10) })
  const ours = await claimed(at, fixtures, campaignId, 5)
  const elsewhere = await newCampaign(at, { user, line, phones: phones(5) })
  const theirs = await claimed(at, fixtures, elsewhere, 5)
  await at.pool.query('update attempt_open set dialer_id = $1 where campaign_id = $2', [lost.lease.dialerId, elsewhere])
  const one = newWriter(lease)
  const other = newWriter(lost.lease, one.writer)
  await at.pool.query('update dialer_lease set epoch = epoch + 1 where dialer_id = $1', [lost.lease.dialerId])
  for (const [i, call] of ours.entries()) {
    const there = theirs[i]
    if (there) other.dialer.settle({ ...outcome(there, ends), campaignId: elsewhere }, user.userId)
    one.dialer.settle({ ...outcome(call, ends), campaignId }, user.userId)
  }
  await expect.poll(() => one.dialer.waiting + other.dialer.waiting).toBe(0)
  const { rows } = await at.pool.query('select id::int from attempt where campaign_id = any ($1) order by id', [
    [campaignId, elsewhere],
  ])
  expect(rows.map(({ id }: { id: number }) => id)).toEqual(ours.map(({ id }) => id).toSorted((a, b) => a - b))
})

test('an outcome of a call of another dialer than its lease changes nothing', async () => {
  const fixtures = await newFixtures(at)
  const { user, line } = fixtures
  const campaignId = await newCampaign(at, { user, line, phones: phones(1) })
  const [call] = await claimed(at, fixtures, campaignId, 1)
  if (!call) throw new Error('no call')
  const { lease } = await anotherPlace(at)
  const { dialer } = newWriter(lease)
  dialer.settle({ ...outcome(call, ends), campaignId }, user.userId)
  await dialer.flush()
  const { rows } = await at.pool.query('select id::int from attempt_open where id = $1', [call.id])
  expect(rows).toEqual([{ id: call.id }])
})

test('an outcome that a trigger refuses is tried again by itself while the others of its batch are written', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const campaignId = await newCampaign(at, { user, line, phones: phones(8) })
  const calls = await claimed(at, fixtures, campaignId, 8)
  const [bad] = calls
  const owner = new Client({ connectionString: at.url })
  await owner.connect()
  await owner.query(`create function refuse() returns trigger language plpgsql as $$ begin
    if new.id = ${bad?.id} then raise exception 'not this one'; end if; return new; end $$`)
  await owner.query('create trigger refused before insert on attempt for each row execute function refuse()')
  onTestFinished(async () => {
    await owner.query('drop function refuse cascade')
    await owner.end()
  })
  const { dialer, writtenAt, state } = newWriter(lease)
  for (const call of calls) dialer.settle({ ...outcome(call, ends), campaignId }, user.userId)
  await expect.poll(() => writtenAt.size).toBe(7)
  expect([dialer.unwritten, state.parked]).toEqual([[bad?.id], []])
  await expect(dialer.flush()).rejects.toThrow('not this one')
})
