import { skeletonOf } from './skeleton.ts'

type Listed = { no: number; word: string; spelling: string; endsItself: boolean }
type Node = { next: Map<number, Node>; words: Listed[] }

/**
 * Finds listed words in texts, also where they are written with look-alikes. A word is found only where a word starts. Latin words must also
 * end there, so that 'bet' is not found in 'better'; Devanagari words need not, because Nepali appends its endings.
 */
export class ListedWords {
  readonly #root: Node = { next: new Map(), words: [] }
  readonly #isEmpty: boolean

  constructor(words: readonly string[]) {
    for (const [no, word] of words.entries()) {
      const spelling = spellingOf(word).trim().toLowerCase()
      if (spelling === '') continue
      let node = this.#root
      for (let at = 0; at < spelling.length; at++) node = childOf(node, folded(spelling.charCodeAt(at)))
      node.words.push({ no, word, spelling, endsItself: /[a-z0-9]$/.test(spelling) })
    }
    this.#isEmpty = this.#root.next.size === 0
  }

  /** The first of the list that the text has; null when it has none. */
  firstIn(text: string): string | null {
    let first: Listed | undefined
    for (const listed of this.#matchesIn(text)) if (!first || listed.no < first.no) first = listed
    return first?.word ?? null
  }

  allIn(text: string): Set<string> {
    return new Set(this.#matchesIn(text).map(({ word }) => word))
  }

  #matchesIn(text: string): Listed[] {
    if (this.#isEmpty) return []
    const seen = spellingOf(text)
    const lower = seen.toLowerCase()
    const found: Listed[] = []
    let isWithin = false
    for (let start = 0; start < lower.length; start++) {
      const isStart = !isWithin
      isWithin = isLetter(lower, start)
      if (!isStart) continue
      let node = this.#root.next.get(folded(lower.charCodeAt(start)))
      for (let at = start + 1; node; at++) {
        for (const listed of node.words)
          if (!(listed.endsItself && isLetter(lower, at)) && isSpelt(listed.spelling, { seen, lower, start }))
            found.push(listed)
        node = at < lower.length ? node.next.get(folded(lower.charCodeAt(at))) : undefined
      }
    }
    return found
  }
}

function childOf(node: Node, code: number): Node {
  let child = node.next.get(code)
  if (!child) node.next.set(code, (child = { next: new Map(), words: [] }))
  return child
}

/** The skeleton with single blanks; 'rn' and 'vv' as the letters that they look like. */
function spellingOf(text: string): string {
  let seen = skeletonOf(text)
  if (/\s\s|[^\S ]/.test(seen)) seen = seen.replaceAll(/\s+/g, ' ')
  if (/rn|vv/i.test(seen)) seen = seen.replaceAll('rn', 'm').replaceAll(/rn/gi, 'M').replaceAll(/vv/gi, 'w')
  return seen
}

const strokes = 'Il1|'
const [zero, one, bar, i, l, o] = [0x30, 0x31, 0x7c, 0x69, 0x6c, 0x6f]
/** One code for signs that may look alike. `isSpelt` says whether they do where they stand. */
function folded(code: number): number {
  if (code === one || code === bar || code === i) return l
  return code === zero ? o : code
}

type Place = { seen: string; lower: string; start: number }

/**
 * Whether the letters at this place can be read as the word, of which all but look-alikes already match: 'Iottery' is read as 'lottery' and
 * 'lncome' as 'income', but neither 'mall' as 'mail' nor '011' as 'oil'.
 */
function isSpelt(spelling: string, { seen, lower, start }: Place): boolean {
  let same = 0
  for (let at = 0; at < spelling.length; at++) {
    const [wanted, here] = [spelling[at], start + at]
    if (lower[here] === wanted) same++
    else if (wanted === 'l' && seen[here] === 'I' && isAmongCapitals(seen, here)) return false
    else if (wanted === 'l' && seen[here] === 'i') return false
    else if (wanted === 'i' && seen[here] === 'L') return false
    else if (wanted === 'i' && seen[here] === 'l' && at > 0 && !isAmongCapitals(seen, here)) return false
  }
  return same > 0
}

function isAmongCapitals(seen: string, here: number): boolean {
  let [before, after] = [here - 1, here + 1]
  while (before >= 0 && strokes.includes(seen[before] ?? ' ')) before--
  while (after < seen.length && strokes.includes(seen[after] ?? ' ')) after++
  return isCapital(seen[before]) || isCapital(seen[after])
}

const isCapital = (sign: string | undefined): boolean => sign !== undefined && sign !== sign.toLowerCase()

const letters = new Map<number, boolean>()
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (Number.isNaN(code) || code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  let known = letters.get(code)
  if (known === undefined) letters.set(code, (known = /[\p{L}\p{M}\p{N}]/u.test(text[at] ?? '')))
  return known
}
