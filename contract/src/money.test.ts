import { expect, test } from 'vitest'
import { cheaperThanParent, greatestPulsePaisa, leastPulsePaisa } from './money.ts'
import { callCost, pulseSeconds, whyTooCheap } from './plans.ts'

const price = (seconds: number, pulsePaisa: number) => ({ pulseMs: seconds * 1000, pulsePaisa })
const pairs = pulseSeconds.flatMap((seconds) => pulseSeconds.map((parent) => ({ seconds, parent })))

test.each(pairs)(
  'the least price of $seconds s pulses above $parent s pulses is covered by, and one paisa less is not',
  ({ seconds, parent }) => {
    for (const paisa of [1, 7, 35, 99]) {
      const least = leastPulsePaisa(seconds * 1000, price(parent, paisa))
      expect(cheaperThanParent(price(seconds, least), price(parent, paisa))).toBeNull()
      expect(cheaperThanParent(price(seconds, least - 1), price(parent, paisa))).not.toBeNull()
      const greatest = greatestPulsePaisa(parent * 1000, price(seconds, paisa))
      expect(cheaperThanParent(price(seconds, paisa), price(parent, greatest))).toBeNull()
      expect(cheaperThanParent(price(seconds, paisa), price(parent, greatest + 1))).not.toBeNull()
    }
  },
)

test('the reason names the lengths of calls that would be cheaper, the costs of the shortest and the price that would do', () => {
  expect(whyTooCheap(price(60, 90), price(30, 50))).toBe(
    'calls of 31-60, 91-120, 151-180 s and so on would earn less than they cost: a call of 31 s would cost Rs 0.90, you pay Rs 1.00 for it yourself; at least 100 paisa per 60 s would do',
  )
  expect(whyTooCheap(price(30, 49), price(30, 50))).toMatch(/^calls of 1-3600 s would earn less than they cost: /)
  expect(whyTooCheap(price(60, 600_000), price(60, 600_100))).toContain('Rs 6,000.00, you pay Rs 6,001.00')
  expect(whyTooCheap(price(30, 50), price(30, 50))).toBeNull()
  expect(whyTooCheap(price(1, 0), price(30, 0))).toBeNull()
})

test.each([
  { plan: price(30, 50), seconds: 65, rupees: '1.50' },
  { plan: price(60, 90), seconds: 1, rupees: '0.90' },
  { plan: price(1, 2), seconds: 3600, rupees: '72.00' },
])('a call of $seconds s costs Rs $rupees', ({ plan, seconds, rupees }) => expect(callCost(plan, seconds)).toBe(rupees))
