import { mixed } from '@ghanti/callflow/sound/mix.ts'
import { telephoneRate, toTelephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { notesOf, readWav, type Sound } from '@ghanti/callflow/sound/wav.ts'
import { peaksOf } from '../components/ui/sound/peaks.ts'

export type Prepared = {
  /** From -1 to 1, `telephoneRate` a second. */
  samples: Float32Array<ArrayBuffer>
  seconds: number
  /** How loud each of `bars` equal parts is, 0 to 1. */
  peaks: readonly number[]
  /** The file itself is clipped, which no change of volume repairs. */
  isClipped: boolean
  /** What is known about the file in the API's words, each a sentence. */
  notes: readonly string[]
}

const bars = 160

/** Mixes a decoded file's channels and resamples them for telephones. Half an hour of sound takes up to a second. */
export function prepared(channels: readonly Float32Array[], samplesPerSecond: number): Prepared {
  const at = (frame: number, channel: number) => channels[channel]?.[frame] ?? 0
  const mix = mixed({ count: channels.length, frames: channels[0]?.length ?? 0, at })
  return forTelephones({ ...mix, rate: samplesPerSecond, missing: null })
}

/** The same for a wav file, by the reader that the server uses. Throws WavError. */
export function preparedWav(file: Uint8Array, secondsMax: number): Prepared {
  return forTelephones(readWav(file, secondsMax))
}

function forTelephones(sound: Sound): Prepared {
  const samples = Float32Array.from(toTelephoneRate(sound.samples, sound.rate))
  const seconds = samples.length / telephoneRate
  const { isClipped } = sound
  return { samples, seconds, peaks: peaksOf([samples], bars), isClipped, notes: notesOf(sound) }
}
