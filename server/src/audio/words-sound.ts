/** Recordings of single words: trimmed, made equally loud, and joined. */
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { WavError } from '@ghanti/callflow/sound/wav.ts'
import {
  bytesPerSample,
  durationMsOf,
  headerBytes,
  headerOf,
  toTelephone,
  withHeader,
  type ConvertedWav,
  type TelephoneWav,
} from './wav.ts'

const windowSamples = telephoneRate / 100
/** Of 32,768. A recording that never exceeds this is silence. */
const quietest = 400
/** Parts quieter than this share of the loudest window lie before or after the word. */
const edgeShare = 0.04
const marginWindows = 2
/** Loudness is measured in the loud windows only, because consonants are quiet anyway. */
const loudShare = 0.25
/** The loudness of prompts, and the peak that must never be exceeded, of 32,768. */
const level = 0.12 * 32_768
const peakMax = 0.9 * 32_768
/** More amplification would make the noise of the room audible. */
const gainMax = 8
/** The pause between two words, as people who read numbers make it. */
const gapMs = 50

/** Trims silence around the word and makes it as loud as all others. Throws WavError. */
export function wordOf(file: Uint8Array, secondsMax: number): ConvertedWav {
  const { bytes, notes } = toTelephone(file, secondsMax)
  const samples = samplesOf(bytes)
  const loudness = Array.from({ length: Math.ceil(samples.length / windowSamples) }, (_, index) =>
    loudnessOf(samples.subarray(index * windowSamples, (index + 1) * windowSamples)),
  )
  const loudest = Math.max(...loudness)
  if (loudest < quietest) throw new WavError('holds nothing but silence')
  const isLoud = (level: number): boolean => level >= loudest * edgeShare
  const first = Math.max(0, loudness.findIndex(isLoud) - marginWindows)
  const last = Math.min(loudness.length, loudness.findLastIndex(isLoud) + 1 + marginWindows)
  const word = samples.slice(first * windowSamples, last * windowSamples)
  const gain = gainOf(
    word,
    loudness.filter((one) => one >= loudest * loudShare),
  )
  return { ...wavOf(word.map((sample) => Math.round(sample * gain))), notes }
}

function gainOf(word: Int16Array, loud: readonly number[]): number {
  const rms = Math.sqrt(loud.reduce((sum, one) => sum + one * one, 0) / loud.length)
  const peak = word.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  return Math.min(level / rms, peakMax / peak, gainMax)
}

/**
 * Joins words in order, with a short gap between each two. It runs where calls are made, for thousands of values, so it copies bytes and
 * examines no sample.
 */
export function joined(words: readonly Uint8Array[]): TelephoneWav {
  const parts = words.map((word) => word.subarray(headerBytes))
  const gap = (gapMs * telephoneRate * bytesPerSample) / 1000
  const size = parts.reduce((sum, part) => sum + part.length, 0) + gap * Math.max(0, parts.length - 1)
  const bytes = Buffer.alloc(headerBytes + size)
  bytes.set(headerOf(size))
  let at = headerBytes
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length + gap
  }
  return { bytes, durationMs: durationMsOf(size / bytesPerSample) }
}

function samplesOf(wav: Uint8Array): Int16Array {
  const view = new DataView(wav.buffer, wav.byteOffset + headerBytes, wav.byteLength - headerBytes)
  return Int16Array.from({ length: Math.floor(view.byteLength / 2) }, (_, index) => view.getInt16(index * 2, true))
}

function loudnessOf(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))
}

function wavOf(samples: Int16Array): TelephoneWav {
  return { bytes: withHeader(samples), durationMs: durationMsOf(samples.length) }
}
