import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { newLine } from '../../../../testing/seed.ts'
import { checkInvariantsSince } from '../../../invariants/invariants.sql.ts'
import { takeover } from '../../../../dispatch/lease/lease.sql.ts'
import { settleOutcomes } from '../../../settle/settle.sql.ts'
import type { Lease } from '../../../../dispatch/statement.ts'
import { engineDb } from '../../../testing/db.ts'
import { claimOf, newCampaign, newFixtures, outcome, phones, type Fixtures } from '../../../testing/fixtures.ts'
import { newTrunkRow } from '../../../testing/rows.ts'
import { Contracts } from './contracts.ts'
import type { Claimed } from '../../../model/campaigns/claim.sql.ts'
import { grantContracts, type ContractGrants } from './contracts.sql.ts'

const at = await engineDb(8)
const roomy = { channels: 1000, cps: 1000 }

/** A dialer with a trunk of the contract, as its engine knows it. */
type Dialer = {
  lease: Lease
  trunkId: number
  campaignId: number
  contracts: Contracts
  calls: Claimed[]
  begun: number[]
}
type SetUp = { fixtures: Fixtures; contractId: number; dialers: [Dialer, Dialer, Dialer] }

/** Three dialers, the first two of one engine, with a trunk each of one contract, which all keep to for a minute. */
async function setUp(of: { channels: number; cps: number }): Promise<SetUp> {
  await at.pool.query('delete from contract_grant')
  const fixtures = await newFixtures(at)
  const contractId = await newContract(of)
  const dialer = async (engineId: string): Promise<Dialer> => {
    const line = await newLine(at, { holders: [fixtures.user] })
    await at.db.updateTable('trunk').set({ contract_id: contractId }).where('id', '=', line.trunkId).execute()
    const lease = await takeover(at.engine, line.dialerId, engineId, 600_000)
    if (!lease) throw new Error('the lease of a new dialer is free')
    const numbers = phones(3000)
    const campaignId = await newCampaign(at, { user: fixtures.user, line, phones: numbers, reservePaisa: 40 })
    const { trunkId } = line
    return { lease, trunkId, campaignId, contracts: noCalls(), calls: [], begun: [] }
  }
  const dialers: SetUp['dialers'] = [await dialer('one'), await dialer('one'), await dialer('two')]
  for (const one of dialers) known(one, contractId, of)
  await at.pool.query(`update operator_contract set changed_at = now() - interval '1 minute'`)
  return { fixtures, contractId, dialers }
}

async function newContract(of: { channels: number; cps: number }): Promise<number> {
  const { rows } = await at.pool.query<{ id: number }>(
    `insert into operator_contract (name, channels, cps) values ('Contract ' || gen_random_uuid(), $1, $2) returning id`,
    [of.channels, of.cps],
  )
  return rows[0]?.id ?? 0
}

const noAgents = { now: () => () => 0 }
const noCalls = (): Contracts => new Contracts({ legsOfTrunk: () => 0 }, noAgents)

/** Its engine begins to know the contract, and the calls in progress. */
function known(dialer: Dialer, contractId: number, of: { channels: number; cps: number }): void {
  dialer.contracts = new Contracts({ legsOfTrunk: () => dialer.calls.length }, noAgents)
  const contract = { id: contractId, name: 'NTC', ...of }
  dialer.contracts.update([newTrunkRow({ id: dialer.trunkId, ...roomy, contract })])
}

type Answer = 'arrives' | 'is lost' | 'never came'

/** Each says what it uses, and that it wants so many calls more. */
async function ask(dialers: readonly Dialer[], calls: number, contractId: number, answer: Answer = 'arrives') {
  const asks = dialers.map(({ lease, contracts }) => ({
    lease,
    wants: contracts.ask(new Map([[contractId, calls]]), roomy, performance.now()),
  }))
  let granted: ReadonlyMap<number, ContractGrants> | null = null
  if (answer !== 'never came') granted = await grantContracts(at.engine, asks)
  for (const { lease, contracts } of dialers)
    contracts.answered(answer === 'arrives' ? (granted?.get(lease.dialerId) ?? new Map()) : null)
}

