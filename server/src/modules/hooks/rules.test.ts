import { expect, test } from 'vitest'
import { afterFailure, endOf, eventIdOf, notSent, triesMax, waitAfter, words } from './rules.ts'

const now = new Date('2026-11-30T06:00:00Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const answered = (status: number, retryAfter?: string) => endOf({ kind: 'answered', status, retryAfter }, now, 15_000)

test('a delivery is tried ten times, more than three days long, each wait a tenth shorter or longer', () => {
  const waits = Array.from({ length: triesMax }, (_, n) => waitAfter(n + 1, 0.5, null))
  expect(waits).toEqual([
    5000,
    5 * minuteMs,
    30 * minuteMs,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
    null,
  ])
  expect([waitAfter(1, 0, null), waitAfter(1, 1, null)]).toEqual([4500, 5500])
})

test.each([
  { header: '120', waitMs: 120_000 },
  { header: 'Mon, 30 Nov 2026 06:10:00 GMT', waitMs: 10 * minuteMs },
  { header: '1', waitMs: 5000 },
  { header: '99999999', waitMs: 24 * hourMs },
  { header: 'soon', waitMs: 5000 },
  { header: 'Mon, 30 Nov 2026 05:00:00 GMT', waitMs: 5000 },
])('Retry-After $header is obeyed where it asks for a longer wait, up to a day', ({ header, waitMs }) => {
  const end = answered(429, header)
  expect(end.state === 'failed' && waitAfter(1, 0.5, end.retryAfterMs)).toBe(waitMs)
})

test('only a status from 200 to 299 is success', () => {
  expect([200, 204, 299, 199, 302, 400, 500].map((status) => answered(status).state)).toEqual([
    ...Array<string>(3).fill('delivered'),
    ...Array<string>(4).fill('failed'),
  ])
  expect(endOf({ kind: 'lost', slow: true }, now, 15_000)).toMatchObject({ reason: words.slow(15), status: null })
  expect(endOf({ kind: 'unreached', forbidden: true, why: '' }, now, 15_000)).toMatchObject({ reason: words.forbidden })
})

test('five failures in a row rest a hook, at first for 30 seconds, then twice as long each time up to ten minutes', () => {
  const rests = Array.from({ length: 11 }, (_, failures) => {
    const { restMs } = afterFailure({ failures, failingSince: now }, notSent('x'), now)
    return restMs && restMs / 1000
  })
  expect(rests).toEqual([null, null, null, null, 30, 60, 120, 240, 480, 600, 600])
})

test('a hook is off after three days without an arrival, and at once when it answers 410', () => {
  const since = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const off = (hours: number) => afterFailure({ failures: 7, failingSince: since(hours) }, notSent('x'), now).off
  expect([off(71), off(72)]).toEqual([null, words.nothingArrived])
  const gone = answered(410)
  expect(gone.state === 'failed' && afterFailure({ failures: 0, failingSince: null }, gone, now)).toMatchObject({
    off: words.gone,
    failingSince: now,
  })
})

test('the name of an event has no full stop, which would divide what is signed', () => {
  expect(eventIdOf('0e7a7b3e-9f1c-4c0e-8a57-111111111111')).toBe('evt_0e7a7b3e9f1c4c0e8a57111111111111')
})
