import { logoPixelsMax, logoPixelsMin } from '@ghanti/contract/brands.ts'

export const logoEnding = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp', 'image/gif': 'gif' } as const
export type LogoType = keyof typeof logoEnding

export function isLogoType(type: string): type is LogoType {
  return type in logoEnding
}

/** Width and height; null when what must be there is not. */
type Size = { width: number; height: number } | null

const text = (bytes: Buffer, start: number, length: number) => bytes.toString('latin1', start, start + length)

/**
 * What a picture is by its own bytes: one of four kinds that hold no script, whole, and of bounded size, so that nobody's browser is made to
 * unpack an enormous one. Null: none of the four.
 */
export function logoOf(bytes: Buffer): { type: LogoType } | { type: LogoType; wrong: string } | null {
  const type = kindOf(bytes)
  if (!type) return null
  const size = sizeOf[type](bytes)
  if (!size) return { type, wrong: 'is damaged or cut off' }
  const { width, height } = size
  if (Math.min(width, height) < logoPixelsMin || Math.max(width, height) > logoPixelsMax)
    return { type, wrong: `is ${width} × ${height} pixels, ${logoPixelsMin} to ${logoPixelsMax} a side are taken` }
  return { type }
}

/** What may stand before a drawing's own element, and how it ends. */
const svgPreambles = [
  { begins: '<?xml', ends: '>' },
  { begins: '<!--', ends: '-->' },
  { begins: '<!doctype svg', ends: '>' },
] as const

/** A drawing as text: what people take for a picture more than anything else that is none here. Each byte is looked at once. */
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

/** Chunks one after the other, from IHDR to IEND, with pixels between. */
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

/** Segments up to the first frame's header, which has the size; the scan that follows ends with the marker of the end. */
function sizeOfJpeg(bytes: Buffer): Size {
  let size: Size = null
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1 // a byte of padding
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

function sizeOfGif(bytes: Buffer): Size {
  if (bytes.length < 14 || bytes.lastIndexOf(0x3b) < 13) return null
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** Lossy, lossless or extended: each has its size at another place. */
function sizeOfWebp(bytes: Buffer): Size {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return null
  const kind = text(bytes, 12, 4)
  if (kind === 'VP8 ' && text(bytes, 23, 3) === '\x9d\x01\x2a')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind === 'VP8L' && bytes[20] === 0x2f) {
    const packed = bytes.readUInt32LE(21)
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  return null
}
