import { expect, test } from 'vitest'
import { randomOf } from '../../../lib/random.ts'
import { scriptOf } from './numbers.ts'

const congested = new Set([408, 488, 500, 503])

test('in the demo a few calls of a hundred meet congestion, whatever their numbers end in', () => {
  const calls = Array.from({ length: 10_000 }, (_, n) => {
    const number = `98012${String(n).padStart(5, '0')}`
    const [first] = scriptOf(number, null, randomOf(1, `${number} 1`))
    return first?.type === 'refuse' && congested.has(first.sipStatus)
  })
  const share = calls.filter(Boolean).length / calls.length
  expect(share).toBeGreaterThan(0.01)
  expect(share).toBeLessThan(0.04)
})

test('without the demo’s mixture the numbers of congestion meet it always', () => {
  for (const ending of ['06', '38', '39', '42']) expect(scriptOf(`98012345${ending}`, null, null)).toHaveLength(1)
})
