import { expect, test } from 'vitest'
import { DialPace } from './dial-pace.ts'

test('a dialer that keeps calls waiting most of a second is slow, and how fast it is was counted', () => {
  const pace = new DialPace(0)
  pace.full(true, 100)
  for (let n = 0; n < 8; n++) pace.took(241)
  expect(pace.slow(900)).toBeNull()
  expect(pace.slow(1000)).toEqual({ answersInMs: 240, callsPerSecond: 8 })
})

test('it is slow until a second shows otherwise', () => {
  const pace = new DialPace(0)
  pace.full(true, 0)
  pace.took(900)
  expect(pace.slow(1000)).toEqual({ answersInMs: 900, callsPerSecond: 1 })
  pace.full(false, 1200)
  expect(pace.slow(1500)).not.toBeNull()
  expect(pace.slow(2000)).toBeNull()
})

test('calls that wait for their rate, or for a moment, do not make a dialer slow', () => {
  const pace = new DialPace(0)
  pace.full(true, 100)
  pace.full(false, 500)
  pace.took(20)
  expect(pace.slow(1000)).toBeNull()
})
