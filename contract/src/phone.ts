/**
 * What is dialable (docs/design.md#dialable-numbers): Nepali mobiles, and landlines as 8 national digits behind a leading 0 or 977. No short codes, premium or foreign numbers.
 */
export type Phone = {
  /** '+9779812345678', '+97715970001'. */
  e164: string
  kind: 'mobile' | 'landline'
}

/** Between digits, besides full stops and closing brackets: spaces of all kinds, dashes, and invisible marks copied along from telephones. */
const between = /[\s\-(\u00ad\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u2069\u2212]/g
const mobile = /^9(?:6\d|7[0-6]|8\d)\d{7}$/
const landline = /^[1-9]\d{7}$/
/** The 0 that people dial within Nepal stands behind 977, too: '+977 (0) 984-1000001', '+977-01-5970001'. */
const international = /^(?:\+|00)?977(\d{8,10}|09\d{9})$/

const marks = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
/** Some programs write this before digits, so that Excel keeps a zero in front. */
const keepsZeros = '\u001f'
export function withoutMarks(written: string): string {
  return written.replaceAll(keepsZeros, '').replace(marks, '')
}

export function asciiDigits(text: string): string {
  return text.replace(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
}

/** What somebody typed to search for a number, without anything between its digits, which are then ASCII. */
export function withoutSeparators(written: string): string {
  return asciiDigits(written).replace(between, '').replace(/[.)]/g, '')
}

/**
 * A spreadsheet's mark of a text, and what people and the exports of advertisers and telephones write in front of a number, without blanks:
 * 'p:', 'Mob.No.', 'मोबाइलनं:', 'Phno'.
 */
const before = [
  /^['"`´‘’“”]+/,
  /^(?:p|number|no|नम्बर|नं)[:.]+/i,
  /^(?:phone|ph|telephone|tel|mobile|mob|cell|callto|sms|contact|whatsapp|viber|imo|मोबाइल|मोबाईल|मो|फोन|टेलिफोन|सम्पर्क)(?:number|no|नम्बर|नं)?[:.]*/i,
]
/** More than anybody writes. */
const beforeMax = 4
const quotes = new Set(`'"\`´‘’“”`)
/** What or whose a number is, behind it: '9841000001 (WhatsApp)'. */
const noteBehind = /\(\p{L}[\p{L}\p{M}\s.]*\)$/u

/** Letters that say nothing of a telephone stay. */
function withoutBefore(text: string): string {
  let bare = text
  for (let n = 0; n < beforeMax; n++) bare = before.reduce((left, pattern) => left.replace(pattern, ''), bare)
  return bare
}

function withoutQuotesBehind(text: string): string {
  let end = text.length
  while (quotes.has(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Most numbers of most files: what is left out of others does not stand in them. */
const ofDigits = /^[\d +-]*$/

/**
 * A written number as one, in ASCII. What is no way to write a telephone number stays, so that nothing else becomes one: a full stop is left out
 * only between groups of at least two digits (three behind the only one, which is none of an amount or a decimal then), commas only where they group
 * thousands, and closing brackets only behind opening ones. `984. 5970001` and `96) 14123456` have a list's number in front.
 */
export function bareNumber(written: string): string {
  if (ofDigits.test(written)) return written.replace(/[ -]/g, '')
  const listed = withoutQuotesBehind(withoutMarks(asciiDigits(written)).trim().replace(/[,;]$/, ''))
  const opened = listed.replace(noteBehind, '').replace(/\(([^()]*)\)/g, '$1')
  const digits = withoutBefore(withoutStops(opened).replace(between, ''))
  return /^\d{1,3}(?:,\d{2,3})*,\d{3}$/.test(digits) ? digits.replaceAll(',', '') : digits
}

function withoutStops(text: string): string {
  const [head = '', tail = '', ...more] = text.split('.')
  if (more.length > 0) return text.replace(/(?<=\d\d)\.(?=\d\d)/g, '')
  if (/^0*$/.test(tail)) return head
  return /\d\d$/.test(head) && /^\d{3}/.test(tail) ? head + tail : text
}

/**
 * The number that somebody wrote, or null when it is not dialable. A spreadsheet's 9.84E+09 has lost its digits and gives null; the fraction of its
 * 9841000020.0 is left out.
 */
export function dialable(written: string): Phone | null {
  if (mobile.test(written)) return { e164: `+977${written}`, kind: 'mobile' }
  const text = bareNumber(written)
  if (!/^\+?\d+$/.test(text)) return null
  const abroad = international.exec(text)
  if (text.startsWith('+') && !abroad) return null
  const national = abroad?.[1] ?? text
  const bare = national.replace(/^0/, '')
  if (mobile.test(bare)) return { e164: `+977${bare}`, kind: 'mobile' }
  if ((abroad || bare !== national) && landline.test(bare)) return { e164: `+977${bare}`, kind: 'landline' }
  return null
}

/** What stands for a formula of a workbook that has no result stored with it. */
export const lostFormula = '#FORMULA!'
export const whyLostFormula = 'is a formula without a result: open the file in Excel, save it there and upload it again'

/** Why `dialable` returned null, continuing a sentence that begins with the number. */
export function whyNotDialable(written: string): string {
  if (written === lostFormula) return whyLostFormula
  const text = bareNumber(written)
  if (/^[.)]*$/.test(text)) return 'is empty'
  if (hasSeveral(written)) return 'holds several numbers: write each in a row of its own'
  if (/^\+?[\d.]+E\+?\d+$/i.test(text))
    return 'was cut by a spreadsheet (format the column as text, enter the numbers again)'
  if (/^[?\ufffd\s]{3,}$/.test(written))
    return 'has lost its digits, which became question marks: save the file as "CSV UTF-8"'
  if (/\p{L}/u.test(text)) return 'has letters'
  if (!/^\+?\d+$/.test(text)) return 'is not written like a phone number'
  if (/^(?:\+|00)(?!977)/.test(text)) return 'is not Nepali'
  const digits = text.replace(/^(?:\+|00)?977(?=\d{6})|^\+|^0/, '')
  if (digits.length < 8) return 'is too short'
  if (digits.length > 10) return 'is too long'
  if (/^[1-9]\d{7}$/.test(digits)) return 'lacks a digit, or the 0 in front of a landline'
  if (/^9[678]\d{7}$/.test(digits)) return 'lacks a digit'
  return 'is neither a mobile nor a landline number of Nepal'
}

/** What people write between two numbers, the strongest first: `:` also stands behind what a number is, and `,` groups thousands. */
const betweenNumbers = [/[/\\;|&\r\n]| (?:or|and|र|वा|तथा) /i, /:+/, /,/]
/** What people write where there is no second number: 'N/A' is two parts. */
const noNumbers = new Set(['', 'na', 'n', 'a', 'nil', 'none', 'null', 'छैन'])
const isNoNumber = (part: string): boolean => noNumbers.has(part.replace(/[^\p{L}\p{M}\p{N}]+/gu, '').toLowerCase())

function apart(written: string, from = 0): string[] {
  const separator = betweenNumbers[from]
  if (separator === undefined || dialable(written) !== null) return [written]
  return written.split(separator).flatMap((part) => apart(part, from + 1))
}

/** As long as a number, and so none of a house or a date. */
const isLong = (part: string): boolean => withoutSeparators(part).replace(/\D/g, '').length > 6

/** Of a landline; a mobile has one more. */
const digitsMin = 9

/** The numbers of a cell that can be called, each once, in their order: of '9841234567 / 01-5970001' two, of what holds words or anything else none. */
export function phonesIn(written: string): Phone[] {
  if (written.length < digitsMin) return [] // most cells of a file
  const only = dialable(written)
  if (only !== null) return [only]
  const parts = apart(written).filter((part) => !isNoNumber(part))
  const long = parts.filter(isLong)
  if (long.some((part) => dialable(part) === null && /\p{L}/u.test(part))) return []
  if (long.length > 1) return eachOnce(long)
  return [parts, written.split(/\s+/), written.split('-')].map(allOf).find(({ length }) => length > 0) ?? []
}

/** None if one of the parts cannot be called. */
function allOf(parts: readonly string[]): Phone[] {
  const written = parts.filter((part) => part.trim() !== '')
  return written.every((part) => dialable(part) !== null) ? eachOnce(written) : []
}

function eachOnce(parts: readonly string[]): Phone[] {
  const phones = parts.flatMap((part) => dialable(part) ?? [])
  return [...new Map(phones.map((phone) => [phone.e164, phone])).values()]
}

const likeNumber = /[+\d][+\d-]+/g
const alone = /^(?:(?:(?:\+|00)?977-?)?0?)9[678]\d-?\d{7}-*$/
/** After one of them a number is a part of something else; before one, too. */
const joins = /[\p{L}\p{M}\p{N}@_=]/u

type Within = { from: number; to: number; written: string }

/**
 * The mobiles that stand by themselves in a text of other things, each once: of 'Sita-9841234567 asked' and 'call 98412 34567' one, of 'TXN9841234567' or
 * an address none.
 */
export function mobilesWithin(text: string): Phone[] {
  const ascii = asciiDigits(text)
  const whole = Array.from(ascii.matchAll(likeNumber))
    .filter(({ 0: written }) => alone.test(written))
    .map(({ index, 0: written }): Within => ({ from: index, to: index + written.length, written }))
  const found = [...whole, ...inGroups(ascii)].filter(({ from, to }) => {
    const next = ascii.slice(to, to + 2)
    const isJoined = joins.test(ascii.charAt(from - 1)) || joins.test(next.charAt(0)) || /^\.\d/.test(next)
    return !isJoined && !(ascii.charAt(from - 1) === '.' && joins.test(ascii.charAt(from - 2)))
  })
  return eachOnce(found.toSorted((a, b) => a.from - b.from).map(({ written }) => written))
}

/** How a mobile's ten digits begin when people divide them: '984 123 4567', '9841-234567', '98412 34567'. */
const firstGroup = /^9[678]\d{1,3}$/
const groupsMax = 4

/** Mobiles whose digits are divided, by blanks alone or by hyphens alone. */
function inGroups(ascii: string): Within[] {
  const groups = Array.from(ascii.matchAll(/\d+/g), ({ index, 0: digits }) => ({ from: index, digits }))
  const found: Within[] = []
  for (let at = 0; at < groups.length; at++) {
    const first = groups[at]
    if (!first || !firstGroup.test(first.digits)) continue
    const sign = ascii.charAt(first.from + first.digits.length)
    if (sign !== ' ' && sign !== '-') continue
    let [written, to] = [first.digits, first.from + first.digits.length]
    for (const { from, digits } of groups.slice(at + 1, at + groupsMax)) {
      if (from !== to + 1 || ascii.charAt(to) !== sign || digits.length < 2 || written.length >= 10) break
      written += digits
      to = from + digits.length
    }
    const before = ascii.slice(Math.max(0, first.from - 5), first.from)
    const isPart = /^-\d/.test(ascii.slice(to, to + 2)) || /(?<=\d)(?<!977)(?<!\b0)-$/.test(before)
    if (mobile.test(written) && !isPart) found.push({ from: first.from, to, written })
  }
  return found
}

/** '9841234567/9801234567', '9841234567 or 01-5970001', '98412345679801234567'; also of numbers that cannot be called. */
function hasSeveral(written: string): boolean {
  if (/^(?:977)?9[678]\d{8}(?:977)?9[678]\d{8}$/.test(bareNumber(written))) return true
  return [apart(written), written.split(/\s+/), written.split('-')].some((parts) => parts.filter(isLong).length > 1)
}

/** The number as the database stores it: 9779812345678. */
export function phoneDigits(phone: Phone): number {
  return Number(phone.e164.slice(1))
}

/** Shown for calls and messages of deleted campaigns, whose numbers are stored as 0. */
export const deletedNumber = '(deleted)'

/** National digits as screens and exports show them: ten for a mobile, 0 and eight for a landline. Also takes phoneDigits as text. */
export function nationalOf(e164: string): string {
  if (e164 === '0') return deletedNumber
  const national = e164.replace(/^\+?977/, '')
  return national.length === 8 ? `0${national}` : national
}
