import type { Receipt } from '../driver.ts'

export type Fate = {
  answer: 'accepted' | 'refused' | 'refusedByGateway' | 'throttledOnce' | 'never' | 'cut'
  /** Refuses the second and later segments of a message. */
  refusesLater?: true
  /** Null when no receipt comes. */
  receipt: { state: Receipt['state']; reason: string | null } | null
  /** Unusual receipts; the usual one comes once, after the answer, with the same id. */
  receiptComes?: 'early' | 'twice' | 'inSmallLetters' | 'inDecimal'
  writes?: string
}

const delivered = { state: 'delivered', reason: null } as const
const failed = (reason: string) => ({ state: 'failed', reason }) as const
const ordinary: Fate = { answer: 'accepted', receipt: delivered }

export const longReply =
  'नमस्ते! यो लामो सन्देश तीन भागमा आउँछ, र प्राप्त गर्नेले ती भागहरू अक्षर अक्षर मिलाएर फेरि एउटै बनाउनुपर्छ 😀। ' +
  'दोस्रो वाक्य यहाँ छ, ताकि सन्देश साँच्चै लामो होस् र कुनै भाग नहराओस्।'

/** By the last two digits, as in `telephony/smsc-net-smpp.pl`. All other numbers get their message. */
const fateOfSuffix = new Map<string, Fate>([
  ['01', { answer: 'refused', receipt: null }],
  ['02', { answer: 'accepted', receipt: failed('it could not be delivered') }],
  ['03', { answer: 'accepted', receipt: { state: 'expired', reason: 'the telephone was not reached in time' } }],
  ['04', { answer: 'accepted', receipt: null }],
  ['05', { ...ordinary, receiptComes: 'early' }],
  ['06', { ...ordinary, receiptComes: 'twice' }],
  ['07', { answer: 'never', receipt: null }],
  ['08', { ...ordinary, answer: 'throttledOnce' }],
  ['09', { answer: 'accepted', receipt: failed('the operator rejected it') }],
  ['11', { ...ordinary, receiptComes: 'inSmallLetters' }],
  ['12', { ...ordinary, refusesLater: true }],
  ['13', { answer: 'refusedByGateway', receipt: null }],
  ['14', { answer: 'cut', receipt: null }],
  ['15', { ...ordinary, writes: 'STOP' }],
  ['16', { ...ordinary, writes: 'बन्द' }],
  ['17', { ...ordinary, writes: longReply }],
  ['19', { ...ordinary, receiptComes: 'inDecimal' }],
])

export function fateOf(number: string): Fate {
  return fateOfSuffix.get(number.slice(-2)) ?? ordinary
}
