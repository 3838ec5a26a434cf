import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { operatorsOf, sendersMax, type SenderRow } from '@ghanti/contract/sms-senders.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Sender } from './store.ts'

/** `others`: how many other accounts have or want the name; null hides it from the reader. */
export function rowOf(sender: Sender & { company: string; others: number }, showsOthers: boolean): SenderRow {
  return {
    cliId: sender.id,
    cliName: sender.name,
    cliStatus: approvalCode[sender.status],
    operators: operatorsOf(sender.operators),
    tps: sender.tps,
    reason: sender.reason,
    userId: sender.account_id,
    username: sender.username,
    company: sender.company,
    askedAt: nepalTimeOf(sender.created_at),
    others: showsOthers ? sender.others : null,
  }
}

export const senderWords = {
  tooMany: `An account has at most ${sendersMax} sender IDs: delete one that you do not need`,
  taken: (name: string) => `'${name}' is among your sender IDs already`,
  alreadySo: 'is already approved for exactly these operators and this rate',
  alreadyRejected: 'is rejected already',
  inUse: (campaigns: string) => `is used by ${campaigns}: wait until they are finished or stop them`,
  notYours: 'is not one of your sender IDs',
  pending: (name: string) => `'${name}' waits for approval`,
  rejected: (name: string) => `'${name}' is rejected`,
}
