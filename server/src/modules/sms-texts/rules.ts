import type { AccountType } from '@ghanti/contract/roles.ts'
import { accountTypes } from '@ghanti/contract/roles.ts'
import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { savedTextsMax, type TextApproval, type TextRow } from '@ghanti/contract/sms-texts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { SavedText } from './store.ts'

export function rowOf(text: SavedText): TextRow {
  return {
    textId: text.id,
    textName: text.name,
    smsText: text.text,
    textStatus: approvalCode[text.status],
    reason: text.reason,
    userId: text.account_id,
    username: text.username,
    accountType: accountTypes.indexOf(text.account_type),
    changedAt: nepalTimeOf(text.changed_at),
  }
}

export type Cause = { by: 'account' } | { by: 'word'; word: string }

/** Null when it needs none. */
export function causeOf(text: string, accountType: AccountType, { promotional, words }: TextApproval): Cause | null {
  const word = words.find((one) => hasWord(text, one))
  if (word !== undefined) return { by: 'word', word }
  return promotional && accountType === 'promotional' ? { by: 'account' } : null
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .toLowerCase()
const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{M}\p{N}]/u.test(sign)

/**
 * Matches only where a word starts. Latin words must also end there, so that 'bet' is not found in 'better'; Devanagari words need not,
 * because Nepali appends its endings.
 */
export function hasWord(text: string, word: string): boolean {
  const [where, what] = [plain(text), plain(word).trim()]
  if (what === '') return false
  const endsItself = /[a-z0-9]$/.test(what)
  for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, at + 1)) {
    const behind = where[at + what.length]
    if (!isLetter(where[at - 1]) && !(endsItself && isLetter(behind))) return true
  }
  return false
}

export const textWords = {
  tooMany: `An account has at most ${savedTextsMax} saved texts: delete one that you do not need`,
  taken: (name: string) => `'${name}' is the name of another of your texts`,
  decided: (label: string) => `is already ${label}`,
  needsApproval: (cause: Cause) =>
    cause.by === 'word'
      ? `has the word '${cause.word}' and must be approved first: save it as a text and wait for the approval`
      : 'must be approved first: save it as a text and wait for the approval',
  pending: (name: string) => `waits for approval: it is your text '${name}'`,
  rejected: (name: string) => `was rejected: it is your text '${name}'`,
}
