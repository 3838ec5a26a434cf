import { shareOf } from '@ghanti/contract/insight-figures.ts'
import { keypad, leftBefore, type Answers, type CallInsight, type MessageInsight } from '@ghanti/contract/insight.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { mean } from './rules.ts'

export const callSums = [
  'attempts',
  'answered',
  'busy',
  'no_answer',
  'rejected',
  'invalid',
  'congestion',
  'failed',
  'cancel',
  'lost',
  'rung',
  'keyed',
  'dropped',
  'joined',
  'joined_ms',
  'talk_ms',
  'pdd_calls',
  'pdd_ms',
  'pulses',
  'cost_paisa',
  'paid_paisa',
  'received_paisa',
] as const
export const messageSums = [
  'messages',
  'accepted',
  'refused',
  'unknown',
  'delivered',
  'undelivered',
  'segments',
  'cost_paisa',
  'paid_paisa',
  'received_paisa',
] as const
/** Columns of answer_count that are added up, in the contract's order of keys and bands. */
export const keySums = [
  'key_1',
  'key_2',
  'key_3',
  'key_4',
  'key_5',
  'key_6',
  'key_7',
  'key_8',
  'key_9',
  'key_0',
  'key_star',
] as const
export const leftSums = ['left_5', 'left_10', 'left_20', 'left_30', 'left_60', 'left_later'] as const
export const answerSums = [...keySums, ...leftSums] as const
export type Sums<Name extends string> = Record<Name, number>
export type CallSums = Sums<(typeof callSums)[number]>
export type AnswerSums = Sums<(typeof answerSums)[number]>
export type MessageSums = Sums<(typeof messageSums)[number]>

export function added<Name extends string>(names: readonly Name[], rows: readonly Sums<Name>[]): Sums<Name> {
  return Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Sums<Name>
}

/** Whose ledger it is: a user's, who has nobody below; a reseller's; or that of the platform, which pays nobody. */
export type LedgerRole = 'user' | 'reseller' | 'platform'

function moneyOf(sums: { cost_paisa: number; paid_paisa: number; received_paisa: number }, ledgerRole: LedgerRole) {
  return {
    cost: rupeesOf(sums.cost_paisa),
    spend: ledgerRole === 'platform' ? null : rupeesOf(sums.paid_paisa),
    margin: ledgerRole === 'user' ? null : rupeesOf(sums.received_paisa - sums.paid_paisa),
  }
}

const ratesOf = (sums: CallSums) => ({
  asr: shareOf(sums.answered, sums.attempts - sums.cancel),
  acd: mean(sums.talk_ms / 1000, sums.answered, 1),
  pdd: mean(sums.pdd_ms, sums.pdd_calls),
})

export function callFiguresOf(sums: CallSums, ledgerRole: LedgerRole): CallInsight['totals'] {
  const reached = sums.answered + sums.busy + sums.no_answer + sums.rejected
  return {
    attempts: sums.attempts,
    answered: sums.answered,
    busy: sums.busy,
    noAnswer: sums.no_answer,
    rejected: sums.rejected,
    invalid: sums.invalid,
    congestion: sums.congestion,
    failed: sums.failed,
    cancelled: sums.cancel,
    lost: sums.lost,
    ringOnly: sums.rung,
    keyed: sums.keyed,
    dropped: sums.dropped,
    joined: sums.joined,
    joinedSeconds: Math.round(sums.joined_ms / 1000),
    seconds: Math.round(sums.talk_ms / 1000),
    pulses: sums.pulses,
    ...moneyOf(sums, ledgerRole),
    ...ratesOf(sums),
    ner: shareOf(reached, sums.attempts - sums.cancel),
  }
}

export function callPointOf(time: string, sums: CallSums): CallInsight['series'][number] {
  const { attempts, answered, busy, no_answer: noAnswer, keyed, pulses, cost_paisa: paisa } = sums
  const failed = attempts - answered - busy - noAnswer
  return { time, attempts, answered, busy, noAnswer, failed, keyed, pulses, cost: rupeesOf(paisa), ...ratesOf(sums) }
}

export function answersOf(sums: AnswerSums): Answers {
  return {
    keys: keypad.flatMap((key, n) => {
      const count = sums[keySums[n] ?? 'key_star']
      return count === 0 ? [] : [{ key, count }]
    }),
    left: leftBefore.map((before, n) => ({ before, count: sums[leftSums[n] ?? 'left_later'] })),
  }
}

export function messageFiguresOf(sums: MessageSums, ledgerRole: LedgerRole): MessageInsight['totals'] {
  const { messages, accepted, refused, unknown, delivered, undelivered, segments } = sums
  const deliveredShare = shareOf(delivered, accepted)
  return {
    messages,
    accepted,
    refused,
    unknown,
    delivered,
    undelivered,
    segments,
    deliveredShare,
    ...moneyOf(sums, ledgerRole),
  }
}

export function messagePointOf(time: string, sums: MessageSums): MessageInsight['series'][number] {
  const { messages, accepted, delivered, refused, segments, cost_paisa: paisa } = sums
  return { time, messages, accepted, delivered, refused, segments, cost: rupeesOf(paisa) }
}
