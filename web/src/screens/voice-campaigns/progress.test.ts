import { expect, test } from 'vitest'
import { campaign } from './fixtures.ts'
import { isFinished, pendingCalls, progressShare, runningShare, timeLeft, withSample, type Sample } from './progress.ts'

const none = { fresh: 0, inCall: 0, waiting: 0, retry: 0, retries: 2, nextDue: null }
const done = { numbersUploaded: 100, dndCount: 10, numbersProcessed: 90, pending: none }

test('pending is uploaded less blacklisted less processed', () => expect(pendingCalls(campaign('running'))).toBe(7_000))

test.each([
  { why: 'two thirds of the attempts made and due are made', row: campaign('running'), share: 14_000 / 21_000 },
  { why: 'nobody is pending', row: campaign('complete', { ...done, attempts: 120 }), share: 1 },
  { why: 'complete since all are blacklisted', row: campaign('complete', { ...done, attempts: 0 }), share: 1 },
  {
    why: 'a retry begins: nobody is pending yet, 30 did not answer',
    row: campaign('running', { ...done, attempts: 120, callsConnected: 60, isRetry: 1, retryQueuing: true }),
    share: 120 / 150,
  },
  {
    why: 'its file was not read yet',
    row: campaign('processing', { numbersUploaded: 0, dndCount: 0, numbersProcessed: 0, attempts: 0, pending: none }),
    share: 0,
  },
  {
    why: 'refused before anybody was called',
    row: campaign('refused', { numbersUploaded: 0, dndCount: 0, numbersProcessed: 0, attempts: 0, pending: none }),
    share: 0,
  },
])('progress: $why', ({ row, share }) => expect(progressShare(row)).toBeCloseTo(share))

const tenASecond: Sample[] = Array.from({ length: 11 }, (_, second) => ({ atMs: second * 1000, attempts: second * 10 }))
const now = new Date('2026-11-20T06:15:00Z') // 12:00 in Nepal

test.each([
  {
    why: 'a single round without retries: 600 calls at ten a second',
    row: campaign('running', { outcomes: {}, pending: { ...none, retries: 0, fresh: 590, inCall: 10 } }),
    left: { ms: 60_000, atLeast: false },
  },
  {
    why: 'half of the calls are made again, up to twice: 600 × 1.75',
    row: campaign('running', { outcomes: { 'NO ANSWER': 7_000 }, pending: { ...none, fresh: 590, inCall: 10 } }),
    left: { ms: 105_000, atLeast: true },
  },
  {
    why: 'rows that wait for their last retry are called once, and not before they are due',
    row: campaign('running', {
      pending: { ...none, waiting: 100, retry: 2, nextDue: '2026-11-20 12:08:00' },
    }),
    left: { ms: 480_000, atLeast: false },
  },
  { why: 'nobody is pending', row: campaign('running', { pending: none }), left: null },
  { why: 'it is paused', row: campaign('paused'), left: null },
])('time left: $why', ({ row, left }) => {
  const said = timeLeft(row, tenASecond, now)
  expect(said && { ...said, ms: Math.round(said.ms) }).toEqual(left)
})

test('no time left is shown before the speed is known, or while nothing moves', () => {
  expect(timeLeft(campaign('running'), tenASecond.slice(0, 4), now)).toBeNull()
  const still = tenASecond.map(({ atMs }) => ({ atMs, attempts: 7 }))
  expect(timeLeft(campaign('running'), still, now)).toBeNull()
})

test('samples: the last minute, a second apart, and anew when the count falls', () => {
  let samples: Sample[] = []
  for (let half = 0; half <= 240; half += 1) samples = withSample(samples, { atMs: half * 500, attempts: half })
  expect(samples[0]?.atMs).toBeGreaterThanOrEqual(60_000)
  expect(samples.at(-1)).toEqual({ atMs: 120_000, attempts: 240 })
  expect(samples.length).toBeLessThanOrEqual(62)
  expect(withSample(samples, { atMs: 120_500, attempts: 3 })).toEqual([{ atMs: 120_500, attempts: 3 }])
})

test.each([
  { status: 'complete', over: true },
  { status: 'cancelled', over: true },
  { status: 'refused', over: true },
  { status: 'failed', over: true },
  { status: 'cancelling', over: false },
  { status: 'onHold', over: false },
] as const)('$status is finished: $over', ({ status, over }) => expect(isFinished(campaign(status))).toBe(over))

test('the tab shows the progress of all running campaigns, and nothing while none runs', () => {
  expect(runningShare([campaign('paused'), campaign('complete')])).toBeNull()
  const fresh = campaign('running', {
    numbersUploaded: 7_000,
    dndCount: 0,
    numbersProcessed: 0,
    attempts: 0,
    pending: { ...none, fresh: 7_000 },
  })
  expect(runningShare([campaign('running'), fresh, campaign('ready')])).toEqual({ running: 2, share: 0.5 })
})
