import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { heardPowers } from '@ghanti/callflow/sound/silence.ts'

/** Levels in dBFS: 0 is full scale. */
export type Loudness = {
  /** Root mean square of the parts with speech; -Infinity for silence. */
  level: number
  peak: number
}

/** Blocks this much quieter than the others are pauses too. */
const pauseBelow = 12

/** The usual level of recorded telephone announcements. */
const usual = -20
const quietBelow = -30
const headroom = -1

const decibels = (ratio: number) => 20 * Math.log10(ratio)

/** Pauses do not count, so that a slow speaker is not taken for a quiet one. */
export function loudnessOf(samples: Float32Array): Loudness {
  const heard = heardPowers(samples)
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const gate = decibels(Math.sqrt(mean(heard))) - pauseBelow
  const spoken = heard.filter((power) => decibels(Math.sqrt(power)) >= gate)
  return { level: decibels(Math.sqrt(mean(spoken))), peak: decibels(peak) }
}

function mean(powers: readonly number[]): number {
  return powers.length === 0 ? 0 : powers.reduce((sum, power) => sum + power, 0) / powers.length
}

export type RecordingLevel = 'silent' | 'quiet' | 'clipped' | 'good'

/** `isClipped`: the file's peaks are cut off. */
export function recordingLevelOf({ level }: Loudness, isClipped: boolean): RecordingLevel {
  if (level === -Infinity) return 'silent'
  if (isClipped) return 'clipped'
  return level < quietBelow ? 'quiet' : 'good'
}

/** The factor by which a quiet recording can be amplified: up to the usual level, without clipping. */
export function gainOf({ level, peak }: Loudness): number {
  const wanted = Math.min(usual - level, headroom - peak)
  return Number.isFinite(wanted) && wanted > 0 ? 10 ** (wanted / 20) : 1
}

/** The part from one second to another, amplified by a factor. */
export function cut(
  samples: Float32Array,
  fromSeconds: number,
  toSeconds: number,
  gain = 1,
): Float32Array<ArrayBuffer> {
  const part = samples.slice(Math.round(fromSeconds * telephoneRate), Math.round(toSeconds * telephoneRate))
  if (gain !== 1) for (let n = 0; n < part.length; n += 1) part[n] = (part[n] ?? 0) * gain
  return new Float32Array(part)
}
