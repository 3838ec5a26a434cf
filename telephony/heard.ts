import * as fs from 'node:fs'
import * as path from 'node:path'
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { samplesOf } from '../server/src/audio/wav.ts'

/** Longer than any recording in the tests. */
const secondsMax = 300
/** The loudest pieces of a sound are searched for, each this long. */
const pieceSamples = telephoneRate * 0.3
const piecesMax = 6
/** This many pieces in their order are no coincidence. */
const piecesSure = 3
/** From 0 to 1: a-law costs less than a hundredth; another word in the same voice gets a half. */
const likeness = 0.8
/** From 0 to 1. */
const audible = 0.02

/**
 * Which sounds are heard, each after the one before. A busy machine loses some real-time packets, and a piece that lacks one is not found: one piece
 * of two or three may be missing, and of more as many as leave three.
 */
export function heardInOrder(recording: Uint8Array, sounds: readonly Uint8Array[]): boolean[] {
  const { samples } = samplesOf(recording, secondsMax)
  let from = 0
  return sounds.map((sound) => {
    const pieces = loudestOf(samplesOf(sound, secondsMax).samples)
    let end = from
    const found = pieces.filter((piece) => {
      const at = find(samples, piece, end)
      if (!Number.isNaN(at)) end = at + piece.length
      return !Number.isNaN(at)
    })
    const isHeard = found.length >= Math.min(piecesSure, Math.max(1, pieces.length - 1))
    if (isHeard) from = end
    return isHeard
  })
}

/** Whether any of the loudest pieces of the sound is heard. */
export function hasPartOf(recording: Uint8Array, sound: Uint8Array): boolean {
  const { samples } = samplesOf(recording, secondsMax)
  return loudestOf(samplesOf(sound, secondsMax).samples).some((piece) => !Number.isNaN(find(samples, piece, 0)))
}

/** How many seconds of the recording are audible. */
export function secondsOfSound(recording: Uint8Array): number {
  const { samples } = samplesOf(recording, secondsMax)
  const length = telephoneRate / 50
  let windows = 0
  for (let at = 0; at + length <= samples.length; at += length)
    if (powerOf(samples, at, length) > length * audible ** 2) windows++
  return windows / 50
}

/** Pieces that do not overlap, in the order of the sound; none much quieter than the loudest. */
function loudestOf(sound: Float64Array): Float64Array[] {
  const length = Math.min(pieceSamples, sound.length)
  const places: { offset: number; power: number }[] = []
  for (let offset = 0; offset + length <= sound.length; offset += telephoneRate / 100)
    places.push({ offset, power: powerOf(sound, offset, length) })
  places.sort((one, other) => other.power - one.power)
  const loudest = places[0]?.power ?? 0
  const chosen: number[] = []
  for (const { offset, power } of places) {
    if (chosen.length === piecesMax || power < loudest / 4) break
    if (chosen.every((other) => Math.abs(other - offset) >= length)) chosen.push(offset)
  }
  return chosen.toSorted((one, other) => one - other).map((offset) => sound.subarray(offset, offset + length))
}

function powerOf(samples: Float64Array, from: number, length: number): number {
  let power = 0
  for (let n = from; n < from + length; n++) power += (samples[n] ?? 0) ** 2
  return power
}

function find(samples: Float64Array, piece: Float64Array, from: number): number {
  const own = powerOf(piece, 0, piece.length)
  let power = powerOf(samples, from, piece.length)
  for (let at = from; at + piece.length <= samples.length; at++) {
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
