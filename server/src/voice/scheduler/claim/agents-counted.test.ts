import { Client } from 'pg'
import { expect, test } from 'vitest'
import { checkInvariants, checkInvariantsSince } from '../../invariants/invariants.sql.ts'
import { setNumberCaps } from '../../testing/engine.ts'
import {
  agentsCall,
  claimed,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
} from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'
import { atEndOfFile } from '../../../testing/cleanup.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { rebuildNumbers, releaseAgent, takeAgent } from '../../model/campaigns/numbers.sql.ts'

const at = await engineDb(12)
let last = 9779852000000
const freshNumber = () => (last += 1)

/** Calls in progress, and what an engine does with their agents. */
async function calling(n: number) {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const campaignId = await newCampaign(at, { user, line, phones: phones(n) })
  const calls = await claimed(at, fixtures, campaignId, n)
  const [call] = calls
  if (calls.length !== n || !call) throw new Error('too few calls')
  return {
    ...fixtures,
    calls,
    call,
    take: (agent: number, of = call) => takeAgent(at.engine, lease, agent, agentsCall(of)),
    release: (agent: number, counts: boolean, of = call) =>
      releaseAgent(at.engine, lease, agent, { attemptId: of.id, counts }),
    settle: (agentCounts: boolean, of = calls) =>
      settleOutcomes(
        at.engine,
        lease,
        0,
        of.map((one) => outcome(one, { disposition: 'ANSWER', billMs: 20_000, agentCounts })),
      ),
  }
}

const capAt = (calls: number) => setNumberCaps(at, { answered: calls, attempted: calls, platform: calls })
const countedOf = async (phone: number) =>
  (await at.pool.query('select account_id, tried, answered from number_day where phone = $1', [phone])).rows
const owner = new Client({ connectionString: at.url })
await owner.connect()
atEndOfFile(() => owner.end())
const crashed = () => owner.query('truncate number_use, number_use_others')

test('however many calls ring one agent at once, those in vain are as many a day as the platform allows', async () => {
  await capAt(3)
  const agent = freshNumber()
  const { calls, take, release, settle } = await calling(8)
  const seen: string[] = []
  for (let round = 0; round < 10; round++) {
    const takes = await Promise.all(calls.map((call) => take(agent, call)))
    const holder = calls[takes.indexOf('taken')]
    expect(takes.filter((is) => is === 'taken').length).toBeLessThanOrEqual(1)
    if (holder) await release(agent, true, holder)
    seen.push(holder ? 'taken' : takes.join())
  }
  expect(seen.slice(0, 3)).toEqual(['taken', 'taken', 'taken'])
  expect(new Set(seen.slice(3))).toEqual(new Set([Array<string>(8).fill('calledOften').join()]))
  expect(await countedOf(agent)).toEqual([{ account_id: 0, tried: 3, answered: 0 }])
  await settle(false)
  await expectSoundBooks(at)
})

test('a leg counts once, whether the call lets the number go or its end does, and a talk does not count', async () => {
  await capAt(10)
  const [released, ended, worked] = [freshNumber(), freshNumber(), freshNumber()]
  const { calls, take, release, settle } = await calling(4)
  const [one, two, three] = calls
  if (!one || !two || !three) throw new Error('no calls')
  await take(released, one)
  await release(released, true, one)
  await release(released, true, two) // it never had it
  await take(ended, two)
  await take(worked, three)
  await settle(false, [one, three])
  await settle(true, [two])
  await release(ended, true, two) // it was settled first
  expect([await countedOf(released), await countedOf(ended), await countedOf(worked)]).toEqual([
    [{ account_id: 0, tried: 1, answered: 0 }],
    [{ account_id: 0, tried: 1, answered: 0 }],
    [],
  ])
  await settle(false, calls.slice(3))
  await expectSoundBooks(at)
})

test('a number on a list of the call’s chain is not taken, and its calls as a customer of any account count', async () => {
  await capAt(2)
  const { take, call, calls, user, lease, settle } = await calling(4)
  const barred = freshNumber()
  await at.db.insertInto('blacklist').values({ owner_id: user.userId, phone: barred }).execute()
  const ofChain = { attemptId: call.id, blacklistOwnerIds: [user.userId] }
  expect(await takeAgent(at.engine, lease, barred, ofChain)).toBe('blacklisted')
  expect(await take(barred)).toBe('taken')
  const customer = calls[1]?.phone ?? 0
  expect(await take(customer)).toBe('notFree')
  await settle(false, calls.slice(1))
  await at.pool.query('update number_use set tried = 2 where phone = $1', [customer])
  expect(await take(customer)).toBe('calledOften')
  await settle(false, [call])
})

test('after a crash the same legs are counted, of calls in progress too, and numbers that were deleted are left out', async () => {
  await capAt(10)
  const { calls, take, release, settle } = await calling(6)
  const agents = [freshNumber(), freshNumber(), freshNumber()]
  for (const [n, agent] of agents.entries()) {
    await take(agent, calls[n])
    await release(agent, true, calls[n])
    await take(agent, calls[n])
    await release(agent, n === 0, calls[n])
  }
  await settle(false, calls.slice(1))
  const before = await Promise.all(agents.map(countedOf))
  expect(before.flat().map((row) => row.tried)).toEqual([2, 1, 1])
  await owner.query('update attempt set phone = 0, agent = null where id = $1', [calls[5]?.id])
  await crashed()
  expect(await rebuildNumbers(at.engine)).toBe(true)
  expect(await Promise.all(agents.map(countedOf))).toEqual(before)
  await settle(false, calls.slice(0, 1))
})

test('the checker finds agents who were rung beyond the cap, and blacklisted ones', async () => {
  await capAt(2)
  const { calls, settle, user } = await calling(4)
  const [often, barred] = [freshNumber(), freshNumber()]
  const before = Math.min(...calls.map(({ id }) => id)) - 1
  await at.db
    .insertInto('blacklist')
    .values({ owner_id: user.userId, phone: barred, created_at: new Date(Date.now() - 3_600_000) })
    .execute()
  await settle(false)
  const wrong = async () => {
    const { agent_too_often: tooOften, dialled_though_blacklisted: blacklisted } = await checkInvariants(at.engine)
    return [tooOften, blacklisted]
  }
  expect(await wrong()).toEqual([0, 0])
  const [one, two, three, four] = calls.map(({ id }) => id)
  await owner.query('update attempt set agents_counted = array[$1::bigint, $1] where id = $2', [often, one])
  await owner.query(
    `update attempt set claimed_at = settled_at + interval '1 ms', settled_at = settled_at + interval '1 s', agents_counted = array[$1::bigint] where id = $2`,
    [often, two],
  )
  await owner.query(`update attempt set agent = '+' || $1::bigint, patch_bill_ms = 20000 where id = any ($2)`, [
    barred,
    [three, four],
  ])
  expect(await wrong()).toEqual([1, 2])
  await at.pool.query(`insert into number_use (phone, day, account_id, tried) values ($1, nepal_day(now()), 0, 3)`, [
    often,
  ])
  const { faults } = await checkInvariantsSince(at.engine, before)
  expect(faults).toContain('agent_too_often: 1')
  expect(faults).toContain('dialled_though_blacklisted: 2')
})
