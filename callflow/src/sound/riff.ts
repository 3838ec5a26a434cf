/** The chunks of a wav file. Sizes in headers are claims, which nothing here trusts: only the bytes of the file are facts (docs/adr/84). */

export type Chunks = {
  /** The first one; null when there is none. */
  format: FormatAt | null
  /**
   * The bytes of the sound, which some programs divide; null when there are none. `claimed`: their number by the header, null when the program that
   * wrote it did not know.
   */
  data: { parts: readonly Part[]; claimed: number | null } | null
}
/** Where the body of a 'fmt ' begins and how long it says it is. */
export type FormatAt = { start: number; size: number }
/** `format`: the one that the sound stands behind, which is another where a file follows another. */
export type Part = { start: number; end: number; format: FormatAt | null }
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
 * Finds formats and sound. Other chunks (names, cues, pictures) are skipped unread. Sound may follow sound, also in a file behind the first one, as
 * speech services send them in pieces and people join them. Takes time in proportion to the file's length.
 */
export function chunksOf(file: Uint8Array): Chunks {
  const reader = new ChunkReader(file)
  reader.read()
  return { format: reader.first, data: inParts(reader.found) }
}

class ChunkReader {
  readonly #file: Uint8Array
  readonly #view: DataView
  #format: FormatAt | null = null
  #wideSize: number | null = null
  first: FormatAt | null = null
  readonly found: Claimed[] = []

  constructor(file: Uint8Array) {
    this.#file = file
    this.#view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  }

  read(): void {
    this.#readFrom(12)
    const stray = this.found.length === 0 && this.first ? strayData(this.#view, this.first) : null
    if (stray !== null) this.#readFrom(stray)
  }

  #readFrom(from: number): void {
    const file = this.#file
    for (let at = from; at + 8 <= file.length;) {
      if (isWav(file.subarray(at, at + 12))) at += 12
      else if (this.found.length > 0 && !isChunk(this.#view, at)) at = wavWithin(file, at, file.length) ?? file.length
      else at = this.#take(at)
    }
  }

  /** Returns where to go on. */
  #take(at: number): number {
    const [file, view] = [this.#file, this.#view]
    const id = fourCc(file, at)
    const size = view.getUint32(at + 4, true)
    const start = at + 8
    if (id === 'fmt ' && (!this.#format || this.found.length > 0)) this.#format = { start, size }
    if (id === 'fmt ') this.first ??= this.#format
    if (id === 'ds64' && start + 16 <= file.length)
      this.#wideSize = view.getUint32(start + 8, true) + view.getUint32(start + 12, true) * 2 ** 32
    const after = next(view, start, size)
    if (id !== 'data') return (this.found.length > 0 ? wavWithin(file, start, after) : null) ?? after
    const claimed = size === 0xff_ff_ff_ff ? this.#wideSize : size
    const sound = { ...dataOf(file, start, claimed), format: this.#format }
    this.found.push(sound)
    if (!this.#format) return file.length
    return sound.end === start + size ? after : sound.end
  }
}

function inParts(found: readonly Claimed[]): Chunks['data'] {
  if (found.length === 0) return null
  const claimed = found.reduce<number | null>(
    (sum, one) => (sum === null || one.claimed === null ? null : sum + one.claimed),
    0,
  )
  return { parts: found, claimed }
}

/**
 * Where the sound ends: where its header says, if that is the end of the file or another chunk is there. Otherwise all the bytes are sound, up to the
 * next wav file.
 */
function dataOf(file: Uint8Array, start: number, size: number | null): Omit<Claimed, 'format'> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const end = start + (size ?? Infinity)
  const ends = (at: number) => at === view.byteLength || isChunk(view, at) || isTag(view, at)
  const isTrue = ends(end) || ((size ?? 0) % 2 === 1 && ends(end + 1))
  const last = isTrue ? end : soundEnd(view)
  const other = wavWithin(file, start, last)
  const there = (other ?? last) - start
  const claimed = size === null || size === 0 || isUnknown(size) ? null : isTrue ? there : size
  return { start, end: start + there, claimed }
}

/** Where the next wav file begins. Its twelve bytes are not what a sound holds by chance. */
function wavWithin(file: Uint8Array, from: number, to: number): number | null {
  const [beforeWave, letterW] = [8, 0x57]
  const bytes = file.subarray(from, to)
  for (let at = bytes.indexOf(letterW, beforeWave); at >= 0; at = bytes.indexOf(letterW, at + 1)) {
    const form = from + at - beforeWave
    if (isWav(file.subarray(form, form + 12))) return form
  }
  return null
}

/** RF64 may claim more than 32 bits can, and mean it. */
function isUnknown(size: number): boolean {
  return size >= unknownFrom && size <= 0xff_ff_ff_ff
}

/** Some programs append tags of the mp3 world after everything else: ID3v2 and APE here, ID3v1 in the last 128 bytes. */
function isTag(view: DataView, at: number): boolean {
  if (at + 10 > view.byteLength) return false
  const id = textAt(view, at)
  if (id + textAt(view, at + 4) === 'APETAGEX') return true
  const version = view.getUint8(at + 3)
  return id.startsWith('ID3') && version >= 2 && version <= 4
}

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

/** Where the sound's chunk begins behind one whose size is wrong, so that no chunk leads to it. */
function strayData(view: DataView, format: FormatAt): number | null {
  for (let at = format.start + 16; at + 8 <= view.byteLength; at++) {
    if (view.getUint8(at) !== 0x64 || textAt(view, at) !== 'data') continue
    const size = view.getUint32(at + 4, true)
    // The word 'data' in a text is followed by letters, which make a size of gigabytes.
    if (isUnknown(size) || at + 8 + size <= view.byteLength) return at
  }
  return null
}

function textAt(view: DataView, at: number): string {
  return fourCc(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at)
}
