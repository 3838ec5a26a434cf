import { expect, test } from 'vitest'
import { shareOf, stepsHere, type OtherDialer } from './sharing.ts'

const step = (priority: number, costPaisa: number, weight = 1) => ({ trunkId: 1, priority, costPaisa, weight })
const other = (steps: readonly ReturnType<typeof step>[], of: Partial<OtherDialer> & { open?: boolean } = {}) => {
  const { open = true, ...more } = of
  return { name: 'B', carries: true, reason: null, steps: steps.map((one) => ({ ...one, open })), ...more }
}

test.each([
  { why: 'nobody else', others: null, orders: [1, 2] },
  { why: 'a lower order elsewhere goes first', others: [other([step(1, 0)])], orders: [1] },
  { why: 'so does a cheaper trunk of the same order', others: [other([step(1, 0), step(2, 50)])], orders: [1] },
  { why: 'a full or faulty trunk does not', others: [other([step(1, 0)], { open: false })], orders: [1, 2] },
  { why: 'nor does a dialer that carries no calls', others: [other([step(1, 0)], { carries: false })], orders: [1, 2] },
  { why: 'a dearer one waits for this', others: [other([step(1, 200)])], orders: [1] },
])('calls begin over the steps of this dialer that come first: $why', ({ others, orders }) => {
  const here = [step(1, 0), step(2, 100)]
  expect(stepsHere(here, others).map(({ priority }) => priority)).toEqual(orders)
})

test.each([
  { why: 'alone', others: null, share: 12 },
  { why: 'by weight, beside an equal', others: [other([step(1, 0, 2)])], share: 4 },
  { why: 'not beside a dearer one', others: [other([step(1, 10, 2)])], share: 12 },
  { why: 'not beside one that carries none', others: [other([step(1, 0, 2)], { carries: false })], share: 12 },
  { why: 'at least one', others: [other([step(1, 0, 100)])], share: 1 },
])('of the calls that are wanted a dialer takes its share: $why', ({ others, share }) => {
  expect(shareOf(12, [step(1, 0), step(2, 0, 7)], others)).toBe(share)
})
