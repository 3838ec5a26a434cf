import { expect, test } from 'vitest'
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { WavError } from '@ghanti/callflow/sound/wav.ts'
import { withHeader } from './wav.ts'
import { joined, wordOf } from './words-sound.ts'

/** Silence, a tone, silence, in ms. */
function recording(before: number, tone: number, after: number, loud = 9000): Uint8Array {
  const samples = new Int16Array(((before + tone + after) * telephoneRate) / 1000)
  for (let n = 0; n < (tone * telephoneRate) / 1000; n++)
    samples[(before * telephoneRate) / 1000 + n] = loud * Math.sin(n / 2)
  return withHeader(samples)
}

test('the silence around a word is cut, but for a margin', () => {
  const word = wordOf(recording(700, 300, 900), 5)
  expect(word.durationMs).toBeGreaterThanOrEqual(300)
  expect(word.durationMs).toBeLessThanOrEqual(360)
})

test('a word that fills its recording stays whole', () => {
  expect(wordOf(recording(0, 400, 0), 5).durationMs).toBe(400)
})

test('a recording of nothing is no word', () => {
  expect(() => wordOf(recording(300, 300, 300, 20), 5)).toThrow(new WavError('holds nothing but silence'))
})

const samplesOf = (wav: Uint8Array): number[] =>
  Array.from({ length: (wav.length - 44) / 2 }, (_, n) => Buffer.from(wav).readInt16LE(44 + n * 2))
const rmsOf = (samples: number[]): number => Math.sqrt(samples.reduce((sum, one) => sum + one ** 2, 0) / samples.length)

test('who spoke softly is as loud as who spoke up, and both as prompts are', () => {
  for (const loud of [700, 3000, 9000, 32_000])
    expect(rmsOf(samplesOf(wordOf(recording(0, 400, 0, loud), 5).bytes)) / (0.12 * 32_768)).toBeCloseTo(1, 1)
})

test('what is hardly heard is not made a noise, and a knock on the microphone is not cut', () => {
  const softest = samplesOf(wordOf(recording(0, 400, 0, 600), 5).bytes)
  expect(rmsOf(softest)).toBeLessThan(8 * 600)
  const knocked = recording(0, 400, 0, 3000)
  Buffer.from(knocked.buffer, knocked.byteOffset).writeInt16LE(20_000, 44 + 1600)
  const samples = samplesOf(wordOf(knocked, 5).bytes)
  expect(Math.max(...samples)).toBeLessThanOrEqual(0.9 * 32_768)
  expect(samples[800]).toBe(Math.max(...samples))
})

test('words are joined in their order, with a gap between them', () => {
  const [one, two] = [recording(0, 200, 0), recording(0, 300, 0, 3000)]
  const both = joined([one, two, one])
  expect(both.durationMs).toBe(200 + 50 + 300 + 50 + 200)
  const sounds = Buffer.from(both.bytes).subarray(44)
  expect(sounds.subarray(0, 3200).equals(Buffer.from(one).subarray(44))).toBe(true)
  expect(sounds.subarray(3200, 4000).every((byte) => byte === 0)).toBe(true)
  expect(sounds.subarray(4000, 8800).equals(Buffer.from(two).subarray(44))).toBe(true)
})
