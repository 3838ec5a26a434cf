import { ownValue } from '@ghanti/contract/own-values.ts'
import { telephoneRate, toTelephoneRate } from '@ghanti/callflow/sound/resample.ts'

const rateMin = 4000
const rateMax = 192_000
const channelsMax = 8
const secondsMin = 0.1

/** A sound as telephones carry it (8 kHz, mono, 16 bit), with its RIFF header. */
export type TelephoneWav = { bytes: Uint8Array<ArrayBuffer>; durationMs: number }

/** Why a wav file cannot be used. The message continues a sentence that begins with the field's label. */
export class WavError extends Error {}

export const wavTypes = ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave']

/** Checks the first bytes, whatever the name and declared type. */
export function isWav(bytes: Uint8Array): boolean {
  return fourCc(bytes, 0) === 'RIFF' && fourCc(bytes, 8) === 'WAVE'
}

/** The MIME type, by its first bytes, of a file that people may take for a wav. */
export function detectedType(bytes: Uint8Array): string {
  if (isWav(bytes)) return 'audio/wav'
  const magic = fourCc(bytes, 0)
  if (magic.startsWith('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)) return 'audio/mpeg'
  if (fourCc(bytes, 4) === 'ftyp') return 'audio/mp4'
  if (magic.startsWith('PK')) return 'application/zip'
  const known: Record<string, string> = {
    OggS: 'audio/ogg',
    fLaC: 'audio/flac',
    '#!AM': 'audio/amr',
    FORM: 'audio/aiff',
    '%PDF': 'application/pdf',
    RIFX: 'audio/wav (big-endian)',
    RF64: 'audio/wav (RF64)',
  }
  return ownValue(known, magic) ?? 'application/octet-stream'
}

/** Converts any usual wav file. Throws WavError. A large file takes about a second of processor time, so this belongs in a worker thread. */
export function toTelephone(file: Uint8Array, secondsMax: number): TelephoneWav {
  const { samples: mono, rate } = samplesOf(file, secondsMax)
  const samples = Int16Array.from(toTelephoneRate(mono, rate), (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))),
  )
  return { bytes: withHeader(samples), durationMs: durationMsOf(samples.length) }
}

/** The mix of its channels, from -1 to 1. Throws WavError. */
export function samplesOf(file: Uint8Array, secondsMax: number): { samples: Float64Array; rate: number } {
  const { format, data } = chunksOf(file)
  const frames = Math.floor(data.length / format.frameBytes)
  const seconds = frames / format.rate
  if (seconds < secondsMin) throw new WavError('holds no sound: it is shorter than 0.1 seconds')
  if (seconds > secondsMax) throw new WavError(`is ${Math.ceil(seconds)} seconds long, at most ${secondsMax} are taken`)
  return { samples: mixed(data, format, frames), rate: format.rate }
}

type Format = { channels: number; rate: number; sampleBytes: number; frameBytes: number; read: ReadSample }
type ReadSample = (view: DataView, at: number) => number

/** Chunks other than 'fmt ' and 'data' (names, cues, pictures) are skipped unread. */
function chunksOf(file: Uint8Array): { format: Format; data: Uint8Array } {
  if (!isWav(file)) throw new WavError('is not a wav file')
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let format: Format | undefined
  for (let at = 12; at + 8 <= file.length;) {
    const id = fourCc(file, at)
    const size = view.getUint32(at + 4, true)
    const start = at + 8
    if (id === 'fmt ') format = formatOf(view, start, size)
    if (id === 'data') {
      if (!format) throw new WavError('has a broken header: no format before the sound')
      return { format, data: file.subarray(start, endOfData(start, size, file.length, format)) }
    }
    at = start + size + (size % 2)
  }
  throw new WavError(format ? 'has a broken header: there is no sound in it' : 'has a broken header: no format')
}

/** Programs that record into a pipe never learn the size and leave 0xffffffff. Any other size must be true. */
function endOfData(start: number, size: number, length: number, format: Format): number {
  if (size === 0xff_ff_ff_ff) return length
  const missing = start + size - length
  if (missing > 0) {
    const seconds = (bytes: number) => (bytes / format.frameBytes / format.rate).toFixed(1)
    throw new WavError(`is cut off: its header promises ${seconds(size)} seconds, ${seconds(size - missing)} are there`)
  }
  return start + size
}

function formatOf(view: DataView, start: number, size: number): Format {
  if (size < 16 || start + size > view.byteLength) throw new WavError('has a broken header: its format is cut off')
  const tag = view.getUint16(start, true)
  const channels = view.getUint16(start + 2, true)
  const rate = view.getUint32(start + 4, true)
  const frameBytes = view.getUint16(start + 12, true)
  const bits = view.getUint16(start + 14, true)
  if (channels < 1 || channels > channelsMax)
    throw new WavError(`has ${channels} channels, 1 to ${channelsMax} are taken`)
  if (rate < rateMin || rate > rateMax)
    throw new WavError(`has ${rate} samples per second, ${rateMin} to ${rateMax} are taken`)
  const sampleBytes = frameBytes / channels
  if (bits < 1 || sampleBytes !== Math.ceil(bits / 8))
    throw new WavError('has a broken header: its sample sizes contradict each other')
  // Extensible: the true format is at the beginning of the GUID at 24.
  const codec = tag === 0xff_fe && size >= 40 ? view.getUint16(start + 24, true) : tag
  const read = ownValue(readers, `${codec}/${sampleBytes}`)
  if (!read)
    throw new WavError(`has a coding that is not taken (number ${codec}, ${bits} bits): save it as PCM, 16 bit`)
  return { channels, rate, sampleBytes, frameBytes, read }
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

/** Mixes to mono before resampling: one filter run, and no channel is lost. */
function mixed(data: Uint8Array, format: Format, frames: number): Float64Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const mono = new Float64Array(frames)
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    for (let channel = 0; channel < format.channels; channel++) {
      const sample = format.read(view, frame * format.frameBytes + channel * format.sampleBytes)
      if (Number.isFinite(sample)) sum += Math.max(-1, Math.min(1, sample))
    }
    mono[frame] = sum / format.channels
  }
  return mono
}

export function durationMsOf(samples: number): number {
  return Math.max(1, Math.round((samples * 1000) / telephoneRate))
}

export const headerBytes = 44
export const bytesPerSample = 2

/** The header of a telephone sound whose samples take `size` bytes. */
export function headerOf(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(36 + size, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(telephoneRate, 24)
  bytes.writeUInt32LE(telephoneRate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(size, 40)
  return bytes
}

export function withHeader(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const size = samples.length * bytesPerSample
  const bytes = Buffer.alloc(headerBytes + size)
  bytes.set(headerOf(size))
  const littleEndian = new DataView(bytes.buffer, bytes.byteOffset + headerBytes, size)
  for (let n = 0; n < samples.length; n++) littleEndian.setInt16(n * 2, samples[n] ?? 0, true)
  return bytes
}

function fourCc(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
