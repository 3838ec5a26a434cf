import { read, refused, type Reading } from './reading.ts'

const tokenLettersMax = 20
const nameLettersMax = 40
const nameWordsMax = 5
const serviceDigitsMax = 4

export function readToken(text: string): Reading {
  if (!/^[0-9A-Za-z]+$/.test(text)) return refused('is not a token: write digits and letters A to Z alone')
  if (text.length > tokenLettersMax) return refused(`has more than ${tokenLettersMax} digits and letters`)
  return read(text.toUpperCase())
}

export function readName(text: string): Reading {
  if (/\p{N}/u.test(text)) return refused('has digits')
  return readWords(text)
}

/** Like a name, but may contain some digits ('4G', 'Tyre 16'): at most two in a row and four in all, so that no telephone number can be spoken. */
export function readService(text: string): Reading {
  if (/\d{3}/.test(text)) return refused('has more than two digits in a row')
  if ((text.match(/\d/g) ?? []).length > serviceDigitsMax) return refused(`has more than ${serviceDigitsMax} digits`)
  return readWords(text)
}

/**
 * 'K.B.Thapa', 'Md.Ali' and '2.5' have full stops within a word. With more characters before one, 'win.example.com' would be spoken: an address that
 * nobody approved.
 */
function isJoined(word: string): boolean {
  const parts = word.split('.')
  while (parts.at(-1) === '') parts.pop() // Full stops at its end join nothing.
  return parts.slice(0, -1).some((part) => (part.match(/[\p{L}0-9]/gu) ?? []).length > 2)
}

/** Each word begins with a letter or digit; marks and the joiners of Indic scripts follow letters. */
const wordOfName = /^[\p{L}0-9][\p{L}\p{M}0-9.\u200c\u200d]*$/u

/** Letters of any script, '.', and single blanks: nothing that could form a message that nobody approved (docs/design.md#spoken-values). */
function readWords(text: string): Reading {
  const words = text.split(/\s+/)
  if (!words.every((word) => wordOfName.test(word)) || !/\p{L}/u.test(text))
    return refused('may hold letters, blanks and full stops alone')
  if (words.some(isJoined)) return refused('has a full stop within a word: write a blank after it')
  const value = words.join(' ')
  if ([...value].length > nameLettersMax) return refused(`has more than ${nameLettersMax} letters`)
  if (words.length > nameWordsMax) return refused(`has more than ${nameWordsMax} words`)
  return read(value)
}
