/** Sounds of each usual kind, written byte by byte, because tests have no encoder. All but the flac are silent. */

function filled(parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** MPEG-2 layer III, 8 kbit/s, 16 kHz, mono: 36 ms a frame. */
export function mp3File(seconds: number): File {
  return new File([mp3Frames(seconds)], 'Long talk.mp3', { type: 'audio/mpeg' })
}

/** `isFaster`: at 22.05 kHz; `isStereo`: of two channels. */
export function mp3Frames(seconds: number, { isFaster = false, isStereo = false } = {}): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(isFaster ? 26 : 36)
  frame.set([0xff, 0xf3, isFaster ? 0x10 : 0x18, isStereo ? 0x04 : 0xc4])
  const frames = Math.round((seconds * (isFaster ? 22_050 : 16_000)) / 576)
  return filled(Array.from({ length: frames }, () => frame))
}

const flacBlock = 4096
const flacRate = 16_000

/** FLAC without compression: verbatim subframes of 16 bits, mono, 16 kHz. */
export function flacFile(name: string, samples: Int16Array): File {
  const parts: Uint8Array[] = [filled([[0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34], streamInfo(samples.length)])]
  for (let n = 0; n * flacBlock < samples.length; n += 1)
    parts.push(flacFrame(n, samples.subarray(n * flacBlock, (n + 1) * flacBlock)))
  return new File([filled(parts)], name, { type: 'audio/flac' })
}

function streamInfo(samples: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(34))
  view.setUint16(0, flacBlock)
  view.setUint16(2, flacBlock)
  // 20 bits of rate, 3 of channels - 1, 5 of bits - 1, 36 of samples.
  view.setUint32(10, ((flacRate << 12) | (15 << 4)) >>> 0)
  view.setUint32(14, samples)
  return new Uint8Array(view.buffer)
}

function flacFrame(number: number, samples: Int16Array): Uint8Array {
  const header = [
    0xff,
    0xf8,
    0x75,
    0x08,
    ...utf8Number(number),
    ((samples.length - 1) >> 8) & 255,
    (samples.length - 1) & 255,
  ]
  const body = new DataView(new ArrayBuffer(1 + samples.length * 2))
  body.setUint8(0, 0b0000_0010)
  samples.forEach((sample, n) => body.setInt16(1 + n * 2, sample))
  const frame = filled([header, [crc(header, 8, 0x07)], new Uint8Array(body.buffer)])
  const sum = crc(frame, 16, 0x8005)
  return filled([frame, [sum >> 8, sum & 255]])
}

function utf8Number(value: number): number[] {
  return value < 0x80 ? [value] : [0xc0 | (value >> 6), 0x80 | (value & 0x3f)]
}

function crc(bytes: Iterable<number>, bits: number, polynomial: number): number {
  const top = 1 << (bits - 1)
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << (bits - 8)
    for (let n = 0; n < 8; n += 1)
      sum = sum & top ? ((sum << 1) ^ polynomial) & (2 ** bits - 1) : (sum << 1) & (2 ** bits - 1)
  }
  return sum
}

/** Ogg with Opus packets of silence, 20 ms each. */
export function oggFile(seconds: number): File {
  const text = (word: string) => [...word].map((c) => c.charCodeAt(0))
  const head = [...text('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]
  const tags = [...text('OpusTags'), 4, 0, 0, 0, ...text('test'), 0, 0, 0, 0]
  const packets = Math.round(seconds * 50)
  const pages = [oggPage(0, 2, 0, [head]), oggPage(1, 0, 0, [tags])]
  for (let from = 0; from < packets; from += 50) {
    const some = Array.from({ length: Math.min(50, packets - from) }, () => [0xf8, 0xff, 0xfe])
    const end = from + some.length
    pages.push(oggPage(pages.length, end === packets ? 4 : 0, end * 960, some))
  }
  return new File([filled(pages)], 'Thanks.ogg', { type: 'audio/ogg' })
}

function oggPage(number: number, flags: number, position: number, packets: readonly number[][]): Uint8Array {
  const header = new DataView(new ArrayBuffer(27))
  ;[...'OggS'].forEach((c, n) => header.setUint8(n, c.charCodeAt(0)))
  header.setUint8(5, flags)
  header.setUint32(6, position, true)
  header.setUint32(14, 7, true)
  header.setUint32(18, number, true)
  header.setUint8(26, packets.length)
  const page = filled([new Uint8Array(header.buffer), packets.map(({ length }) => length), ...packets])
  new DataView(page.buffer).setUint32(22, oggSum(page), true)
  return page
}

function oggSum(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum = (sum ^ (byte << 24)) >>> 0
    for (let n = 0; n < 8; n += 1) sum = (sum & 0x8000_0000 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1) >>> 0
  }
  return sum
}

/** As old telephones record; no browser reads it. */
export function amrFile(): File {
  return new File(['#!AMR\n', new Uint8Array(500)], 'Menu.amr', { type: 'audio/amr' })
}

/** A container of the MP4 family with one track of a coding and no sound. */
export function mp4File(brand: string, coding: string): File {
  const box = (name: string, body: string) => `\0\0\0${String.fromCharCode(body.length + 8)}${name}${body}`
  const described = box('stsd', `\0\0\0\0\0\0\0\u0001${box(coding, '')}`)
  const track = ['stbl', 'minf', 'mdia', 'trak', 'moov'].reduce((body, name) => box(name, body), described)
  return new File([box('ftyp', brand) + track], 'Memo.m4a', { type: 'audio/mp4' })
}
