import { durationMsOf, withHeader } from '../../audio/wav.ts'
import { telephoneRate, toTelephoneRate } from '@ghanti/callflow/sound/resample.ts'
import type { Speech } from './driver.ts'

/** Of full scale; below it nothing is heard. */
const silence = 0.01
/** Words must not run into their neighbours: this much of the silence around them stays. */
const marginMs = 60
/** Fractions of full scale: the level of recorded prompts, and the peak that is never exceeded. */
const rmsLevel = 0.12
const peakLevel = 0.9

/** Speech as telephones carry it, with silence trimmed and as loud as prompts; null when nothing is heard. */
export function speechSound(samples: Float32Array | Float64Array, rate: number): Speech | null {
  const heard = trimmed(toTelephoneRate(samples, rate))
  if (!heard) return null
  const gain = gainOf(heard)
  const pcm = new Int16Array(heard.length)
  for (let n = 0; n < pcm.length; n++) pcm[n] = Math.floor((heard[n] ?? 0) * gain * 32_768 + 0.5) // no peak reaches 1
  return { wav: withHeader(pcm), durationMs: durationMsOf(pcm.length) }
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
