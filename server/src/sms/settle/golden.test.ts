/**
 * The same messages with outcomes of all kinds, settled on two copies of one database: by the statement that settled them before it was a function, and by
 * what does now. It is kept as text, and goes when a table changes so that it can no longer write there.
 */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { fenced, type SmsLease } from '../model/lease.sql.ts'
import { faultsOf } from '../../dispatch/faults.ts'
import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { randomOf } from '../../lib/random.ts'
import { claimSms, newSmsCampaign, newSmsFixtures, type SmsFixtures } from '../testing/fixtures.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { copiesOf, expectSame, type Copy } from '../../voice/testing/copies.ts'
import { engineDb } from '../../voice/testing/db.ts'
import { expectSoundBooks, phones, type EngineDb } from '../../voice/testing/fixtures.ts'
import { checkMessageInvariants } from '../invariants/invariants.sql.ts'
import { settleMessages, type SmsOutcome } from './settle.sql.ts'

const text = fs.readFileSync(path.join(import.meta.dirname, '../../testing/files/messages-settled-before.txt'), 'utf8')
const before = statement<{ id: number }>('messages_settled_before', text)

async function settledBefore(db: Queryable, lease: SmsLease, slot: number, outcomes: readonly SmsOutcome[]) {
  const column = <K extends keyof SmsOutcome>(key: K): SmsOutcome[K][] => outcomes.map((outcome) => outcome[key])
  const keys = outcomes.flatMap(({ smsId, idKeys }) => idKeys.map((key) => [key, smsId] as const))
  const rows = await run(db, before, [
    ...fenced(lease),
    slot,
    column('smsId'),
    column('kind'),
    column('accepted'),
    column('retryInMs'),
    column('isFault'),
    column('answered'),
    column('code'),
    column('reason'),
    keys.map(([key]) => key),
    keys.map(([, id]) => id),
    outcomes.map(({ idKeys }) => new Set(idKeys).size),
  ])
  return rows.map(({ id }) => id)
}

type Settles = typeof settleMessages

/** The second level pays more than the first, the third less than both; the last is free. */
const crooked = [150, 170, 90, 0]

/** Of accounts two to four levels below the platform. */
async function campaignsOf(at: EngineDb, fixtures: SmsFixtures, rows: number): Promise<number[]> {
  const deep = await newReseller(at, { parent: fixtures.reseller })
  const far = await newUser(at, { parent: deep, rupees: 1_000_000 })
  const near = await newUser(at, { parent: fixtures.top, rupees: 1_000_000 })
  const { user } = fixtures
  const common = phones(rows)
  return [
    await newSmsCampaign(at, { user, phones: common, segments: 2 }),
    await newSmsCampaign(at, { user, phones: common.toReversed() }),
    await newSmsCampaign(at, { user: far, phones: phones(rows), segments: 3, prices: crooked }),
    await newSmsCampaign(at, { user: near, phones: phones(rows), prices: [150, 120] }),
    await newSmsCampaign(at, { user: near, phones: phones(rows), prices: [0, 0] }),
  ]
}

async function claimedOf(
  at: { engine: Queryable },
  fixtures: SmsFixtures,
  campaigns: readonly number[],
  rows: number,
): Promise<number[]> {
  const ids: number[] = []
  for (const campaignId of campaigns) {
    const { messages } = await claimSms(at, fixtures, campaignId, rows)
    ids.push(...messages.map(({ id }) => id))
  }
  return ids
}

const kinds = ['accepted', 'refused', 'unknown', 'back', 'settled'] as const

/** Some told twice, in batches of 1 to 60. Ids of segments repeat now and then. */
function outcomesOf(ids: readonly number[], seed: number): SmsOutcome[][] {
  const random = randomOf(seed, 'messages')
  const below = (n: number): number => Math.floor(random() * n)
  const told = ids.flatMap((smsId) =>
    Array.from({ length: random() < 0.1 ? 2 : 1 }, (): SmsOutcome => {
      const kind = kinds[below(kinds.length)] ?? 'back'
      const segments = below(4)
      return {
        smsId,
        kind,
        accepted: segments,
        retryInMs: below(3) * 1000,
        isFault: random() < 0.5,
        answered: random() < 0.5,
        code: random() < 0.5 ? null : `0x${below(90)}`,
        reason: random() < 0.5 ? null : `Reason ${below(9)}`,
        idKeys: Array.from({ length: segments }, (_, n) => (random() < 0.05 ? 'again' : `${smsId}.${n}`)),
      }
    }),
  )
  const batches: SmsOutcome[][] = []
  while (told.length > 0) batches.push(told.splice(0, 1 + below(60)))
  return batches
}

const ascending = (a: number, b: number): number => a - b
const hourMs = 3600_000

/** Returns how many outcomes counted. */
async function compare(rows: number, rounds: number, seed: number): Promise<number> {
  const at = await engineDb(1)
  const fixtures = await newSmsFixtures(at, { rupees: 1_000_000 })
  const campaigns = await campaignsOf(at, fixtures, rows)
  const { lease, coordinator } = fixtures
  const copies = await copiesOf(at, 2)
  const [old, now] = copies
  if (!old || !now) throw new Error('there are no copies')
  const both = <T>(work: (copy: Copy, settles: Settles) => Promise<T>): Promise<[T, T]> =>
    Promise.all([work(old, settledBefore), work(now, settleMessages)])
  const begin = Date.now()
  let counted = 0
  for (let round = 0; round < rounds; round++) {
    await both((copy) => copy.setClock(new Date(begin + round * 9 * hourMs)))
    const claimed = await both((copy) => claimedOf(copy, fixtures, campaigns, rows))
    expect(claimed[1]).toEqual(claimed[0])
    await both(({ owner }) => owner.query('update sms_open set is_held = true where id % 5 = 0 and reserved_paisa > 0'))
    for (const [n, batch] of outcomesOf(claimed[1], seed + round).entries()) {
      const stale = { ...lease, epoch: lease.epoch - 1 }
      for (const by of [stale, lease, coordinator]) {
        const [theirs, ours] = await both((copy, settles) => settles(copy.engine, by, n % 3, batch))
        expect(ours.toSorted(ascending), `batch ${n} of round ${round}`).toEqual(theirs.toSorted(ascending))
        counted += ours.length
      }
    }
    await expectSame(copies)
  }
  await both(async ({ pool }) => {
    await expectSoundBooks({ engine: pool })
    const { sms_held_wrong: _byHand, ...others } = await checkMessageInvariants(pool) // no call reserved what is held here
    expect(faultsOf(others)).toEqual([])
  })
  return counted
}

test('some hundred messages of all kinds leave the same rows in every table, whether settled as before or as now', async () => {
  expect(await compare(60, 3, 1)).toBeGreaterThan(200)
}, 60_000)

test('so do five thousand', { tags: ['exhaustive'], timeout: 600_000 }, async () => {
  expect(await compare(1100, 3, 2)).toBeGreaterThan(5000)
})
