/** Wav files as programs and people really leave them, with the value that is right. One table for the API, the console and their reader. */
import { severalRecordings } from '../sound/several.ts'

const rate = 8000

/** Seconds of a tone at half of full scale, 16 bit. */
function toneBytes(seconds: number, { channels = [0.5], rate: ofTone = rate } = {}): Uint8Array<ArrayBuffer> {
  const frames = Math.round(seconds * ofTone)
  const view = new DataView(new ArrayBuffer(frames * channels.length * 2))
  for (let n = 0; n < frames; n++)
    channels.forEach((amplitude, channel) => {
      const sample = Math.round(amplitude * 32_767 * Math.sin((2 * Math.PI * 700 * n) / ofTone))
      view.setInt16((n * channels.length + channel) * 2, sample, true)
    })
  return new Uint8Array(view.buffer)
}

const constant = (level: number, samples = 16_000) => new Uint8Array(new Int16Array(samples).fill(level).buffer)
const text = (word: string) => Uint8Array.from(word, (c) => c.charCodeAt(0))
const u32 = (number: number) => new Uint8Array(new Uint32Array([number]).buffer)

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

type Format = { tag?: number; channels?: number; rate?: number; frameBytes?: number; bits?: number }
function formatBody({ tag = 1, channels = 1, rate: of = rate, frameBytes = 2 * channels, bits = 16 }: Format = {}) {
  const view = new DataView(new ArrayBuffer(16))
  ;[tag, channels].forEach((number, n) => view.setUint16(n * 2, number, true))
  view.setUint32(4, of, true)
  view.setUint32(8, of * frameBytes, true)
  ;[frameBytes, bits].forEach((number, n) => view.setUint16(12 + n * 2, number, true))
  return new Uint8Array(view.buffer)
}

/** Without the byte of padding that an odd length needs. */
const bare = (id: string, body: Uint8Array, size = body.length) => joined(text(id), u32(size), body)
const chunk = (id: string, body: Uint8Array, size = body.length) =>
  joined(bare(id, body, size), new Uint8Array(body.length % 2))
const file = (...chunks: Uint8Array[]) => joined(text('RIFF'), u32(0x7fff_ffff), text('WAVE'), ...chunks)
const fmt = chunk('fmt ', formatBody())
const fmtOfStereo = chunk('fmt ', formatBody({ channels: 2 }))
const info = text('INFOISFT\x05\x00\x00\x00Lavf\x00')
const two = toneBytes(2)
const one = toneBytes(1)
const stereo = (left: number, right: number) =>
  file(chunk('fmt ', formatBody({ channels: 2 })), chunk('data', toneBytes(2, { channels: [left, right] })))
const rf64 = (form: string, dataSize: number, ...after: Uint8Array[]) =>
  joined(
    text(form),
    u32(0xffff_ffff),
    text('WAVE'),
    chunk('ds64', joined(u32(0), u32(0), u32(dataSize), u32(0), u32(rate * 2), u32(0), u32(0))),
    fmt,
    bare('data', two, 0xffff_ffff),
    ...after,
  )

/** Half is in phase, half is not, as when somebody joins two recordings. */
function halfOutOfPhase(): Uint8Array<ArrayBuffer> {
  const half = { channels: [0.5, 0.5] }
  const data = joined(toneBytes(1, half), toneBytes(1, { channels: [0.5, -0.5] }))
  return file(chunk('fmt ', formatBody({ channels: 2 })), chunk('data', data))
}

const outOfPhaseNote = 'The channels of the file cancel each other out: one of them was taken'

/** Of a name: a file in server/src/testing/files. `level`: of the whole sound, root mean square, where it is that of `toneBytes`. */
export type ReadCase = {
  why: string
  bytes: Uint8Array<ArrayBuffer> | string
  seconds: number
  level?: number
  notes?: string[]
}