/** As many calls as it may begin at this moment, at most so many. */
async function begin(fixtures: Fixtures, dialer: Dialer, most: number): Promise<void> {
  const { contracts, trunkId, lease, campaignId } = dialer
  const room = [...contracts.room(new Map(), 1000, performance.now()).room.values()][0] ?? 0
  const wanted = Math.min(most, room)
  if (wanted === 0) return
  const { calls } = await claimOf(at, fixtures, campaignId, wanted, { lease, slot: lease.dialerId % 32_768 })
  dialer.calls.push(...calls)
  for (const call of calls) {
    const now = performance.now()
    if (contracts.mayBegin(trunkId, now)) {
      contracts.begins(trunkId, now)
      dialer.begun.push(now)
    } else await end(dialer, [call], 'CANCEL')
  }
}

async function end(
  dialer: Dialer,
  calls: readonly Claimed[],
  disposition: 'ANSWER' | 'CANCEL' = 'ANSWER',
): Promise<void> {
  dialer.calls = dialer.calls.filter((call) => !calls.includes(call))
  const billMs = disposition === 'ANSWER' ? 1000 : null
  const ended = calls.map((call) => outcome(call, { disposition, billMs }))
  await settleOutcomes(at.engine, dialer.lease, dialer.lease.dialerId % 32_768, ended)
}

/** Its engine dies, and another one has the dialer, with the calls in progress. */
async function takenOver(dialer: Dialer, contractId: number, of: { channels: number; cps: number }): Promise<void> {
  const { dialerId, engineId } = dialer.lease
  await at.pool.query(`update dialer_lease set expires_at = expires_at - interval '1 hour' where dialer_id = $1`, [
    dialerId,
  ])
  const lease = await takeover(at.engine, dialerId, engineId === 'one' ? 'two' : 'one', 600_000)
  if (!lease) throw new Error('the lease has run out')
  dialer.lease = lease
  known(dialer, contractId, of)
}

/** Of sorted times: the most within any second. */
function mostASecond(times: readonly number[]): number {
  let [most, from] = [0, 0]
  for (const [n, time] of times.entries()) {
    while (time - (times[from] ?? time) >= 1000) from += 1
    most = Math.max(most, n - from + 1)
  }
  return most
}

async function expectWithin(dialers: readonly Dialer[], of: { channels: number; cps: number }): Promise<void> {
  expect(dialers.reduce((sum, { calls }) => sum + calls.length, 0)).toBeLessThanOrEqual(of.channels)
  const times = dialers.flatMap(({ begun }) => begun).toSorted((a, b) => a - b)
  expect(mostASecond(times)).toBeLessThanOrEqual(of.cps)
  expect((await checkInvariantsSince(at.engine, 0)).faults).toEqual([])
}

const which = fc.integer({ min: 0, max: 2 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), who: which, calls: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('begin' as const), who: which, calls: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), who: which, calls: fc.nat(5) }) },
  fc.record({ do: fc.constantFrom('lost' as const, 'never' as const, 'dies' as const), who: which, calls: fc.nat(9) }),
)

test('whatever three dialers of two engines ask, begin and end, with answers lost and engines dead: never more than the contract has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const of = { channels: 7, cps: 10_000 }
      const { fixtures, contractId, dialers } = await setUp(of)
      for (const { do: what, who, calls } of steps) {
        const dialer = dialers[who] ?? dialers[0]
        if (what === 'ask') await ask([dialer], calls, contractId)
        else if (what === 'begin') await begin(fixtures, dialer, calls)
        else if (what === 'end') await end(dialer, dialer.calls.slice(0, calls))
        else if (what === 'dies') await takenOver(dialer, contractId, of)
        else await ask([dialer], calls, contractId, what === 'lost' ? 'is lost' : 'never came')
        await expectWithin(dialers, of)
      }
    }),
    { numRuns: 12 },
  )
}, 120_000)

