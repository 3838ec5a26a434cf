import { asciiDigits, dialable } from '@ghanti/contract/phone.ts'
import type { AccountType } from '@ghanti/contract/roles.ts'
import type { TextApproval } from '@ghanti/contract/sms-texts.ts'
import { causeOf, hasWord } from '../../sms-texts/rules.ts'

/**
 * Which values of a personalised text need approval: those with one of the `words`; and if `isStrict`, because the text itself needed approval, those that
 * are more than figures, dates and names.
 */
export type ValueRule = { words: readonly string[]; isStrict: boolean }

/** Null: no value of this text needs approval. */
export function valueRuleOf(text: string, accountType: AccountType, approval: TextApproval): ValueRule | null {
  const isStrict = causeOf(text, accountType, approval) !== null
  return isStrict || approval.words.length > 0 ? { words: approval.words, isStrict } : null
}

const signsMax = 40
const numbers = /\+?\d[\d ()-]*/g

/** Why this value needs approval, continuing a sentence after its column's name; null when it does not. Figures, dates and names pass. */
export function whyUnapproved(value: string, { words, isStrict }: ValueRule): string | null {
  const word = words.find((one) => hasWord(value, one))
  if (word !== undefined) return `it has the word '${word}'`
  if (!isStrict) return null
  const plain = asciiDigits(value.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''))
  if ([...plain].length > signsMax) return `it has more than ${signsMax} characters`
  if (/[\n\r]/.test(plain)) return 'it has several lines'
  if (/[@/\\]|www/i.test(plain) || plain.split(/\s+/).some(isJoined)) return 'it looks like an address'
  if ((plain.match(numbers) ?? []).some((digits) => dialable(digits) !== null)) return 'it has a telephone number'
  return null
}

/** 'K.B.Thapa' and '1,250.50' may contain full stops; 'win.example' would be an address. */
function isJoined(word: string): boolean {
  if (/^[\p{N}.,:%-]+$/u.test(word)) return false
  const parts = word.split(/[.。․．]/)
  while (parts.at(-1) === '') parts.pop()
  return parts.slice(0, -1).some((part) => (part.match(/[\p{L}\p{N}]/gu) ?? []).length > 2)
}
