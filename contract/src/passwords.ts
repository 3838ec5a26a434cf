import { demoPassword } from './auth.ts'

/** How new passwords are rated: by the server, which refuses weak ones, and by the console while they are typed. */

const nameFields = ['username', 'name', 'company', 'emailid', 'parentCompany'] as const
/** What an attacker tries first: the account's own names, and the product's. */
export type NamesAtHand = Partial<Record<(typeof nameFields)[number], string | undefined>>

/** Rating takes longer with each character; those beyond this are accepted unrated. */
const checkedMax = 64
const wordsMax = 40
const wordMin = 3
const product = ['ghanti', 'घण्टी', demoPassword]

export function checkedPart(password: string): string {
  return password.slice(0, checkedMax)
}

/** The words of the names, and each name as one word. */
export function wordsAtHand(names: NamesAtHand): string[] {
  const words = nameFields.flatMap((field) => {
    const parts = (names[field] ?? '').toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)
    return [parts.join(''), ...parts]
  })
  const long = words.filter((word) => word.length >= wordMin && word.length <= checkedMax)
  return [...new Set([...product, ...long])].slice(0, wordsMax)
}

/** Of zxcvbn; score 2 is 10^6 guesses. */
export type StrengthEstimate = { score: number; sequence: readonly { token: string; dictionaryName?: string }[] }
export type PasswordFault = 'guessable' | 'names'

const scoreMin = 2
/** How many characters a password needs besides these names: 'everest2026' alone is too close to Everest. */
const besideNamesMin = 5

export function faultOf(password: string, words: readonly string[], estimate: StrengthEstimate): PasswordFault | null {
  if (isMadeOf(words, password) || isFoundMadeOfNames(estimate)) return 'names'
  return estimate.score < scoreMin ? 'guessable' : null
}

/** Names with signs between them, as in 'maya-lama-77', of which zxcvbn finds only one. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const lower = checkedPart(password).toLowerCase()
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const beside = longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), lower)
  return beside.length < lower.length && beside.replace(/[^\p{L}\p{N}]/gu, '').length < besideNamesMin
}

/** Names that zxcvbn recognises: backwards, or with signs for letters. */
function isFoundMadeOfNames({ sequence }: StrengthEstimate): boolean {
  const beside = sequence.filter(({ dictionaryName }) => dictionaryName !== 'userInputs')
  const length = beside.reduce((sum, { token }) => sum + token.length, 0)
  return beside.length < sequence.length && length < besideNamesMin
}
