/** Cells of a workbook (ECMA-376) as text: numbers keep all their digits, dates become ISO. */
import { lostFormula } from '@ghanti/contract/phone.ts'

/** How a cell's style shows a number: as a date, or padded with leading zeros to `zeros` digits. */
export type NumberStyle = { date: boolean; zeros: number }
export const plainStyle: NumberStyle = { date: false, zeros: 0 }

/** A formula whose result is written as an empty text: empty, or a result that the program which wrote the file left out. */
export const emptyFormula = '\ufdd0'

/** What a row with such formulas says: in the number's column no number, elsewhere nothing. */
export function withoutEmptyFormulas(cells: string[], number: number): string[] {
  if (!cells.includes(emptyFormula)) return cells
  return cells.map((cell, at) => (cell !== emptyFormula ? cell : at === number ? lostFormula : ''))
}

/** 'B12' → 1; null when it is no cell reference. */
export function columnAt(place: string): number | null {
  const letters = /^\$?([A-Z]{1,3})\$?\d*$/i.exec(place)?.[1]?.toUpperCase()
  if (letters === undefined) return null
  let at = 0
  for (const letter of letters) at = at * 26 + letter.charCodeAt(0) - 64
  return at - 1
}

/** 0 → 'A', 27 → 'AB' */
export function lettersOf(at: number): string {
  const rest = Math.floor(at / 26) - 1
  return (rest >= 0 ? lettersOf(rest) : '') + String.fromCharCode(65 + (at % 26))
}

const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47])
/** Excel's built-in date formats for East Asian languages, which files name by number only. */
const isRegionalDate = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

const codeMax = 255

/** `code`: the format if the file defines it; built-in formats are known by `id`. */
export function numberStyle(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) return { date: builtInDates.has(id) || isRegionalDate(id), zeros: 0 }
  const bare = bareCode(code.slice(0, codeMax))
  return { date: /[ymdhs]/i.test(bare) && !/general|#|0\.0/i.test(bare), zeros: /^0+$/.test(bare) ? bare.length : 0 }
}

function endOf(code: string, sign: string, from: number): number {
  const at = code.indexOf(sign, from + 1)
  return at < 0 ? code.length : at
}

/** The first section of a format, without colours, conditions and literal texts, which may contain letters of dates. */
function bareCode(code: string): string {
  let bare = ''
  for (let at = 0; at < code.length; at++) {
    const sign = code.charAt(at)
    if (sign === ';') return bare
    const end = sign === '"' ? '"' : sign === '[' ? ']' : null
    if (end !== null) at = endOf(code, end, at)
    else if ('\\_*'.includes(sign)) at++
    else bare += sign
  }
  return bare
}

const dayMs = 24 * 3600_000
/** Excel counts 29 February 1900, a day that did not exist. */
const firstTrueDay = 61
const lastDay = 2_958_465

function twoDigits(n: number): string {
  return String(n).padStart(2, '0')
}

/** '2026-12-01', '2026-12-01 14:30:00' or '14:30:00'; null outside Excel's range of dates. */
export function dateText(serial: number, from1904: boolean): string | null {
  if (!(serial >= 0 && serial < lastDay + 1)) return null
  const at = new Date(Math.round(serial * 86_400) * 1000)
  const time = `${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}:${twoDigits(at.getUTCSeconds())}`
  if (serial < 1 && !from1904) return time
  const dayZero = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < firstTrueDay - 1 ? 31 : 30)
  const day = new Date(dayZero + Math.floor(at.getTime() / dayMs) * dayMs).toISOString().slice(0, 10)
  return time === '00:00:00' ? day : `${day} ${time}`
}

/** A number as Excel shows it in a wide cell: 15 significant digits at most, and whole numbers without an exponent. */
export function numberText(written: string, { date, zeros }: NumberStyle, from1904: boolean): string {
  const value = Number(written)
  if (written.trim() === '' || !Number.isFinite(value)) return written
  if (date) return dateText(value, from1904) ?? plainNumber(value)
  return plainNumber(value).padStart(zeros, '0')
}

function plainNumber(value: number): string {
  const shown = Number(value.toPrecision(15))
  return Number.isInteger(shown) && Math.abs(shown) < 1e21 ? BigInt(shown).toString() : String(shown)
}

/** Decodes '_x000D_', which is how workbooks write characters that XML cannot contain. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

export function isoText(written: string): string {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.\d+)?Z?)?$/.exec(written) ?? []
  if (day === undefined) return written
  return time === '00:00:00' ? day : `${day} ${time}`
}
