import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  asciiDigits,
  dialable,
  mobilesWithin,
  nationalOf,
  phonesIn,
  withoutSeparators,
} from '@ghanti/contract/phone.ts'
import { isTable } from '../rules-columns.ts'

/** `path`: what was pasted, as UTF-8. `target`: written with one number on each line, unless it is a table. */
export type PasteJob = { want: 'lines'; path: string; target: string }
export type PasteEnd = { kind: 'same' } | { kind: 'lines'; bytes: number }

export async function pastedLines({ path, target }: PasteJob): Promise<PasteEnd> {
  if (await isTableFile(path)) return { kind: 'same' }
  await pipeline(createReadStream(path), linesOf, createWriteStream(target))
  return { kind: 'lines', bytes: (await stat(target)).size }
}

/** Enough for a header and the blanks before it. */
const headBytes = 65_536

async function isTableFile(file: string): Promise<boolean> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  return isTable(buffer.toString('utf8', 0, bytesRead))
}

/** Yields one number per line, chunk by chunk: the text may be as long as a file and is never held in memory whole. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const lineEnd = rest.lastIndexOf('\n') + 1
    if (lineEnd > 0) yield numbersApart(rest.slice(0, lineEnd))
    rest = rest.slice(lineEnd)
    if (rest.length <= headBytes) continue
    const end = endOfNumbers(rest)
    yield `${numbersApart(rest.slice(0, end))}\n`
    rest = rest.slice(end)
  }
  yield numbersApart(rest + decoder.decode())
}

/** A line far longer than a number holds several or none, so it is cut between two: never at a comma that may group thousands. */
function endOfNumbers(text: string): number {
  for (let at = text.length - 1; at >= 0; at--) {
    const sign = text.charAt(at)
    if (' ;\t"'.includes(sign) || (sign === ',' && /(?:\d{4}|[^\d,])$/.test(text.slice(Math.max(0, at - 4), at))))
      return at + 1
  }
  return text.length
}

const thousands = /(?<![\d\u0966-\u096f])[\d\u0966-\u096f]{1,3}(?:,[\d\u0966-\u096f]{2,3}){2,6}(?![\d\u0966-\u096f])/g

function numbersApart(text: string): string {
  const joined = text.replace(thousands, (run) => (dialable(run) ? run.replaceAll(',', '') : run))
  return joined
    .split('\n')
    .flatMap((line) => rowsIn(cellsOf(line)))
    .map((line) => (digit.test(line) ? apart(line) : line))
    .join('\n')
}

/** Without what spreadsheets write around a text, as in '="9841000001"'. */
function cellsOf(line: string): string[] {
  const cells = line.split(/[,;\t"]/)
  const written = cells.filter((cell) => isWritten.test(cell))
  return written.length > 0 ? written : cells.slice(0, 1)
}
const isWritten = /[\p{L}\p{N}]/u

/** Of a line with somebody's name, as 'Ram, 9841000001, 500', the numbers are rows and nothing beside them; without any, it is one row, to be refused. */
function rowsIn(cells: string[]): string[] {
  if (cells.length === 1 || !cells.some(isName)) return cells
  const numbers = cells.filter((cell) => (withoutSeparators(cell).match(digits)?.length ?? 0) > shortMax)
  return numbers.length > 0 ? numbers : [cells.flatMap((cell) => cell.trim() || []).join(' / ')]
}
const digits = /\d/g
/** A house, an amount or a list's number has no more digits. */
const shortMax = 6
const isName = (cell: string): boolean => letter.test(cell) && !digit.test(cell)

/** A line without one, of which a list may have millions, holds no number. */
const digit = /\p{Nd}/u

/** '9841000202 9841000303' is two numbers, '984 100 0202' is one. */
function apart(line: string): string {
  const parts = line.trim().split(/\s+/)
  if (parts.length > 1 && parts.every((part) => dialable(part))) return parts.join('\n')
  return numberIn(line) ?? line
}

/** No line of a list, with what people write beside its number, is longer. */
const listedMax = 200
/** '1. '. Without the blank, '91.98410.00020' may be a number of another country. */
const listMark = /^\s*\(?[1-9\u0967-\u096f][\d\u0966-\u096f]{0,3}[.)]\s+/
const letter = /[\p{L}\p{M}]/u

/**
 * The number of a line, or several with what separates them, without what stands beside; null when there is none. Beside words, mobiles alone: an
 * account's number looks like a landline.
 */
function numberIn(line: string): string | null {
  if (line.length > listedMax) return null
  const item = line.replace(listMark, '')
  if (dialable(item)) return item
  const figures = [...item.matchAll(/[\d\u0966-\u096f+]/g)].map(({ index }) => index)
  const [from = 0, to = 0] = [figures[0], figures.at(-1)]
  // The digits of '+97798410002xx' are not all that it has.
  if (letter.test(item.charAt(from - 1)) || letter.test(item.charAt(to + 1))) return null
  const alone = item.slice(from, to + 1)
  const phones = phonesIn(alone)
  return phones.length > 0 && phones.every(({ kind }) => kind === 'mobile') ? alone : besideFigures(item)
}

/** The number of 'Ram 9841000001 Rs. 500': all that stands beside has too few digits for another one, however it is divided. */
function besideFigures(item: string): string | null {
  const words = item.split(/[\s:]+/)
  const numbers = words.filter((word) => mobilesWithin(word).length === 1)
  const [only] = numbers
  const beside = words.filter((word) => word !== only).join('')
  const isShort = (asciiDigits(beside).match(digits)?.length ?? 0) <= shortMax
  return only !== undefined && numbers.length === 1 && isShort ? nationalOf(mobilesWithin(only)[0]?.e164 ?? '') : null
}
