import { soundKindOf } from '@ghanti/callflow/sound/kinds.ts'
import { telephoneRate, toTelephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { fourCc } from '@ghanti/callflow/sound/riff.ts'
import { heardPowers } from '@ghanti/callflow/sound/silence.ts'
import { notesOf, readWav, WavError } from '@ghanti/callflow/sound/wav.ts'

/** A sound as telephones carry it (8 kHz, mono, 16 bit), with its RIFF header. */
export type TelephoneWav = { bytes: Uint8Array<ArrayBuffer>; durationMs: number }
/** One of a file. `notes`: what its sender should know, each a sentence. */
export type ConvertedWav = TelephoneWav & { notes: string[] }

export const wavTypes = ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave']

/** The MIME type, by its content, of a file that people may take for a wav. */
export function detectedType(bytes: Uint8Array): string {
  const kind = soundKindOf(bytes)
  if (kind) return kind.type
  const magic = fourCc(bytes, 0)
  if (magic.startsWith('PK')) return 'application/zip'
  return magic === '%PDF' ? 'application/pdf' : 'application/octet-stream'
}

/** Converts any usual wav file. Throws WavError. A large file takes about a second of processor time, so this belongs in a worker thread. */
export function toTelephone(file: Uint8Array, secondsMax: number): ConvertedWav {
  const sound = readWav(file, secondsMax)
  const resampled = toTelephoneRate(sound.samples, sound.rate)
  if (heardPowers(resampled).length === 0) throw new WavError('holds nothing but silence')
  const samples = Int16Array.from(resampled, (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))),
  )
  return { bytes: withHeader(samples), durationMs: durationMsOf(samples.length), notes: notesOf(sound) }
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
