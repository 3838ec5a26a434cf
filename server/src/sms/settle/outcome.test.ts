import { expect, test } from 'vitest'
import type { Submitted } from '../../drivers/sms/driver.ts'
import { outcomeOf } from './outcome.ts'

const ends: Submitted[] = [
  { kind: 'throttled' },
  { kind: 'unsent', reason: 'not connected' },
  { kind: 'refused', whose: 'gateway', code: '0x58', reason: 'busy', ids: [] },
]

test.each(ends)('a message that is $kind goes back for whole milliseconds, at any speed of the demo', (end) => {
  for (const speed of [1, 7, 30, 500]) {
    const { kind, retryInMs } = outcomeOf({ id: 1, faults: 1 }, end, { timeScale: 1 / speed, probe: false })
    expect(kind).toBe('back')
    expect(Number.isInteger(retryInMs), `${retryInMs} ms at ${speed} times`).toBe(true)
    expect(retryInMs).toBeGreaterThan(0)
  }
})
