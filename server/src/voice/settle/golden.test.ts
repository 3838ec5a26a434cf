/**
 * The same calls of all kinds, settled on two copies of one database: by the statement that settled them before it was a function, and by what does now. It
 * is kept as text, and goes when a table changes so that it can no longer write there.
 */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { copiesOf, expectSame, type Copy } from '../testing/copies.ts'
import { engineDb } from '../testing/db.ts'
import { expectSoundBooks } from '../testing/fixtures.ts'
import { recordedCampaigns, recordedClaims, recordedOutcomes } from '../testing/recorded.ts'
import { fenced, run, statement, type Lease, type Queryable } from '../../dispatch/statement.ts'
import { settleOutcomes, type Outcome } from './settle.sql.ts'

const text = fs.readFileSync(path.join(import.meta.dirname, '../../testing/files/settled-before.txt'), 'utf8')
const before = statement<{ id: number }>('settled_before', text)
const parameters = [
  'attemptId',
  'disposition',
  'startedAt',
  'answeredAt',
  'endedAt',
  'billMs',
  'patchBillMs',
  'sipStatus',
  'q850Cause',
  'endedBy',
  'keys',
  'agent',
  'recordingId',
  'retryInMs',
  'unheard',
  'trail',
  'agentMissed',
  'agentCounts',
  'alerted',
  'alertedAt',
] as const satisfies (keyof Outcome)[]

async function settledBefore(db: Queryable, lease: Lease, slot: number, outcomes: readonly Outcome[], followerMs = 0) {
  const columns = parameters.map((key) => outcomes.map((outcome) => outcome[key]))
  const rows = await run(db, before, [...fenced(lease), slot, followerMs, ...columns])
  return rows.map(({ id }) => id)
}

type Settles = typeof settleOutcomes
type Settled = { done: number[]; refused: string[] }

/** A batch that the database refuses is halved, as engines do. */
async function settledOf(settles: Settles, copy: Copy, lease: Lease, slot: number, batch: Outcome[]): Promise<Settled> {
  try {
    const done = await settles(copy.engine, lease, slot, batch, 5000)
    return { done: done.toSorted((a, b) => a - b), refused: [] }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (batch.length === 1) return { done: [], refused: [`${batch[0]?.attemptId} ${error.code} ${error.constraint}`] }
    const half = Math.ceil(batch.length / 2)
    const first = await settledOf(settles, copy, lease, slot, batch.slice(0, half))
    const rest = await settledOf(settles, copy, lease, slot, batch.slice(half))
    return {
      done: [...first.done, ...rest.done].toSorted((a, b) => a - b),
      refused: [...first.refused, ...rest.refused],
    }
  }
}

const hourMs = 3600_000

/** Returns how many outcomes counted and how many were refused. */
async function compare(rows: number, rounds: number, seed: number): Promise<[number, number]> {
  const at = await engineDb(1)
  const recorded = await recordedCampaigns(at, rows)
  let ids = await recordedClaims(at, recorded, rows, seed)
  const { lease } = recorded.fixtures
  const copies = await copiesOf(at, 2)
  const [old, now] = copies
  if (!old || !now) throw new Error('there are no copies')
  const both = async <T>(work: (copy: Copy, settles: Settles) => Promise<T>): Promise<[T, T]> =>
    Promise.all([work(old, settledBefore), work(now, settleOutcomes)])
  const begin = Date.now()
  let counted: [number, number] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const clock = new Date(begin + round * 9 * hourMs)
    await both((copy) => copy.setClock(clock))
    for (const [n, batch] of recordedOutcomes(ids, clock, seed + round).entries()) {
      const [theirs, ours] = await both((copy, settles) => settledOf(settles, copy, lease, n % 3, batch))
      expect(ours, `batch ${n} of round ${round}`).toEqual(theirs)
      counted = [counted[0] + ours.done.length, counted[1] + ours.refused.length]
    }
    const stale = { ...lease, epoch: lease.epoch - 1 }
    const late = await both((copy, settles) =>
      settledOf(settles, copy, stale, 0, recordedOutcomes(ids, clock, 0)[0] ?? []),
    )
    expect(late[1]).toEqual({ done: [], refused: late[0].refused })
    await expectSame(copies)
    const [, next] = await both((copy) => recordedClaims(copy, recorded, rows, seed + round))
    ids = next
    await both((copy) => copy.setClock(clock))
    await expectSame(copies)
  }
  await both(({ pool }) => expectSoundBooks({ engine: pool }))
  return counted
}

test('some hundred calls of all kinds leave the same rows in every table, whether settled as before or as now', async () => {
  const [counted, refused] = await compare(16, 3, 1)
  expect(counted).toBeGreaterThan(200)
  expect(refused).toBeGreaterThan(3)
}, 60_000)

test('so do five thousand', { tags: ['exhaustive'], timeout: 600_000 }, async () => {
  const [counted] = await compare(360, 4, 2)
  expect(counted).toBeGreaterThan(5000)
})
