import { refusedCases, readCases } from '@ghanti/callflow/testing/wav-cases.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WaveFile } from '../testing/files/wave-file.ts'
import { isWav } from '@ghanti/callflow/sound/riff.ts'
import { WavError } from '@ghanti/callflow/sound/wav.ts'
import { detectedType, toTelephone } from './wav.ts'

const secondsMax = 180

function tone(rate: number, hertz: number, seconds = 0.5, amplitude = 0.5): Float64Array {
  return Float64Array.from(
    { length: Math.round(rate * seconds) },
    (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate),
  )
}

/** A file as another program writes it. `depth` in wavefile's words: '8', '16', '24', '32', '32f', '64', '8a', '8m'. */
function recorded(depth: string, rate: number, channels: Float64Array[]): Uint8Array {
  const wav = new WaveFile()
  const pcm = depth === '8a' || depth === '8m' ? '16' : depth
  const scale = pcm === '32f' || pcm === '64' ? 1 : 2 ** (Number(pcm) - 1) - 1
  const coded = channels.map((samples) =>
    samples.map((s) => (scale === 1 ? s : pcm === '8' ? Math.round(s * scale) + 128 : Math.round(s * scale))),
  )
  wav.fromScratch(channels.length, rate, pcm, coded.length === 1 ? (coded[0] ?? []) : coded)
  if (depth === '8a') wav.toALaw()
  if (depth === '8m') wav.toMuLaw()
  return wav.toBuffer()
}

/** The samples of a telephone wav, 50 ms cut off at both ends, where filters ring. */
function heard(bytes: Uint8Array): number[] {
  const wav = new WaveFile(bytes)
  expect(wav.fmt).toMatchObject({ audioFormat: 1, numChannels: 1, sampleRate: 8000, bitsPerSample: 16 })
  return Array.from(wav.getSamples(true), (s) => s / 32_768).slice(400, -400)
}

const rms = (samples: number[]) => Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length)
const toneRms = 0.5 / Math.SQRT2

test.each([
  ['8', 8000],
  ['16', 8000],
  ['24', 44_100],
  ['32', 48_000],
  ['32f', 22_050],
  ['64', 16_000],
  ['8a', 8000],
  ['8m', 11_025],
  ['16', 4000],
  ['16', 192_000],
])('a tone in %s bit at %i Hz is heard as it was recorded', (depth, rate) => {
  const { bytes, durationMs } = toTelephone(recorded(depth, rate, [tone(rate, 700)]), secondsMax)
  expect(durationMs).toBeGreaterThanOrEqual(499)
  expect(durationMs).toBeLessThanOrEqual(501)
  expect(rms(heard(bytes))).toBeCloseTo(toneRms, 1)
})

test('what a telephone cannot carry is filtered out, not folded back as a wrong tone', () => {
  const { bytes } = toTelephone(recorded('16', 44_100, [tone(44_100, 6000)]), secondsMax)
  expect(rms(heard(bytes))).toBeLessThan(toneRms / 1000)
})

test('both channels of a stereo file are heard', () => {
  const { bytes } = toTelephone(recorded('16', 8000, [tone(8000, 700), new Float64Array(4000)]), secondsMax)
  expect(rms(heard(bytes))).toBeCloseTo(toneRms / 2, 2)
})

