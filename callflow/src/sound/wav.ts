/** The one reader of wav files, for the API and the console (docs/adr/1, docs/adr/84). */
import { ownValue } from '@ghanti/contract/own-values.ts'
import { foreignCodings } from './codings.ts'
import { mixed, type Mix } from './mix.ts'
import { chunksOf, isWav, type FormatAt, type Part } from './riff.ts'
import { severalRecordings } from './several.ts'

const rateMin = 4000
const rateMax = 192_000
const channelsMax = 8
const secondsMin = 0.1

/** Why a wav file cannot be used. The message continues a sentence that begins with the field's label. */
export class WavError extends Error {}
/** `seconds`: rounded up. */
export class WavTooLongError extends WavError {
  readonly seconds: number
  constructor(seconds: number, secondsMax: number) {
    super(`is ${seconds} seconds long, at most ${secondsMax} are taken`)
    this.seconds = seconds
  }
}

export type Sound = Mix & {
  rate: number
  /** Seconds, where fewer are in the file than its header says; null where all are there, or the header does not know. */
  missing: { promised: number; there: number } | null
}

/** The mix of its channels, from -1 to 1. Throws WavError. */
export function readWav(file: Uint8Array, secondsMax: number): Sound {
  if (!isWav(file)) throw new WavError('is not a wav file')
  const chunks = chunksOf(file)
  const format = chunks.format && formatOf(file, chunks.format)
  if (!format) throw new WavError(`has a broken header: no format${chunks.data === null ? '' : ' before the sound'}`)
  if (!chunks.data) throw new WavError('has a broken header: there is no sound in it')
  const { parts, claimed } = chunks.data
  if (parts.some((part) => part.end > part.start && !isOfFormat(file, part, format)))
    throw new WavError(severalRecordings)
  const sound = joined(parts.map(({ start, end }) => wholeFrames(file.subarray(start, end), format)))
  const frames = sound.length / format.frameBytes
  const seconds = frames / format.rate
  if (seconds < secondsMin) throw new WavError('holds no sound: it is shorter than 0.1 seconds')
  if (seconds > secondsMax) throw new WavTooLongError(Math.ceil(seconds), secondsMax)
  const promised = (claimed ?? 0) / format.frameBytes / format.rate
  const missing = promised - seconds >= secondsMin ? { promised, there: seconds } : null
  return { ...mixOf(sound, format, frames), rate: format.rate, missing }
}

/** Whether the sound can be read as that of the first format. */
function isOfFormat(file: Uint8Array, part: Part, first: Format): boolean {
  try {
    const { channels, rate, frameBytes, read } = formatOf(file, part.format ?? { start: file.length, size: 0 })
    return channels === first.channels && rate === first.rate && frameBytes === first.frameBytes && read === first.read
  } catch (error) {
    if (error instanceof WavError) return false
    throw error
  }
}

function wholeFrames(bytes: Uint8Array, { frameBytes }: Format): Uint8Array {
  return bytes.subarray(0, bytes.length - (bytes.length % frameBytes))
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (only && parts.length === 1) return only
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const outOfPhase = 'The channels of the file cancel each other out: one of them was taken'

/** What whoever sends the sound should know about it, each a sentence. */
export function notesOf({ isOutOfPhase, missing }: Pick<Sound, 'isOutOfPhase' | 'missing'>): string[] {
  const notes = isOutOfPhase ? [outOfPhase] : []
  if (!missing) return notes
  const [promised, there] = [missing.promised.toFixed(1), missing.there.toFixed(1)]
  return [...notes, `The file is cut off: its header promises ${promised} seconds, ${there} are there`]
}

type Format = { channels: number; rate: number; sampleBytes: number; frameBytes: number; read: ReadSample }
type ReadSample = (view: DataView, at: number) => number

function formatOf(file: Uint8Array, { start, size }: FormatAt): Format {
  if (size < 16 || start + 16 > file.length) throw new WavError('has a broken header: its format is cut off')
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const tag = view.getUint16(start, true)
  const channels = view.getUint16(start + 2, true)
  const rate = view.getUint32(start + 4, true)
  const frameBytes = view.getUint16(start + 12, true)
  const bits = view.getUint16(start + 14, true)
  // Extensible: the true format is at the beginning of the GUID at 24.
  const isExtensible = tag === 0xff_fe && size >= 40 && start + 26 <= file.length
  const codec = isExtensible ? view.getUint16(start + 24, true) : tag
  const foreign = ownValue(foreignCodings, `${codec}`)
  if (foreign) throw new WavError(`is coded as ${foreign}, which is not taken: save it as PCM, 16 bit`)
  if (!codecs.has(codec)) throw unknownCoding(codec, bits)
  if (channels < 1 || channels > channelsMax)
    throw new WavError(`has ${channels} channels, 1 to ${channelsMax} are taken`)
  if (rate < rateMin || rate > rateMax)
    throw new WavError(`has ${rate} samples per second, ${rateMin} to ${rateMax} are taken`)
  const sampleBytes = frameBytes / channels
  if (bits < 1 || sampleBytes !== Math.ceil(bits / 8))
    throw new WavError('has a broken header: its sample sizes contradict each other')
  const read = ownValue(readers, `${codec}/${sampleBytes}`)
  if (!read) throw unknownCoding(codec, bits)
  return { channels, rate, sampleBytes, frameBytes, read }
}

function unknownCoding(codec: number, bits: number): WavError {
  return new WavError(`has a coding that is not taken (number ${codec}, ${bits} bits): save it as PCM, 16 bit`)
}

/** By wave format number (1 PCM, 3 float, 6 A-law, 7 mu-law) and bytes per sample. */
const readers: Record<string, ReadSample> = {
  '1/1': (view, at) => (view.getUint8(at) - 128) / 128,
  '1/2': (view, at) => view.getInt16(at, true) / 2 ** 15,
  '1/3': (view, at) => (view.getInt8(at + 2) * 65_536 + view.getUint16(at, true)) / 2 ** 23,
  '1/4': (view, at) => view.getInt32(at, true) / 2 ** 31,
  '3/4': (view, at) => view.getFloat32(at, true),
  '3/8': (view, at) => view.getFloat64(at, true),
  '6/1': (view, at) => aLaw(view.getUint8(at)),
  '7/1': (view, at) => muLaw(view.getUint8(at)),
}

const codecs = new Set(Object.keys(readers).map((key) => Number.parseInt(key, 10)))

/** ITU-T G.711. */
function aLaw(byte: number): number {
  const code = byte ^ 0x55
  const exponent = (code >> 4) & 7
  const mantissa = ((code & 15) << 4) + 8
  const size = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1)
  return (code & 0x80 ? size : -size) / 2 ** 15
}

function muLaw(byte: number): number {
  const code = ~byte & 0xff
  const size = (((code & 15) << 3) + 132) << ((code >> 4) & 7)
  return (code & 0x80 ? 132 - size : size - 132) / 2 ** 15
}

function mixOf(data: Uint8Array, { channels, frameBytes, sampleBytes, read }: Format, frames: number): Mix {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const at = (frame: number, channel: number) => {
    const sample = read(view, frame * frameBytes + channel * sampleBytes)
    return Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0
  }
  return mixed({ count: channels, frames, at })
}
