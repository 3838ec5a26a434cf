import type { AccountType } from '@ghanti/contract/roles.ts'
import { accountTypes } from '@ghanti/contract/roles.ts'
import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { savedTextsMax, type TextApproval, type TextRow } from '@ghanti/contract/sms-texts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { ListedWords } from '../../lib/wording/listed-words.ts'
import type { SavedText } from './store.ts'

export function rowOf(text: SavedText): TextRow {
  return {
    textId: text.id,
    textName: text.name,
    smsText: text.text,
    textStatus: approvalCode[text.status],
    urgent: text.is_urgent,
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
  const word = new ListedWords(words).firstIn(text)
  if (word !== null) return { by: 'word', word }
  return promotional && accountType === 'promotional' ? { by: 'account' } : null
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
