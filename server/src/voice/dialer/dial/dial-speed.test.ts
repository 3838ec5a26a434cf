import { expect, test } from 'vitest'
import { DialSpeed } from './dial-speed.ts'

test('a dialer that keeps calls waiting most of a second is slow, and how fast it is was counted', () => {
  const speed = new DialSpeed(0)
  speed.full(true, 100)
  for (let n = 0; n < 8; n++) speed.took(241)
  expect(speed.slow(900)).toBeNull()
  expect(speed.slow(1000)).toEqual({ answersInMs: 240, callsPerSecond: 8 })
})

test('it is slow until a second shows otherwise', () => {
  const speed = new DialSpeed(0)
  speed.full(true, 0)
  speed.took(900)
  expect(speed.slow(1000)).toEqual({ answersInMs: 900, callsPerSecond: 1 })
  speed.full(false, 1200)
  expect(speed.slow(1500)).not.toBeNull()
  expect(speed.slow(2000)).toBeNull()
})

test('calls that wait for their rate, or for a moment, do not make a dialer slow', () => {
  const speed = new DialSpeed(0)
  speed.full(true, 100)
  speed.full(false, 500)
  speed.took(20)
  expect(speed.slow(1000)).toBeNull()
})
