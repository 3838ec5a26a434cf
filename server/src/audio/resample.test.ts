/** Compares our resampler with a package's. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import type * as WaveResampler from 'wave-resampler'
import { telephoneRate, toTelephoneRate } from '@ghanti/callflow/sound/resample.ts'

// its bundle hides its names from Node's import
const { resample }: typeof WaveResampler = createRequire(import.meta.url)('wave-resampler')

const tone = (rate: number, hertz: number): Float64Array =>
  Float64Array.from({ length: rate }, (_, n) => Math.sin((2 * Math.PI * hertz * n) / rate) / 2)

/** Root mean square, without the ends, where a filter has only half of its input. */
function loudness(samples: ArrayLike<number>): number {
  const middle = Float64Array.from(samples).subarray(800, -800)
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length)
}

const name = 'tones at %i samples a second'
test.each([4000, 11_025, 16_000, 22_050, 44_100, 48_000])(name, expectTones)
test.each([191_999])(name, { tags: ['exhaustive'] }, expectTones)

function expectTones(rate: number): void {
  for (const hertz of [300, 1000, 3000].filter((one) => one < rate * 0.4)) {
    const ours = toTelephoneRate(tone(rate, hertz), rate)
    const theirs = resample(tone(rate, hertz), rate, telephoneRate, { method: 'sinc' })
    expect(Math.abs(ours.length - theirs.length)).toBeLessThanOrEqual(1)
    expect(loudness(ours) / loudness(theirs), `${hertz} Hz`).toBeCloseTo(1, 1)
  }
  if (rate > 10_500) expect(loudness(toTelephoneRate(tone(rate, 5000), rate))).toBeLessThan(0.005)
}

test('samples at the rate of telephones stay what they are', () => {
  const samples = tone(telephoneRate, 1000)
  expect(toTelephoneRate(samples, telephoneRate)).toBe(samples)
})