const toneLevel = 0.5 / Math.SQRT2
const whole = { seconds: 2, level: toneLevel }
export const readCases: readonly ReadCase[] = [
  { why: 'espeak --stdout leaves 0x7FFFF000', bytes: '28-espeak-stdout.wav', seconds: 2.055 },
  { why: 'an odd chunk without its byte of padding', bytes: '30-odd-unpadded.wav', seconds: 3 },
  { why: 'both channels cancel each other out', bytes: '32-out-of-phase.wav', seconds: 3, notes: [outOfPhaseNote] },

  { why: 'a size of 0', bytes: file(fmt, bare('data', two, 0)), ...whole },
  { why: 'a size of 0xFFFFFFFF', bytes: file(fmt, bare('data', two, 0xffff_ffff)), ...whole },
  { why: 'a size of 0x7FFFFFFF', bytes: file(fmt, bare('data', two, 0x7fff_ffff)), ...whole },
  {
    why: 'a size of 0x7FFFF000 after a LIST',
    bytes: file(fmt, chunk('LIST', info), bare('data', two, 0x7fff_f000)),
    ...whole,
  },
  { why: 'a size of 0x80000000', bytes: file(fmt, bare('data', two, 0x8000_0000)), ...whole },
  {
    why: 'a size of 0xFFFFFFDB, counted back from the end',
    bytes: file(fmt, bare('data', two, 0xffff_ffdb)),
    ...whole,
  },
  {
    why: 'a size that is longer than the file',
    bytes: file(fmt, bare('data', two, 64_000)),
    ...whole,
    notes: ['The file is cut off: its header promises 4.0 seconds, 2.0 are there'],
  },
  {
    why: 'a size that is a little longer, by a header that counts itself',
    bytes: file(fmt, bare('data', two, 32_044)),
    ...whole,
  },
  {
    why: 'a size that is shorter than the file, because the recorder crashed',
    bytes: file(fmt, bare('data', two, 1024)),
    ...whole,
  },
  { why: 'a size that is shorter and odd', bytes: file(fmt, bare('data', two, 1023)), ...whole },
  {
    why: 'chunks after the sound',
    bytes: file(fmt, chunk('data', two), chunk('LIST', info), chunk('id3 ', text('ID3xxx'))),
    ...whole,
  },
  {
    why: 'a chunk after the sound that is cut off',
    bytes: file(fmt, chunk('data', two), chunk('LIST', info, 9000)),
    ...whole,
  },
  { why: 'an unknown chunk after the sound', bytes: file(fmt, chunk('data', two), chunk('afsp', info)), ...whole },
  {
    why: 'sound in two chunks',
    bytes: file(fmt, chunk('data', one), chunk('LIST', info), chunk('data', one)),
    ...whole,
  },
  {
    why: 'two files one behind the other, as speech services stream them',
    bytes: joined(file(fmt, chunk('data', one)), file(fmt, chunk('data', one))),
    ...whole,
  },
  {
    why: 'two files one behind the other, both from a pipe',
    bytes: joined(file(fmt, bare('data', one, 0xffff_ffff)), file(fmt, bare('data', one, 0))),
    ...whole,
  },
  {
    why: 'two files one behind the other, the first of which is cut off',
    bytes: joined(file(fmt, bare('data', one, 32_000)), file(fmt, chunk('data', one))),
    ...whole,
    notes: ['The file is cut off: its header promises 3.0 seconds, 2.0 are there'],
  },
  {
    why: 'two files, and a size in the first header that counts both',
    bytes: joined(file(fmt, bare('data', one, 32_044)), file(fmt, chunk('data', one))),
    ...whole,
  },
  {
    why: 'two files with other bytes between them',
    bytes: joined(file(fmt, chunk('data', one), chunk('LIST', info)), text('\r\n'), file(fmt, chunk('data', one))),
    ...whole,
  },
  {
    why: 'two files, behind a LIST that claims more than the first',
    bytes: joined(file(fmt, chunk('data', one), chunk('LIST', info, 9000)), file(fmt, chunk('data', one))),
    ...whole,
  },
  {
    why: 'two files whose formats are written in two ways',
    bytes: joined(
      file(fmt, chunk('data', one)),
      file(chunk('fmt ', joined(formatBody(), new Uint8Array(2))), chunk('data', one)),
    ),
    ...whole,
  },
  {
    why: 'another file of another format behind it that has no sound',
    bytes: joined(file(fmt, chunk('data', two)), file(fmtOfStereo, chunk('data', new Uint8Array(0)))),
    ...whole,
  },
  {
    why: 'an ID3v2 tag after the sound',
    bytes: file(fmt, chunk('data', two), text('ID3\x04\0\0\0\0\x10\0'), new Uint8Array(2048).fill(0x7f)),
    ...whole,
  },
  {
    why: 'an APE tag after the sound',
    bytes: file(fmt, chunk('data', two), text('APETAGEX'), new Uint8Array(2048).fill(0x7f)),
    ...whole,
  },
  {
    why: 'an ID3v1 tag after the sound',
    bytes: file(fmt, chunk('data', two), text('TAGGreeting'.padEnd(128, ' '))),
    ...whole,
  },

  {
    why: 'an odd chunk with its padding',
    bytes: file(fmt, chunk('LIST', info.subarray(0, 13)), chunk('data', two)),
    ...whole,
  },
  {
    why: 'an odd chunk without padding before a LIST',
    bytes: file(fmt, bare('_PMX', text('xml')), chunk('LIST', info), chunk('data', two)),
    ...whole,
  },
  {
    why: 'an odd chunk whose padding is not zero',
    bytes: file(fmt, bare('bext', text('xyz')), text('Q'), chunk('data', two)),
    ...whole,
  },
  {
    why: 'two odd chunks without padding, one before the format',
    bytes: file(bare('JUNK', text('x')), fmt, bare('iXML', text('<a/>!')), chunk('data', two)),
    ...whole,
  },
  {
    why: 'an odd size of sound, unpadded before a LIST',
    bytes: file(fmt, bare('data', joined(two, text('x'))), chunk('LIST', info)),
    ...whole,
  },
  {
    why: 'a chunk padded to four bytes',
    bytes: file(fmt, joined(chunk('LIST', info), new Uint8Array(2)), chunk('data', two)),
    ...whole,
  },
  {
    why: 'a LIST that claims more than the file',
    bytes: file(fmt, chunk('LIST', info, 0x0100_0000), chunk('data', two)),
    ...whole,
  },
  {
    why: 'a format that claims more than the file',
    bytes: file(chunk('fmt ', formatBody(), 0xffff_fff0), chunk('data', two)),
    ...whole,
  },

  { why: 'RF64', bytes: rf64('RF64', two.length), ...whole },
  {
    why: 'BW64 with its chunks after the sound',
    bytes: rf64('BW64', two.length, chunk('axml', text('<xml>'))),
    ...whole,
  },
  { why: 'RF64 whose size was never written', bytes: rf64('RF64', 0), ...whole },
  {
    why: 'RF64 with sizes of 32 bits',
    bytes: joined(text('RF64'), file(fmt, chunk('data', two)).subarray(4)),
    ...whole,
  },

  { why: 'out of phase, one channel quieter', bytes: stereo(-0.3, 0.5), ...whole, notes: [outOfPhaseNote] },
  { why: 'out of phase in half of the file', bytes: halfOutOfPhase(), ...whole, notes: [outOfPhaseNote] },
  {
    why: 'four channels, in two pairs out of phase',
    bytes: file(
      chunk('fmt ', formatBody({ channels: 4 })),
      chunk('data', toneBytes(2, { channels: [0.5, -0.5, 0.4, -0.4] })),
    ),
    ...whole,
    notes: [outOfPhaseNote],
  },
  { why: 'in phase', bytes: stereo(0.5, 0.5), ...whole },
  { why: 'one channel silent', bytes: stereo(0.5, 0), seconds: 2, level: toneLevel / 2 },
]

