import { demoPassword } from './auth.ts'

/** How new passwords are judged, by the server, which refuses them, and by the console, which shows it while they are typed. */

const nameFields = ['username', 'name', 'company', 'emailid', 'parentCompany'] as const
/** What an attacker tries first: the account's own names, and ours. */
export type NamesAtHand = Partial<Record<(typeof nameFields)[number], string | undefined>>

/** Judging takes longer with each character, so further characters are accepted unjudged. */
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

/** zxcvbn's result: 10^6 guesses are score 2. */
export type StrengthEstimate = { score: number; sequence: readonly { token: string; dictionaryName?: string }[] }
export type PasswordFault = 'guessable' | 'names'

const scoreMin = 2
/** How many characters a password needs besides these names: 'everest2026' is Everest's. */
const besideNamesMin = 5

/** `words` are those of the names. */
export function faultOf(password: string, words: readonly string[], judgement: StrengthEstimate): PasswordFault | null {
  if (isMadeOf(words, password) || isFoundMadeOfNames(judgement)) return 'names'
  return judgement.score < scoreMin ? 'guessable' : null
}

/** As written, with signs between: 'maya-lama-77', of which zxcvbn sees only one name. */
function isMadeOf(words: readonly string[], password: string): boolean {
  const lower = checkedPart(password).toLowerCase()
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const beside = longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), lower)
  return beside.length < lower.length && beside.replace(/[^\p{L}\p{N}]/gu, '').length < besideNamesMin
}

/** In zxcvbn's readings: backwards, or with signs for letters. */
function isFoundMadeOfNames({ sequence }: StrengthEstimate): boolean {
  const beside = sequence.filter(({ dictionaryName }) => dictionaryName !== 'userInputs')
  const length = beside.reduce((sum, { token }) => sum + token.length, 0)
  return beside.length < sequence.length && length < besideNamesMin
}
