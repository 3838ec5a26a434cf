import type { AccountType } from '@ghanti/contract/roles.ts'
import type { TextApproval } from '@ghanti/contract/sms-texts.ts'
import { hasAddress } from '../../../lib/wording/addresses.ts'
import { ListedWords } from '../../../lib/wording/listed-words.ts'
import { skeletonOf } from '../../../lib/wording/skeleton.ts'
import { hasTelephoneNumber } from '../../../lib/wording/telephone-numbers.ts'
import { causeOf } from '../../sms-texts/rules.ts'

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

/** Characters. */
export const valueMax = 40
const line = /[\n\r\v\f\u0085\u2028\u2029]/

/** Those that are seen; marks count, as in Nepali they are vowels. */
const charactersOf = (value: string): number =>
  Array.from(value.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')).length

/** Which values wait, by one rule. An instance serves a whole file: the words are read once. */
export class ValueCheck {
  readonly #isStrict: boolean
  readonly #words: ListedWords
  readonly hasWords: boolean

  constructor({ words, isStrict }: ValueRule) {
    this.hasWords = words.length > 0
    this.#isStrict = isStrict
    this.#words = new ListedWords(words)
  }

  /** Why this value needs approval, continuing a sentence after its column's name; null when it does not. Figures, dates and names pass. */
  whyUnapproved(value: string): string | null {
    const word = this.#words.firstIn(value)
    if (word !== null) return `it has the word '${word}'`
    if (!this.#isStrict) return null
    const skeleton = skeletonOf(value)
    if (Math.max(value.length, skeleton.length) > valueMax && charactersOf(value) > valueMax)
      return `it has more than ${valueMax} characters`
    if (line.test(value)) return 'it has several lines'
    return this.#whyContact(skeleton)
  }

  /** Of values that stand side by side, each of which passes. */
  whyTogether(values: string): string | null {
    return this.#isStrict ? this.#whyContact(skeletonOf(values)) : null
  }

  wordsIn(text: string): Set<string> {
    return this.#words.allIn(text)
  }

  #whyContact(skeleton: string): string | null {
    if (hasAddress(skeleton)) return 'it looks like an address'
    return hasTelephoneNumber(skeleton) ? 'it has a telephone number' : null
  }
}
