/** Frames of mp3 files, of which browsers decode those up to the first of another format, and leave out the rest without a word. */

/** Thousands of bits a second, by the index in the header less one. */
const bitRates = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
/** By the version in the header: 0 is MPEG 2.5, 2 is MPEG 2, 3 is MPEG 1. */
const rates: readonly (readonly number[])[] = [
  [11_025, 12_000, 8000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
]

type Frame = { bytes: number; rate: number; isMono: boolean }

/** The frame of layer III at a place; null where none begins. */
function frameAt(file: Uint8Array, at: number): Frame | null {
  const [sync = 0, kind = 0, coding = 0, mode = 0] = file.subarray(at, at + 4)
  const version = (kind >> 3) & 3
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2 || at + 4 > file.length) return null
  const isMpeg1 = version === 3
  const kilobits = bitRates[isMpeg1 ? 'mpeg1' : 'mpeg2'][(coding >> 4) - 1]
  const rate = rates[version]?.[(coding >> 2) & 3]
  if (kilobits === undefined || rate === undefined) return null
  const bytes = Math.floor(((isMpeg1 ? 144 : 72) * kilobits * 1000) / rate) + ((coding >> 1) & 1)
  return { bytes, rate, isMono: mode >> 6 === 3 }
}

/** Whether frames of another rate, or of another number of channels, follow the first ones. Takes time in proportion to the file's length. */
export function hasOtherFrames(file: Uint8Array): boolean {
  let first: Frame | null = null
  for (let at = 0; at < file.length;) {
    if (isTag(file, at)) at += tagBytes(file, at)
    const frame = frameAt(file, at)
    const next = frame && frameAt(file, at + frame.bytes)
    // Two in a row, since tags and sound may hold what looks like one.
    if (!frame || !next || !isAlike(frame, next)) {
      at = frame && first && isAlike(frame, first) ? at + frame.bytes : nextSync(file, at + 1)
      continue
    }
    if (first && !isAlike(frame, first)) return true
    first ??= frame
    at += frame.bytes
  }
  return false
}

/** ID3v2, which may hold pictures. Its size has seven bits in each byte. */
function isTag(file: Uint8Array, at: number): boolean {
  return file[at] === 0x49 && file[at + 1] === 0x44 && file[at + 2] === 0x33 && at + 10 <= file.length
}
function tagBytes(file: Uint8Array, at: number): number {
  return 10 + file.subarray(at + 6, at + 10).reduce((size, bits) => size * 128 + (bits & 0x7f), 0)
}

function nextSync(file: Uint8Array, from: number): number {
  for (let at = from; at < file.length; at++) if (file[at] === 0xff || isTag(file, at)) return at
  return file.length
}

function isAlike(one: Frame, other: Frame): boolean {
  return one.rate === other.rate && one.isMono === other.isMono
}
