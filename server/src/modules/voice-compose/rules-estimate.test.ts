import { callPatch } from '@ghanti/callflow/templates/call-patch.ts'
import { simpleIvr } from '@ghanti/callflow/templates/simple-ivr.ts'
import { fullInput, prompt } from '@ghanti/callflow/testing.ts'
import { instantOfNepalTime, nepalTimeOf } from '@ghanti/contract/time.ts'
import { expect, test } from 'vitest'
import { defaultCallingHours } from '../platform/rules-hours.ts'
import { doneAt, estimate } from './rules-estimate.ts'

const simple = simpleIvr.build({ ...fullInput, prompts: { welcome: prompt('welcome', 14_500) } })
const price = { pulseMs: 15_000, pulsePaisa: 25 }
const caps = { callsPerSecond: 10, channels: 30, speed: 1 }

test('what it costs at most: each row once, heard to the end', () => {
  expect(estimate(simple, price, 1000, caps)).toMatchObject({
    atMostPaisa: 1000 * 25,
    oneCallPaisa: 25,
    agentMinutePaisa: null,
  })
  const patch = callPatch.build({ ...fullInput, prompts: { menu: prompt('menu', 5000) } })
  const { atMostPaisa, oneCallPaisa, agentMinutePaisa } = estimate(patch, price, 10, caps)
  expect(oneCallPaisa, 'one call reserves both legs').toBe((2 * atMostPaisa) / 10)
  expect(agentMinutePaisa, 'four pulses on each leg').toBe(2 * 4 * 25)
})

test.each([
  { why: 'thirty channels, half a minute a call: one a second', change: {}, seconds: 1000 },
  { why: 'calls per second', change: { channels: 3000 }, seconds: 100 },
  { why: 'the simulator is faster', change: { speed: 5 }, seconds: 200 },
  { why: 'a cap of 0 lets nothing through', change: { channels: 0 }, seconds: null },
])('how long it takes: $why', ({ change, seconds }) =>
  expect(estimate(simple, price, 1000, { ...caps, ...change }).seconds).toBe(seconds),
)

const at = (text: string) => instantOfNepalTime(text) ?? new Date(NaN)
test.each([
  { why: 'within the day', start: '2026-11-20 10:00:00', seconds: 3600, done: '2026-11-20 11:00:00' },
  { why: 'over night', start: '2026-11-20 20:30:00', seconds: 3600, done: '2026-11-21 07:30:00' },
  { why: 'before the hours', start: '2026-11-20 03:00:00', seconds: 60, done: '2026-11-20 07:01:00' },
  { why: 'until their last second', start: '2026-11-20 20:00:00', seconds: 3600, done: '2026-11-20 21:00:00' },
])('done: $why', ({ start, seconds, done }) => {
  const when = doneAt(defaultCallingHours, at(start), seconds)
  expect(when && nepalTimeOf(when)).toBe(done)
})

test('done: never when the hours never open', () => {
  expect(doneAt({ ...defaultCallingHours, weekdays: [] }, at('2026-11-20 10:00:00'), 60)).toBeNull()
})
