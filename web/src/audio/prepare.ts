import { telephoneRate, toTelephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { peaksOf } from '../components/ui/sound/peaks.ts'

export type Prepared = {
  /** From -1 to 1, `telephoneRate` a second. */
  samples: Float32Array<ArrayBuffer>
  seconds: number
  /** How loud each of `bars` equal parts is, 0 to 1. */
  peaks: readonly number[]
  /** The file itself is clipped, which no change of volume repairs. */
  isClipped: boolean
}

const bars = 160
/** Full scale, less some room for rounding. */
const fullScale = 0.985
/** The share of samples at full scale from which they are clipping and not peaks. */
const clippedFrom = 1 / 2000

/** Mixes a decoded file's channels and resamples them for telephones. Half an hour of sound takes up to a second. */
export function prepared(channels: readonly Float32Array[], samplesPerSecond: number): Prepared {
  const mono = mixed(channels)
  const samples = Float32Array.from(toTelephoneRate(mono, samplesPerSecond))
  const seconds = samples.length / telephoneRate
  return { samples, seconds, peaks: peaksOf([samples], bars), isClipped: channels.some(isClipped) }
}

function mixed(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0), ...others] = channels
  if (others.length === 0) return first
  const sum = Float32Array.from(first)
  for (const channel of others) for (let n = 0; n < sum.length; n += 1) sum[n] = (sum[n] ?? 0) + (channel[n] ?? 0)
  for (let n = 0; n < sum.length; n += 1) sum[n] = (sum[n] ?? 0) / channels.length
  return sum
}

function isClipped(channel: Float32Array): boolean {
  let atFullScale = 0
  for (const sample of channel) if (Math.abs(sample) >= fullScale) atFullScale += 1
  return atFullScale > channel.length * clippedFrom
}
