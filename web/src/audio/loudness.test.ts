import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { expect, test } from 'vitest'
import { cut, gainOf, loudnessOf, recordingLevelOf } from './loudness.ts'
import { prepared } from './prepare.ts'

/** A tone in the first half of every second. */
const speech = (amplitude: number, seconds = 4, rate = telephoneRate) =>
  Float32Array.from({ length: seconds * rate }, (_, n) =>
    (n / rate) % 1 < 0.5 ? amplitude * Math.sin((2 * Math.PI * 400 * n) / rate) : 0,
  )

test('pauses do not lower the level of a sound', () => {
  const { level, peak } = loudnessOf(speech(0.1))
  expect([Math.round(level), Math.round(peak)]).toEqual([-23, -20])
})

test.each([
  { amplitude: 0, recordingLevel: 'silent', louder: null },
  { amplitude: 0.01, recordingLevel: 'quiet', louder: -20 },
  { amplitude: 0.2, recordingLevel: 'good', louder: -17 },
] as const)('at $amplitude of full scale it is $recordingLevel', ({ amplitude, recordingLevel, louder }) => {
  const sound = speech(amplitude)
  const loudness = loudnessOf(sound)
  expect(recordingLevelOf(loudness, false)).toBe(recordingLevel)
  const after = loudnessOf(cut(sound, 0, 4, gainOf(loudness)))
  if (louder !== null) expect(Math.round(after.level)).toBe(louder)
})

test('amplifying a sound never clips it', () => {
  const spiky = speech(0.01)
  spiky[100] = 0.5
  const gain = gainOf(loudnessOf(spiky))
  expect(gain * 0.5).toBeLessThan(0.9)
  expect(gain).toBeGreaterThan(1)
})

test('a clipped file is recognised at any level of the mix', () => {
  const loud = speech(3, 2, 16_000).map((sample) => Math.max(-1, Math.min(1, sample)))
  const sound = prepared([loud, new Float32Array(loud.length)], 16_000)
  expect([sound.isClipped, sound.seconds, sound.samples.length]).toEqual([true, 2, 2 * telephoneRate])
  expect(prepared([speech(0.9, 2, 16_000)], 16_000).isClipped).toBe(false)
  expect(recordingLevelOf(loudnessOf(sound.samples), true)).toBe('clipped')
})

test('frequencies that telephones do not carry do not fold back', () => {
  const tone = Float32Array.from({ length: 32_000 }, (_, n) => 0.5 * Math.sin((2 * Math.PI * 5500 * n) / 16_000))
  expect(loudnessOf(prepared([tone], 16_000).samples.subarray(800, 15_000)).level).toBeLessThan(-45)
})

test('a part is cut at its seconds', () => {
  const sound = Float32Array.from({ length: 4 * telephoneRate }, (_, n) => Math.floor(n / telephoneRate) / 4)
  const part = cut(sound, 1, 3)
  expect([part.length, part[0], part.at(-1)]).toEqual([2 * telephoneRate, 0.25, 0.5])
})

test.each([
  { what: 'swapped wires', channels: [1, -1], cancel: true },
  { what: 'swapped wires and a quieter channel', channels: [1, -0.4], cancel: true },
  { what: 'two pairs that are swapped', channels: [1, -1, 0.8, -0.8], cancel: true },
  { what: 'the same in both', channels: [1, 1], cancel: false },
  { what: 'nothing in one of them', channels: [1, 0], cancel: false },
])('the channels of a file that the browser decoded: $what', ({ channels, cancel }) => {
  const sound = prepared(
    channels.map((factor) => speech(0.2).map((sample) => factor * sample)),
    telephoneRate,
  )
  const notes = cancel ? ['The channels of the file cancel each other out: one of them was taken'] : []
  expect(sound.notes).toEqual(notes)
  if (cancel) expect(sound.samples).toEqual(speech(0.2))
})