const coded = (tag: number) => file(chunk('fmt ', formatBody({ tag, frameBytes: 65, bits: 0 })), chunk('data', two))
const asPcm = (name: string) => `is coded as ${name}, which is not taken: save it as PCM, 16 bit`
const silent = 'holds nothing but silence'
const faster = chunk('fmt ', formatBody({ rate: 16_000 }))
export const refusedCases: readonly { why: string; bytes: Uint8Array<ArrayBuffer> | string; words: string }[] = [
  { why: 'GSM', bytes: '29-sox-gsm.wav', words: asPcm('GSM 6.10') },
  { why: 'Microsoft ADPCM', bytes: coded(0x02), words: asPcm('Microsoft ADPCM') },
  { why: 'IMA ADPCM', bytes: coded(0x11), words: asPcm('IMA ADPCM') },
  { why: 'MP3 in a wav', bytes: coded(0x55), words: asPcm('MP3') },
  { why: 'G.722 in a wav', bytes: coded(0x65), words: asPcm('G.722 ADPCM') },
  { why: 'AAC in a wav', bytes: coded(0xff), words: asPcm('AAC') },
  { why: 'AMR in a wav', bytes: coded(0x57), words: asPcm('AMR') },
  { why: 'AMR-WB in a wav', bytes: coded(0x7a22), words: asPcm('AMR') },
  { why: 'G.726 in a wav', bytes: coded(0x45), words: asPcm('G.726 ADPCM') },
  {
    why: 'a file of another format behind it',
    bytes: joined(file(fmt, chunk('data', two)), file(fmtOfStereo, chunk('data', one))),
    words: severalRecordings,
  },
  {
    why: 'a file of another rate behind one from a pipe',
    bytes: joined(file(fmt, bare('data', two, 0xffff_ffff)), file(faster, bare('data', one, 0xffff_ffff))),
    words: severalRecordings,
  },
  {
    why: 'a file of another format behind a LIST and other bytes',
    bytes: joined(
      file(fmt, chunk('data', two), chunk('LIST', info, 9000)),
      text('\0\0\0'),
      file(fmtOfStereo, chunk('data', one)),
    ),
    words: severalRecordings,
  },
  {
    why: 'a file of another coding behind it',
    bytes: joined(file(fmt, chunk('data', two)), coded(0x31)),
    words: severalRecordings,
  },
  {
    why: 'RF64 with a file of another format behind it',
    bytes: joined(rf64('RF64', two.length), file(fmtOfStereo, chunk('data', one))),
    words: severalRecordings,
  },
  {
    why: 'a third file of another format',
    bytes: joined(file(fmt, chunk('data', one)), file(fmt, chunk('data', one)), file(faster, chunk('data', one))),
    words: severalRecordings,
  },
  {
    why: 'a coding that nobody knows',
    bytes: coded(0x7777),
    words: 'has a coding that is not taken (number 30583, 0 bits): save it as PCM, 16 bit',
  },
  { why: 'nothing but zeros', bytes: file(fmt, chunk('data', new Uint8Array(32_000))), words: silent },
  {
    why: 'nothing but the noise of a converter',
    bytes: file(fmt, chunk('data', toneBytes(2, { channels: [0.0008] }))),
    words: silent,
  },
  {
    why: 'silence of 8 bit, which is no zero',
    bytes: file(chunk('fmt ', formatBody({ frameBytes: 1, bits: 8 })), chunk('data', new Uint8Array(16_000).fill(128))),
    words: silent,
  },
  { why: 'silence beside the zero of the converter', bytes: file(fmt, chunk('data', constant(300))), words: silent },
  {
    why: 'the same at 44,100 samples a second',
    bytes: file(chunk('fmt ', formatBody({ rate: 44_100 })), chunk('data', constant(-300, 88_200))),
    words: silent,
  },
  { why: 'a silent stereo file', bytes: stereo(0, 0), words: silent },
  {
    why: 'a size of 0 that is true',
    bytes: file(fmt, chunk('data', new Uint8Array(0))),
    words: 'holds no sound: it is shorter than 0.1 seconds',
  },
  {
    why: 'a size of 0 before other chunks',
    bytes: file(fmt, chunk('data', new Uint8Array(0)), chunk('LIST', info)),
    words: 'holds no sound: it is shorter than 0.1 seconds',
  },
  {
    why: 'a LIST that is cut off and speaks of data',
    bytes: file(fmt, chunk('LIST', text('INFO all data belongs to us'), 9000)),
    words: 'has a broken header: there is no sound in it',
  },
]