/** A RIFF file built by hand, for what wavefile does not write. */
function riff(format: Buffer, data: Buffer, more: Buffer[] = [], dataSize = data.length): Buffer {
  const chunk = (id: string, body: Buffer, size = body.length) => {
    const head = Buffer.alloc(8)
    head.write(id, 'latin1')
    head.writeUInt32LE(size, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  }
  const body = Buffer.concat([Buffer.from('WAVE'), ...more, chunk('fmt ', format), chunk('data', data, dataSize)])
  return chunk('RIFF', body)
}

function format(
  f: { tag?: number; channels?: number; rate?: number; frameBytes?: number; bits?: number; guid?: number } = {},
): Buffer {
  const bytes = Buffer.alloc(f.guid === undefined ? 16 : 40)
  bytes.writeUInt16LE(f.tag ?? 1, 0)
  bytes.writeUInt16LE(f.channels ?? 1, 2)
  bytes.writeUInt32LE(f.rate ?? 8000, 4)
  bytes.writeUInt16LE(f.frameBytes ?? 2, 12)
  bytes.writeUInt16LE(f.bits ?? 16, 14)
  if (f.guid !== undefined) bytes.writeUInt16LE(f.guid, 24)
  return bytes
}

const second = Buffer.from(Int16Array.from({ length: 8000 }, (_, n) => 9000 * Math.sin(n / 3)).buffer)

test('an extensible file is read by the format inside its GUID', () => {
  const floats = Buffer.alloc(16_000)
  tone(8000, 700).forEach((sample, i) => floats.writeFloatLE(sample, i * 4))
  const { bytes } = toTelephone(riff(format({ tag: 0xff_fe, frameBytes: 4, bits: 32, guid: 3 }), floats), secondsMax)
  expect(rms(heard(bytes))).toBeCloseTo(toneRms, 3)
})

test('chunks that are not ours are stepped over, odd lengths and nested lists too', () => {
  const list = Buffer.from('LIST\x05\x00\x00\x00INFO\x01\x00LIST\x04\x00\x00\x00LIST', 'latin1')
  expect(toTelephone(riff(format(), second, [list]), secondsMax).durationMs).toBe(1000)
})

test('a recording from a pipe, whose size was never known, is read to its end', () => {
  expect(toTelephone(riff(format(), second, [], 0xff_ff_ff_ff), secondsMax).durationMs).toBe(1000)
})

test.each([
  ['no format', Buffer.from('RIFF\x04\x00\x00\x00WAVE', 'latin1'), 'no format'],
  ['no sound', riff(format(), Buffer.alloc(0)).subarray(0, 36), 'there is no sound'],
  ['zero length', riff(format(), Buffer.alloc(0)), 'holds no sound'],
  ['a cut format', Buffer.concat([riff(format(), second).subarray(0, 30)]), 'its format is cut off'],
  [
    'sound before the format',
    riff(format(), second, [Buffer.from('data\x00\x00\x00\x00', 'latin1')]),
    'no format before',
  ],
  ['a sample a second', riff(format({ rate: 1 }), second), '1 samples per second'],
  ['four billion samples a second', riff(format({ rate: 0xff_ff_ff_ff }), second), '4294967295 samples per second'],
  ['no channels', riff(format({ channels: 0 }), second), '0 channels'],
  ['contradicting sizes', riff(format({ frameBytes: 3 }), second), 'contradict'],
  ['no bits', riff(format({ bits: 0, frameBytes: 0 }), second), 'contradict'],
  [
    'MP3 inside a wav',
    riff(format({ tag: 85, frameBytes: 1, bits: 8 }), second),
    'is coded as MP3, which is not taken',
  ],
  ['too long', riff(format({ rate: 4000, frameBytes: 1, bits: 8 }), Buffer.alloc(4000 * 181)), '181 seconds long'],
])('refused with words: %s', (_, bytes, words) => {
  expect(() => toTelephone(bytes, secondsMax)).toThrow(WavError)
  expect(() => toTelephone(bytes, secondsMax)).toThrow(words)
})

const bytesOf = (bytes: Uint8Array | string) =>
  typeof bytes === 'string' ? readFileSync(new URL(`../testing/files/${bytes}`, import.meta.url)) : bytes

test.each(readCases)('read to its last byte: $why', ({ bytes, seconds, level, notes = [] }) => {
  const wav = toTelephone(bytesOf(bytes), secondsMax)
  expect(wav.durationMs).toBe(Math.round(seconds * 1000))
  expect(wav.notes).toEqual(notes)
  if (level !== undefined) expect(rms(heard(wav.bytes))).toBeCloseTo(level, 2)
  else expect(rms(heard(wav.bytes))).toBeGreaterThan(0.05)
})

test.each(refusedCases)('refused by what it is: $why', ({ bytes, words }) => {
  expect(() => toTelephone(bytesOf(bytes), secondsMax)).toThrow(new WavError(words))
})

/** The start of a file of the MP4 family with one track of a coding. */
function mp4(brand: string, coding: string): string {
  const box = (name: string, body: string) => `\x00\x00\x00${String.fromCharCode(body.length + 8)}${name}${body}`
  const described = box('stsd', `\x00\x00\x00\x00\x00\x00\x00\x01${box(coding, '')}`)
  const track = ['stbl', 'minf', 'mdia', 'trak', 'moov'].reduce((body, name) => box(name, body), described)
  return box('ftyp', brand) + box('mdat', 'moov trak alac') + track
}

test.each([
  [mp4('M4A ', 'mp4a'), 'audio/mp4'],
  [mp4('M4A ', 'alac'), 'audio/mp4 (ALAC)'],
  [mp4('3gp4', 'samr'), 'audio/3gpp (AMR)'],
  [mp4('3gp5', 'sawb'), 'audio/3gpp (AMR-WB)'],
  [mp4('3g2a', 'mp4a'), 'audio/3gpp2'],
  [mp4('M4A ', 'alac').slice(0, -1), 'audio/mp4'],
  ['\x00\x00\x00\x18ftyp3gp4\x00\x00\x00\x00', 'audio/3gpp'],
  ['caff\x00\x01', 'audio/x-caf'],
  ['0&\xb2u\x8ef', 'audio/x-ms-wma'],
  ['riff.\x91\xcf\x11', 'audio/x-w64'],
  ['RIFX\x00\x00\x00\x00WAVE', 'audio/wav (big-endian)'],
  ['ID3\x04', 'audio/mpeg'],
  ['\xff\xfb\x90\x00', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['\x00\x00\x00\x20ftypM4A ', 'audio/mp4'],
  ['hello', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j is %s', (text, type) => {
  const bytes = Buffer.from(text, 'latin1')
  expect(isWav(bytes)).toBe(false)
  expect(detectedType(bytes)).toBe(type)
})