test('three dialers that want all of it at once share its calls a second: never more in any second, and hardly fewer', async () => {
  const of = { channels: 1000, cps: 12 }
  const { fixtures, contractId, dialers } = await setUp(of)
  const [one, two, three] = dialers
  const until = performance.now() + 6000
  const engine = async (own: readonly Dialer[]): Promise<void> => {
    for (let askedAt = -Infinity; performance.now() < until; await sleep(20)) {
      if (performance.now() - askedAt > 200) {
        askedAt = performance.now()
        await ask(own, 50, contractId)
      }
      for (const dialer of own) await begin(fixtures, dialer, 4)
    }
  }
  await Promise.all([engine([one, two]), engine([three])])
  const times = dialers.flatMap(({ begun }) => begun).toSorted((a, b) => a - b)
  expect(mostASecond(times)).toBeLessThanOrEqual(12)
  expect(times.length).toBeGreaterThan(12 * 3)
  for (const { begun } of dialers) expect(begun.length).toBeGreaterThan(6)
}, 60_000)

test('a contract of one call a second goes round its dialers', async () => {
  const { fixtures, contractId, dialers } = await setUp({ channels: 1000, cps: 1 })
  for (const until = performance.now() + 9000; performance.now() < until; await sleep(50))
    for (const dialer of dialers) {
      await ask([dialer], 5, contractId)
      await begin(fixtures, dialer, 1)
    }
  const times = dialers.flatMap(({ begun }) => begun).toSorted((a, b) => a - b)
  expect(mostASecond(times)).toBe(1)
  for (const { begun } of dialers) expect(begun.length).toBeGreaterThan(0)
}, 60_000)

test('an idle dialer’s part goes to the one that wants it, at the second question of each', async () => {
  const { contractId, dialers } = await setUp({ channels: 30, cps: 20 })
  const [one, , three] = dialers
  await ask([one], 50, contractId)
  expect(one.contracts.room(new Map(), 1000, performance.now() + 5000).room.get(contractId)).toBe(20)
  await ask([three], 50, contractId)
  expect(three.contracts.hasRoom(three.trunkId)).toBe(false)
  await ask([one], 50, contractId) // gives up what is more than its half
  await ask([three], 50, contractId)
  expect(await held(contractId)).toEqual([
    { dialer_id: one.lease.dialerId, channels: 15, cps: 10 },
    { dialer_id: three.lease.dialerId, channels: 15, cps: 10 },
  ])
  await ask([one], 0, contractId)
  await ask([three], 50, contractId)
  expect(await held(contractId)).toMatchObject([
    { channels: 0, cps: 0 },
    { channels: 30, cps: 20 },
  ])
})

test('what a dead engine had comes back, but for its calls in progress, which the next engine counts', async () => {
  const of = { channels: 10, cps: 1000 }
  const { fixtures, contractId, dialers } = await setUp(of)
  const [one, , three] = dialers
  await ask([one], 50, contractId)
  await begin(fixtures, one, 4)
  expect(one.calls).toHaveLength(4)
  await at.pool.query(`update dialer_lease set expires_at = now() - interval '2 seconds' where dialer_id = $1`, [
    one.lease.dialerId,
  ])
  await ask([three], 50, contractId)
  expect(await held(contractId)).toContainEqual({ dialer_id: three.lease.dialerId, channels: 6, cps: 50 })
  await takenOver(one, contractId, of)
  await ask([one], 50, contractId)
  expect(await held(contractId)).toContainEqual({ dialer_id: one.lease.dialerId, channels: 4, cps: 0 })
  await end(one, one.calls)
  await ask([three], 50, contractId)
  await ask([one], 50, contractId)
  await expectWithin(dialers, of)
})

test('a trunk that leaves the contract gives back what its dialer had', async () => {
  const { contractId, dialers } = await setUp({ channels: 30, cps: 20 })
  const [one] = dialers
  await ask([one], 50, contractId)
  one.contracts.update([newTrunkRow({ id: one.trunkId, ...roomy })])
  await ask([one], 0, contractId)
  expect(await held(contractId)).toEqual([])
})

function held(contractId: number) {
  return at.db
    .selectFrom('contract_grant')
    .select(['dialer_id', 'channels', 'cps'])
    .where('contract_id', '=', contractId)
    .orderBy('dialer_id')
    .execute()
}
