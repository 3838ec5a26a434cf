import { mebibyte } from '@ghanti/contract/values.ts'
import { Refused } from './worker-part.ts'

const pieceBytes = mebibyte
/** Enough for a million rows with four distinct texts each. */
const countMax = 4_000_000
const piecesMax = 160
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The shared strings of a workbook, as UTF-8 outside the heap, so that a million names take little more memory than their letters. */
export class SharedTexts {
  readonly #pieces: Uint8Array[] = []
  #used = pieceBytes
  /** Three numbers per text: its piece, and where in it the text begins and ends. */
  #places = new Uint32Array(3 * 1024)
  #count = 0

  add(text: string): void {
    if (this.#count === countMax) throw new Refused('has too many different texts: split it', 'too_large')
    if (3 * (this.#count + 1) > this.#places.length) {
      const more = new Uint32Array(this.#places.length * 2)
      more.set(this.#places)
      this.#places = more
    }
    const most = text.length * 3
    if (this.#used + most > pieceBytes) {
      if (this.#pieces.length === piecesMax) throw new Refused('has too much text: split it', 'too_large')
      this.#pieces.push(new Uint8Array(Math.max(pieceBytes, most)))
      this.#used = 0
    }
    const piece = this.#pieces.at(-1)
    const { written } = encoder.encodeInto(text, piece?.subarray(this.#used) ?? new Uint8Array())
    this.#places.set([this.#pieces.length - 1, this.#used, this.#used + written], 3 * this.#count)
    this.#used += written
    this.#count++
  }

  /** '' for an unknown index. */
  at(index: number): string {
    if (!(index >= 0 && index < this.#count)) return ''
    const [piece = 0, from, to] = this.#places.subarray(3 * index, 3 * index + 3)
    return decoder.decode(this.#pieces[piece]?.subarray(from, to))
  }
}
