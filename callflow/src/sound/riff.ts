/** The chunks of a wav file. Sizes in headers are claims, which nothing here trusts: only the bytes of the file are facts (docs/adr/84). */

export type Chunks = {
  /** Where the body of 'fmt ' begins and how long it says it is; null when there is none. */
  format: { start: number; size: number } | null
  /**
   * The bytes of the sound, which some programs divide; null when there are none. `claimed`: their number by the header, null when the program that
   * wrote it did not know.
   */
  data: { parts: readonly Part[]; claimed: number | null } | null
}
type Part = { start: number; end: number }
type Claimed = Part & { claimed: number | null }

/** Programs that write into a pipe leave 0, 0xFFFFFFFF or a number from here on (sox and espeak: 0x7FFFF000). */
const unknownFrom = 0x7fff_0000

/** Ids after which a size is not needed to tell a chunk from sound. */
const known = new Set(['fmt ', 'data', 'LIST', 'fact', 'bext', 'iXML', 'id3 ', 'ID3 ', 'cue ', 'JUNK', 'PEAK', '_PMX'])

export function fourCc(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

/** Checks the first bytes, whatever the name and declared type. RF64 and BW64 are wav files whose sizes have 64 bits. */
export function isWav(bytes: Uint8Array): boolean {
  return isForm(fourCc(bytes, 0)) && fourCc(bytes, 8) === 'WAVE'
}
const isForm = (id: string): boolean => id === 'RIFF' || id === 'RF64' || id === 'BW64'

/**
 * Finds format and sound. Other chunks (names, cues, pictures) are skipped unread. Sound may follow sound, also in a file of the same format behind
 * the first one, as speech services send them in pieces. Takes time in proportion to the file's length.
 */
export function chunksOf(file: Uint8Array): Chunks {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let format: Chunks['format'] = null
  let wideSize: number | null = null
  const found: Claimed[] = []
  for (let at = 12; at + 8 <= file.length;) {
    if (isWav(file.subarray(at, at + 12))) {
      at += 12
      continue
    }
    const id = fourCc(file, at)
    const size = view.getUint32(at + 4, true)
    const start = at + 8
    if (id === 'fmt ' && format && found.length > 0 && !isSame(view, format.start, start)) break
    if (id === 'fmt ') format ??= { start, size }
    if (id === 'ds64' && start + 16 <= file.length)
      wideSize = view.getUint32(start + 8, true) + view.getUint32(start + 12, true) * 2 ** 32
    if (id === 'data') {
      found.push(dataOf(view, start, size === 0xff_ff_ff_ff ? wideSize : size))
      if (!format || found.at(-1)?.end !== start + size) break
    }
    at = next(view, start, size)
  }
  const stray = found.length === 0 && format ? strayData(view, format.start + 16) : null
  return { format, data: inParts(stray ? [stray] : found) }
}

function inParts(found: readonly Claimed[]): Chunks['data'] {
  if (found.length === 0) return null
  const claimed = found.reduce<number | null>(
    (sum, one) => (sum === null || one.claimed === null ? null : sum + one.claimed),
    0,
  )
  return { parts: found, claimed }
}

/** The sixteen bytes that all formats have. */
function isSame(view: DataView, one: number, other: number): boolean {
  if (other + 16 > view.byteLength) return false
  return [0, 4, 8, 12].every((at) => view.getUint32(one + at) === view.getUint32(other + at))
}

/** Where the sound ends: where its header says, if that is the end of the file or another chunk is there. Otherwise all the bytes are sound. */
function dataOf(view: DataView, start: number, size: number | null): Claimed {
  const claimed = size === null || size === 0 || isUnknown(size) ? null : size
  const end = start + (size ?? Infinity)
  const ends = (at: number) => at === view.byteLength || isChunk(view, at)
  const isTrue = ends(end) || ((size ?? 0) % 2 === 1 && ends(end + 1))
  return { start, end: isTrue ? end : soundEnd(view), claimed }
}

/** RF64 may claim more than 32 bits can, and mean it. */
function isUnknown(size: number): boolean {
  return size >= unknownFrom && size <= 0xff_ff_ff_ff
}

/** Some programs append a tag of the mp3 world (ID3v1) after everything else. */
function soundEnd(view: DataView): number {
  const tag = view.byteLength - 128
  return tag > 44 && textAt(view, tag).startsWith('TAG') ? tag : view.byteLength
}

/** A chunk of odd size is followed by a byte of padding, which some programs forget. */
function next(view: DataView, start: number, size: number): number {
  const bare = start + size
  if (size % 2 === 0) return bare
  const padded = bare + 1
  if (known.has(textAt(view, padded))) return padded
  if (known.has(textAt(view, bare))) return bare
  return isChunk(view, bare) && !isChunk(view, padded) ? bare : padded
}

function isChunk(view: DataView, at: number): boolean {
  if (at + 8 > view.byteLength) return false
  const id = textAt(view, at)
  if (known.has(id) || (textAt(view, at + 8) === 'WAVE' && isForm(id))) return true
  return /^[A-Za-z0-9_][ -~]{3}$/.test(id) && at + 8 + view.getUint32(at + 4, true) <= view.byteLength
}

/** The sound behind a chunk whose size is wrong, so that no chunk leads to it. */
function strayData(view: DataView, from: number): Claimed | null {
  for (let at = from; at + 8 <= view.byteLength; at++) {
    if (view.getUint8(at) !== 0x64 || textAt(view, at) !== 'data') continue
    const size = view.getUint32(at + 4, true)
    // The word 'data' in a text is followed by letters, which make a size of gigabytes.
    if (isUnknown(size) || at + 8 + size <= view.byteLength) return dataOf(view, at + 8, size)
  }
  return null
}

function textAt(view: DataView, at: number): string {
  return fourCc(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at)
}
