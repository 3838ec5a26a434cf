import { telephoneRate, withHeader } from '../../workers/wav.ts'
import type { Speech } from './driver.ts'

/** Telephones carry up to 3.4 kHz; what is above 4 kHz would come back as noise. */
const passHz = 3600
/** Samples on either side that a sample of the result is made of. */
const reach = 40
/** With three that weigh nothing: they are summed four by four. */
const taps = 2 * reach + 4
/** Below this, of 1, nothing is heard. */
const silence = 0.01
/** Speech has its neighbours close by: what is left of the silence around it. */
const marginMs = 60
/** Where recorded prompts lie, and what must never be exceeded, of 1. */
const rmsLevel = 0.12
const peakLevel = 0.9

/** What a speech engine said as telephones carry it: its silence trimmed, as loud as prompts are. Null: nothing is heard. */
export function speechSound(samples: Float32Array | Float64Array, rate: number): Speech | null {
  const resampled = rate === telephoneRate ? samples : toTelephoneRate(samples, rate)
  const heard = trimmed(resampled)
  if (!heard) return null
  const gain = gainOf(heard)
  const pcm = new Int16Array(heard.length)
  for (let n = 0; n < pcm.length; n++) pcm[n] = Math.round((heard[n] ?? 0) * gain * 32_768) // no peak reaches 1
  return { wav: withHeader(pcm), durationMs: Math.max(1, Math.round((pcm.length * 1000) / telephoneRate)) }
}

/**
 * Through a low-pass (windowed sinc): each phase of the ratio between the rates has its weights once. Four sums: an addition need not wait for
 * the one before.
 */
function toTelephoneRate(samples: Float32Array | Float64Array, rate: number): Float32Array {
  const { up, down, weights } = filterOf(rate)
  const padded = new Float32Array(samples.length + reach + taps)
  padded.set(samples, reach)
  const result = new Float32Array(Math.floor((samples.length * up) / down))
  for (let n = 0; n < result.length; n++) {
    const at = n * down
    const phase = (at % up) * taps
    const first = Math.floor(at / up)
    let [one, two, three, four] = [0, 0, 0, 0]
    for (let k = 0; k < taps; k += 4) {
      one += (padded[first + k] ?? 0) * (weights[phase + k] ?? 0)
      two += (padded[first + k + 1] ?? 0) * (weights[phase + k + 1] ?? 0)
      three += (padded[first + k + 2] ?? 0) * (weights[phase + k + 2] ?? 0)
      four += (padded[first + k + 3] ?? 0) * (weights[phase + k + 3] ?? 0)
    }
    result[n] = one + two + three + four
  }
  return result
}

/** `weights`: those of each phase, one after the other. */
type Filter = { up: number; down: number; weights: Float32Array }
/** An engine has one rate, at most a few are met. */
const filters = new Map<number, Filter>()
const filtersMax = 20

function filterOf(rate: number): Filter {
  const known = filters.get(rate)
  if (known) return known
  const shared = commonDivisor(rate, telephoneRate)
  const up = telephoneRate / shared
  const filter = { up, down: rate / shared, weights: weightsOf(up, Math.min(passHz, rate / 2) / rate) }
  if (filters.size >= filtersMax) filters.clear()
  filters.set(rate, filter)
  return filter
}

function weightsOf(phases: number, cutoff: number): Float32Array {
  const all = new Float32Array(phases * taps)
  for (let phase = 0; phase < phases; phase++) {
    const weights = Float32Array.from({ length: taps }, (_, k) => {
      const x = k - reach - phase / phases
      const angle = 2 * Math.PI * cutoff * x
      const sinc = angle === 0 ? 1 : Math.sin(angle) / angle
      return Math.abs(x) > reach ? 0 : sinc * (0.54 + 0.46 * Math.cos((Math.PI * x) / reach))
    })
    const sum = weights.reduce((total, weight) => total + weight, 0)
    all.set(
      weights.map((weight) => weight / sum),
      phase * taps,
    )
  }
  return all
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

function trimmed(samples: Float32Array | Float64Array): Float32Array | Float64Array | null {
  let first = 0
  while (first < samples.length && !isHeard(samples[first])) first++
  if (first === samples.length) return null
  let last = samples.length - 1
  while (!isHeard(samples[last])) last--
  const margin = Math.round((marginMs * telephoneRate) / 1000)
  return samples.subarray(Math.max(0, first - margin), last + 1 + margin)
}

function isHeard(sample = 0): boolean {
  return sample > silence || sample < -silence
}

function gainOf(samples: Float32Array | Float64Array): number {
  let peak = 0
  let power = 0
  let heard = 0
  for (let n = 0; n < samples.length; n++) {
    const size = Math.abs(samples[n] ?? 0)
    if (size > peak) peak = size
    if (size <= silence) continue
    power += size * size
    heard++
  }
  return Math.min(rmsLevel / Math.sqrt(power / heard), peakLevel / peak)
}
