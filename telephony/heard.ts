import * as fs from 'node:fs'
import * as path from 'node:path'
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { readWav } from '@ghanti/callflow/sound/wav.ts'

/** Longer than any recording in the tests. */
const secondsMax = 300
/** The loudest pieces of a sound are searched for. */
type Pieces = { samples: number; most: number }
/** This many of them in their order are no coincidence. */
const long: Pieces & { sure: number } = { samples: telephoneRate * 0.3, most: 6, sure: 3 }
/**
 * Where one packet in twenty is lost, hardly a long piece is left whole. Short ones are, but each may be found in another sound: half of them and at least this many
 * must be found, each as late after the one before as in the sound, except for what was lost between them. Of spoken sentences with a word in
 * common three of ten were found; of the same one with every fifth packet lost, six of eight.
 */
const short: Pieces & { sure: number } = { samples: telephoneRate * 0.1, most: 16, sure: 5 }
const lostMax = telephoneRate * 0.3
const delayMax = telephoneRate * 0.1
/** From 0 to 1: a-law costs less than a hundredth; another word in the same voice gets a half. */
const likeness = 0.8
/** From 0 to 1. */
const audible = 0.02

/**
 * Which sounds are heard, each after the one before. A busy machine loses some real-time packets, and a piece that lacks one is not found: one long piece
 * of two or three may be missing, and of more as many as leave three. Where more are missing, short pieces decide.
 */
export function heardInOrder(recording: Uint8Array, sounds: readonly Uint8Array[]): boolean[] {
  const { samples } = readWav(recording, secondsMax)
  let from = 0
  return sounds.map((sound) => {
    const whole = readWav(sound, secondsMax).samples
    const end = endOfLong(samples, whole, from) ?? endOfShort(samples, whole, from)
    from = end ?? from
    return end !== null
  })
}

/** Where the sound ends that begins after `from`. Null: too few of its long pieces are found. */
function endOfLong(samples: Float32Array, sound: Float32Array, from: number): number | null {
  const pieces = loudestOf(sound, long)
  let end = from
  const found = pieces.filter(({ piece }) => {
    const at = find(samples, piece, end)
    if (!Number.isNaN(at)) end = at + piece.length
    return !Number.isNaN(at)
  })
  return found.length >= Math.min(long.sure, Math.max(1, pieces.length - 1)) ? end : null
}

/** The same by its short pieces. Any of them may be the first that is found. */
function endOfShort(samples: Float32Array, sound: Float32Array, from: number): number | null {
  const pieces = loudestOf(sound, short)
  const least = Math.max(short.sure, pieces.length / 2)
  for (let first = 0; pieces.length - first >= least; first++) {
    let [end, late, found] = [from, NaN, 0]
    for (const { piece, offset } of pieces.slice(first)) {
      const [earliest, latest] = found === 0 ? [from, Infinity] : [offset + late - lostMax, offset + late + delayMax]
      const at = find(samples, piece, Math.max(end, earliest), latest)
      if (Number.isNaN(at)) {
        if (found === 0) break
        continue
      }
      ;[end, late, found] = [at + piece.length, at - offset, found + 1]
    }
    if (found >= least) return end
  }
  return null
}

/** Whether any of the loudest pieces of the sound is heard. */
export function hasPartOf(recording: Uint8Array, sound: Uint8Array): boolean {
  const { samples } = readWav(recording, secondsMax)
  return loudestOf(readWav(sound, secondsMax).samples, long).some(({ piece }) => !Number.isNaN(find(samples, piece, 0)))
}

/** How many seconds of the recording are audible. */
export function secondsOfSound(recording: Uint8Array): number {
  const { samples } = readWav(recording, secondsMax)
  const length = telephoneRate / 50
  let windows = 0
  for (let at = 0; at + length <= samples.length; at += length)
    if (powerOf(samples, at, length) > length * audible ** 2) windows++
  return windows / 50
}

/** Pieces that do not overlap, in the order of the sound; none much quieter than the loudest. */
function loudestOf(sound: Float32Array, of: Pieces): { offset: number; piece: Float32Array }[] {
  const length = Math.min(of.samples, sound.length)
  const places: { offset: number; power: number }[] = []
  for (let offset = 0; offset + length <= sound.length; offset += telephoneRate / 100)
    places.push({ offset, power: powerOf(sound, offset, length) })
  places.sort((one, other) => other.power - one.power)
  const loudest = places[0]?.power ?? 0
  const chosen: number[] = []
  for (const { offset, power } of places) {
    if (chosen.length === of.most || power < loudest / 4) break
    if (chosen.every((other) => Math.abs(other - offset) >= length)) chosen.push(offset)
  }
  return chosen
    .toSorted((one, other) => one - other)
    .map((offset) => ({ offset, piece: sound.subarray(offset, offset + length) }))
}

function powerOf(samples: Float32Array, from: number, length: number): number {
  let power = 0
  for (let n = from; n < from + length; n++) power += (samples[n] ?? 0) ** 2
  return power
}

/** Where the piece begins, from `from` to `most`. */
function find(samples: Float32Array, piece: Float32Array, from: number, most = Infinity): number {
  const own = powerOf(piece, 0, piece.length)
  let power = powerOf(samples, from, piece.length)
  for (let at = from; at <= most && at + piece.length <= samples.length; at++) {
    // a hundredth of its power cannot be similar, so silence and hum are skipped
    if (power > own / 100) {
      let sum = 0
      for (let n = 0; n < piece.length; n++) sum += (piece[n] ?? 0) * (samples[at + n] ?? 0)
      if (sum > likeness * Math.sqrt(own * power)) return at
    }
    power += (samples[at + piece.length] ?? 0) ** 2 - (samples[at] ?? 0) ** 2
  }
  return NaN
}

/** The recording of a number that records what it hears (36), beside the operator's log and named after the number as it was dialled. */
export function heardBy(operatorCalls: string, phone: string): Buffer {
  const folder = path.join(path.dirname(operatorCalls), '../../spool/heard')
  const name = fs.readdirSync(folder).find((one) => one.endsWith(`${phone}.heard.wav`))
  return name ? fs.readFileSync(path.join(folder, name)) : Buffer.alloc(0)
}
