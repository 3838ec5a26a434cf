import { expect, test } from 'vitest'
import { speechSound } from './speech-sound.ts'

const telephone = 8000
const rates = [11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]
/** A tone's first and last pieces contain its edges and are left out. */
const edge = telephone / 10

/** Half a second of tones of equal amplitude. */
function tones(rate: number, hz: readonly number[]): Float32Array {
  return Float32Array.from({ length: rate / 2 }, (_, n) =>
    hz.reduce((sum, one) => sum + Math.sin((2 * Math.PI * one * n) / rate) / (2 * hz.length), 0),
  )
}

/** The amplitude of a tone with whole periods in the samples. */
function heightOf(samples: readonly number[], hz: number): number {
  const turn = (2 * Math.PI * hz) / telephone
  const [x, y] = samples.reduce(
    ([real, imaginary], sample, n) => [real + sample * Math.cos(turn * n), imaginary + sample * Math.sin(turn * n)],
    [0, 0],
  )
  return Math.hypot(x, y)
}

function telephoneSamples(samples: Float32Array, rate: number): number[] {
  const wav = speechSound(samples, rate)?.wav
  if (!wav) throw new Error('nothing is heard')
  const view = new DataView(wav.buffer, wav.byteOffset + 44, wav.byteLength - 44)
  return Array.from({ length: view.byteLength / 2 }, (_, n) => view.getInt16(2 * n, true)).slice(edge, -edge)
}

const decibels = (of: number, to: number): number => 20 * Math.log10(of / to)

test.each(rates)(
  'of a sound at %i samples a second telephones get everything up to 3 kHz as high as it was',
  (rate) => {
    const heard = [200, 500, 1000, 2000, 3000]
    const samples = telephoneSamples(tones(rate, heard), rate)
    for (const hz of heard) expect(Math.abs(decibels(heightOf(samples, hz), heightOf(samples, 1000)))).toBeLessThan(0.5)
  },
)

test.each(rates)('of a sound at %i samples a second nothing comes back from above the telephone’s 4 kHz', (rate) => {
  const beside = 3010 / 3 // no other measured tone folds back there
  const step = 10 * Math.round(rate / 1000)
  for (let hz = 4200; hz < rate / 2 - 200; hz += step) {
    const samples = telephoneSamples(tones(rate, [beside, hz]), rate)
    const mirrored = Math.abs(hz - Math.round(hz / telephone) * telephone)
    expect(decibels(heightOf(samples, mirrored), heightOf(samples, beside)), `${hz} Hz`).toBeLessThan(-40)
  }
})
