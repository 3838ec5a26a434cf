import { logoPixelsMax, logoPixelsMin } from '@ghanti/contract/brands.ts'

export const logoEnding = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp', 'image/gif': 'gif' } as const
export type LogoType = keyof typeof logoEnding

export function isLogoType(type: string): type is LogoType {
  return Object.hasOwn(logoEnding, type)
}

/** Null when a required part is missing. `misfit`: it contains a picture larger than itself, which a browser would unpack. */
type Size = { width: number; height: number; misfit?: true } | null

const text = (bytes: Buffer, start: number, length: number) => bytes.toString('latin1', start, start + length)

/** In pixels. */
type Logo = { type: LogoType; width: number; height: number }

/**
 * Identifies a picture by its bytes: one of four formats without scripts, complete and of limited size, so that no browser is made to
 * unpack a huge one. Null: none of the four.
 */
export function logoOf(bytes: Buffer): Logo | { type: LogoType; wrong: string } | null {
  const type = kindOf(bytes)
  if (!type) return null
  const size = sizeOf[type](bytes)
  if (!size) return { type, wrong: 'is damaged or cut off' }
  const { width, height, misfit } = size
  if (misfit) return { type, wrong: 'holds a picture that does not fit into its own size' }
  if (Math.min(width, height) < logoPixelsMin || Math.max(width, height) > logoPixelsMax)
    return { type, wrong: `is ${width} × ${height} pixels, ${logoPixelsMin} to ${logoPixelsMax} a side are taken` }
  return { type, width, height }
}

/** What may precede the svg element, and how each ends. */
const svgPreambles = [
  { begins: '<?xml', ends: '>' },
  { begins: '<!--', ends: '-->' },
  { begins: '<!doctype svg', ends: '>' },
] as const

/** SVG is the unaccepted format that people upload most often. Looks at each byte once. */
export function isSvg(bytes: Buffer): boolean {
  const head = text(bytes, 0, 4096).toLowerCase()
  let at = head.startsWith('\xef\xbb\xbf') ? 3 : 0
  for (;;) {
    while (/^\s$/.test(head[at] ?? '')) at++
    const preamble = svgPreambles.find(({ begins }) => head.startsWith(begins, at))
    if (!preamble) return head.startsWith('<svg', at) && /^[\s>/]$/.test(head[at + 4] ?? '')
    const end = head.indexOf(preamble.ends, at + preamble.begins.length)
    if (end < 0) return false
    at = end + preamble.ends.length
  }
}

function kindOf(bytes: Buffer): LogoType | null {
  if (text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (text(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'image/gif'
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP') return 'image/webp'
  return null
}

const sizeOf: Record<LogoType, (bytes: Buffer) => Size> = {
  'image/png': sizeOfPng,
  'image/jpeg': sizeOfJpeg,
  'image/gif': sizeOfGif,
  'image/webp': sizeOfWebp,
}

/** Chunks from IHDR to IEND, with pixel data between them. */
function sizeOfPng(bytes: Buffer): Size {
  if (bytes.length < 33 || text(bytes, 12, 4) !== 'IHDR' || bytes.readUInt32BE(8) !== 13) return null
  let pixels = false
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = text(bytes, at + 4, 4)
    if (name === 'IDAT') pixels = true
    if (name === 'IEND') return pixels ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null
  }
  return null
}

/** Segments up to the first frame header, which has the size; the scan after it ends with the end marker. */
function sizeOfJpeg(bytes: Buffer): Size {
  let size: Size = null
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1 // padding
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame && at + 9 <= bytes.length)
      size ??= { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    if (marker === 0xda) return bytes.indexOf('\xff\xd9', at, 'latin1') > 0 ? size : null
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return null
}

type Frame = { left: number; top: number; width: number; height: number }
const fits = (frame: Frame, width: number, height: number): boolean =>
  frame.left + frame.width <= width && frame.top + frame.height <= height

/** The bytes of a colour table; `packed` holds its length. */
const colourBytes = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

/** Blocks in sequence: extensions and frames, each with pieces of at most 255 bytes, up to the trailer. */
function sizeOfGif(bytes: Buffer): Size {
  if (bytes.length < 14) return null
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  let [frames, misfits] = [0, 0]
  let at = 13 + colourBytes(bytes[10] ?? 0)
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) return frames === 0 ? null : { width, height, ...(misfits > 0 && { misfit: true }) }
    if (kind === 0x21) at += 2
    else if (kind === 0x2c && at + 10 < bytes.length) {
      const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)]
      const frame = { left, top, width: bytes.readUInt16LE(at + 5), height: bytes.readUInt16LE(at + 7) }
      frames++
      if (!fits(frame, width, height)) misfits++
      at += 11 + colourBytes(bytes[at + 9] ?? 0) // the byte after the colours says how the pieces are packed
    } else return null
    for (let length = bytes[at++] ?? 0; length > 0; length = bytes[at++] ?? 0) at += length
  }
  return null
}

/**
 * Lossy, lossless and extended files have their size in different places. An extended one contains one of the others, or frames that do.
 */
function sizeOfWebp(bytes: Buffer): Size {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return null
  const kind = text(bytes, 12, 4)
  if (kind !== 'VP8X') return sizeOfChunk(bytes, 12)
  const [width, height] = [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  const found = partsOfWebp(bytes, 30, bytes.length)
  if (!found || found.length === 0) return null
  return { width, height, ...(!found.every((frame) => fits(frame, width, height)) && { misfit: true as const }) }
}

/** The pictures between two positions and the canvas that each needs; null when a chunk is truncated. Frames contain no frames. */
function partsOfWebp(bytes: Buffer, from: number, to: number, isFrame = false): Frame[] | null {
  const parts: Frame[] = []
  for (let at = from; at + 8 <= to;) {
    const kind = text(bytes, at, 4)
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    if (end > to) return null
    if (kind === 'VP8 ' || kind === 'VP8L') {
      const size = sizeOfChunk(bytes, at)
      if (!size) return null
      parts.push({ left: 0, top: 0, ...size })
    }
    if (kind === 'ANMF' && !isFrame && end >= at + 24) {
      const frame = {
        left: 2 * bytes.readUIntLE(at + 8, 3),
        top: 2 * bytes.readUIntLE(at + 11, 3),
        width: bytes.readUIntLE(at + 14, 3) + 1,
        height: bytes.readUIntLE(at + 17, 3) + 1,
      }
      const inner = partsOfWebp(bytes, at + 24, end, true)
      if (!inner || inner.length === 0) return null
      // A picture larger than its frame counts with its own size.
      for (const { width, height } of inner)
        parts.push({ ...frame, width: Math.max(frame.width, width), height: Math.max(frame.height, height) })
    }
    at = end + (end % 2)
  }
  return parts
}

/** Null for another chunk or a broken one. */
function sizeOfChunk(bytes: Buffer, at: number): { width: number; height: number } | null {
  const kind = text(bytes, at, 4)
  if (kind === 'VP8 ' && at + 18 <= bytes.length && text(bytes, at + 11, 3) === '\x9d\x01\x2a')
    return { width: bytes.readUInt16LE(at + 14) & 0x3fff, height: bytes.readUInt16LE(at + 16) & 0x3fff }
  if (kind === 'VP8L' && at + 13 <= bytes.length && bytes[at + 8] === 0x2f) {
    const packed = bytes.readUInt32LE(at + 9)
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 }
  }
  return null
}
