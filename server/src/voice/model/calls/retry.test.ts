import { expect, test } from 'vitest'
import { retryInMs, type EndedAttempt } from './retry.ts'

const policy = { retries: 2, retryMs: 600_000, timeScale: 1 }
const first: EndedAttempt = { disposition: 'BUSY', attemptNo: 1, congestions: 0, failures: 0 }

test.each<{ why: string; inMs: number | null } & Partial<EndedAttempt>>([
  { why: 'busy: after ten minutes', inMs: 600_000 },
  { why: 'not answered: the same', disposition: 'NO ANSWER', attemptNo: 2, inMs: 600_000 },
  { why: 'the last re-attempt is the last', attemptNo: 3, inMs: null },
  { why: 'answered calls are never redialled', disposition: 'ANSWER', inMs: null },
  { why: 'a number that does not exist will not exist later', disposition: 'INVALID', inMs: null },
  { why: 'what became of a lost call nobody knows: it may have been answered', disposition: 'LOST', inMs: null },
  { why: 'a given-back attempt goes back at once', disposition: 'CANCEL', attemptNo: 3, inMs: 0 },
  { why: 'refused: once more', disposition: 'REJECTED', inMs: 600_000 },
  { why: 'refused twice: enough', disposition: 'REJECTED', attemptNo: 2, failures: 1, inMs: null },
  {
    why: 'failed after it was refused: enough, whatever was between',
    disposition: 'FAILED',
    attemptNo: 3,
    failures: 1,
    inMs: null,
  },
  { why: 'failed on the last attempt: no more', disposition: 'FAILED', attemptNo: 3, inMs: null },
  { why: 'congestion waits 30 s', disposition: 'CONGESTION', inMs: 30_000 },
  { why: 'congestion uses up no attempt', disposition: 'CONGESTION', attemptNo: 3, congestions: 2, inMs: 120_000 },
  { why: 'the sixth wait is cut to ten minutes', disposition: 'CONGESTION', congestions: 5, inMs: 600_000 },
  { why: 'after the sixth wait congestion is final', disposition: 'CONGESTION', congestions: 6, inMs: null },
])('$why', ({ why, inMs, ...attempt }) => {
  expect(why).toBeTruthy()
  expect(retryInMs({ ...first, ...attempt }, policy)).toBe(inMs)
})

test('the scale shortens every wait', () => {
  expect(retryInMs(first, { ...policy, timeScale: 1 / 30 })).toBe(20_000)
  expect(retryInMs({ ...first, disposition: 'CONGESTION' }, { ...policy, timeScale: 1 / 30 })).toBe(1000)
})
