import { expect, test } from 'vitest'
import { telephoneRate, WavError, withHeader } from './wav.ts'
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

test('words are joined in their order, with a gap between them', () => {
  const [one, two] = [recording(0, 200, 0), recording(0, 300, 0, 3000)]
  const both = joined([one, two, one])
  expect(both.durationMs).toBe(200 + 50 + 300 + 50 + 200)
  const sounds = Buffer.from(both.bytes).subarray(44)
  expect(sounds.subarray(0, 3200).equals(Buffer.from(one).subarray(44))).toBe(true)
  expect(sounds.subarray(3200, 4000).every((byte) => byte === 0)).toBe(true)
  expect(sounds.subarray(4000, 8800).equals(Buffer.from(two).subarray(44))).toBe(true)
})
