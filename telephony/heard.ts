/** What a callee heard, held against the sounds that he was to hear. */
import { samplesOf, telephoneRate } from '../server/src/workers/wav.ts'

/** Longer than any recording of a test. */
const secondsMax = 300
/** So much of a sound, where it is loudest, is looked for. */
const pieceSamples = telephoneRate * 0.3
/** Of 1: a-law takes less than a hundredth; another word of the same voice gets a half. */
const likeness = 0.8

/** The places, in seconds, where sounds are heard one after the other; NaN for one that is not, which no other follows. */
export function placesOf(recording: Uint8Array, sounds: readonly Uint8Array[]): number[] {
  const { samples } = samplesOf(recording, secondsMax)
  let from = 0
  return sounds.map((sound) => {
    const { piece, offset } = loudestOf(samplesOf(sound, secondsMax).samples)
    const found = Number.isNaN(from) ? NaN : find(samples, piece, from)
    from = found + piece.length
    return (found - offset) / telephoneRate
  })
}

function loudestOf(sound: Float64Array): { piece: Float64Array; offset: number } {
  const length = Math.min(pieceSamples, sound.length)
  let best = { offset: 0, power: -1 }
  for (let offset = 0; offset + length <= sound.length; offset += telephoneRate / 100) {
    const power = powerOf(sound, offset, length)
    if (power > best.power) best = { offset, power }
  }
  return { piece: sound.subarray(best.offset, best.offset + length), offset: best.offset }
}

function powerOf(samples: Float64Array, from: number, length: number): number {
  let power = 0
  for (let n = from; n < from + length; n++) power += (samples[n] ?? 0) ** 2
  return power
}

/** The first place from `from` on that is like it. */
function find(samples: Float64Array, piece: Float64Array, from: number): number {
  const own = powerOf(piece, 0, piece.length)
  let power = powerOf(samples, from, piece.length)
  for (let at = from; at + piece.length <= samples.length; at++) {
    // a hundredth of its power is no likeness: silence and hum are stepped over
    if (power > own / 100) {
      let sum = 0
      for (let n = 0; n < piece.length; n++) sum += (piece[n] ?? 0) * (samples[at + n] ?? 0)
      if (sum > likeness * Math.sqrt(own * power)) return at
    }
    power += (samples[at + piece.length] ?? 0) ** 2 - (samples[at] ?? 0) ** 2
  }
  return NaN
}
