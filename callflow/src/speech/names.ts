import { plainNumber } from '@ghanti/contract/written-number.ts'
import { read, refused, type Reading } from './reading.ts'

const tokenLettersMax = 20
const nameLettersMax = 40
/** Of forty letters, these are few enough for no message, and enough for 'M/S Ram & Sons Trading Pvt. Ltd.'. */
const nameWordsMax = 8
const digitsMax = 4

/** Hyphens, brackets, and signs that part words. */
const parting = /[\p{Pd}\p{Ps}\p{Pe}\u2212/,_|#*]/gu
/** Apostrophes and quotes, single and double. */
const withinWords = /['"`´\p{Pi}\p{Pf}]/gu

/** What a person sees of a name or a token but nobody says. '&' and full stops are not among it: one is 'and', the others are of initials. */
function leftOutOf(text: string): string[] {
  return [...(text.match(parting) ?? []), ...(text.match(withinWords) ?? [])]
}

/** A token is spelled, so that all signs between its digits and letters are left out, but none that would make it another: '12.5' is not 125. */
export function readToken(text: string): Reading {
  const written = plainNumber(text).replace(/^(\d+)\.0+$/, '$1')
  if (/^\d{4}-\d\d-\d\d(?:$|[ T])/.test(written)) return refused('is a date: format its cells as text')
  if (/\d[.,]\d/.test(written)) return refused('has a decimal point or comma: format its cells as text')
  const token = written
    .replace(parting, '')
    .replace(withinWords, '')
    .replace(/[.&\s]/g, '')
  if (!/^[0-9A-Za-z]+$/.test(token)) return refused('is not a token: write digits and letters A to Z alone')
  if (token.length > tokenLettersMax) return refused(`has more than ${tokenLettersMax} digits and letters`)
  return read(token.toUpperCase(), [...leftOutOf(written), ...(written.match(/[.&]/g) ?? [])])
}

/**
 * A name or service: letters of any script and at most four digits, so that no telephone number can be spoken. Signs around them are left out, and '&' is
 * 'and' or 'र' by the script of the name. Everything else is refused: it could form a message that nobody approved (docs/design.md#spoken-values).
 */
export function readName(text: string): Reading {
  if ((text.match(/\p{N}/gu) ?? []).length > digitsMax) return refused(`has more than ${digitsMax} digits`)
  const and = /\p{Script=Devanagari}/u.test(text) ? 'र' : 'and'
  const words = text
    .replace(withinWords, '')
    .replace(parting, ' ')
    .replaceAll('&', ` ${and} `)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (!words.every((word) => wordOfName.test(word)) || !/\p{L}/u.test(text)) return refused(whyNoName)
  if (words.some(isJoined)) return refused('has a full stop within a word: write a blank after it')
  const value = words.join(' ')
  if ([...value].length > nameLettersMax) return refused(`has more than ${nameLettersMax} letters`)
  if (words.length > nameWordsMax) return refused(`has more than ${nameWordsMax} words`)
  return read(value, leftOutOf(text))
}

const whyNoName = `may hold letters, up to ${digitsMax} digits and the signs of names alone: - ' & / ( ) .`

/** Each word begins with a letter or digit; marks and the joiners of Indic scripts follow letters. */
const wordOfName = /^[\p{L}0-9][\p{L}\p{M}0-9.\u200c\u200d]*$/u

/**
 * 'K.B.Thapa', 'Md.Ali' and '2.5' have full stops within a word. With more characters before one, 'win.example.com' would be spoken: an address that
 * nobody approved.
 */
function isJoined(word: string): boolean {
  const parts = word.split('.')
  while (parts.at(-1) === '') parts.pop() // Full stops at its end join nothing.
  return parts.slice(0, -1).some((part) => (part.match(/[\p{L}0-9]/gu) ?? []).length > 2)
}
