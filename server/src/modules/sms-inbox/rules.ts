import { dialable, nationalOf, phoneDigits } from '@ghanti/contract/phone.ts'
import { plainWords, type InboxRow, type OptOut } from '@ghanti/contract/sms-inbox.ts'
import { isOptOut, isTalk } from '@ghanti/contract/sms-reply-rule.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { SmsWord } from '../../db/tables.ts'
import type { IncomingMessage } from '../../drivers/sms/driver.ts'
import type { InboxEntry } from './store.ts'

/** No message of ten segments is longer. */
const textMax = 1600
/** For names, numbers and short codes. */
const addressMax = 100
/** How many messages per day in Nepal are kept from one number and from one gateway. One opt-out per number is kept beyond that. */
export const inboxLimits = { number: 50, gateway: 100_000, optOuts: 1_000_000 } as const

export type NewIncoming = {
  key: string
  from: string
  to: string
  text: string
  at: Date
  /** JSON; null: the message is complete. */
  part: string | null
  /** 977 and the national digits; null when the sender is not a Nepali number that can get messages. */
  phone: number | null
  word: SmsWord | null
}

export function incomingOf({ key, from, to, text, at, part }: IncomingMessage, words: OptOut): NewIncoming {
  return {
    key,
    from: stored(from, addressMax),
    to: stored(to, addressMax),
    text: stored(text, textMax),
    at,
    part: part && JSON.stringify(part),
    phone: phoneOf(from),
    word: part && part.number > 1 ? null : wordOf(text, words),
  }
}

/** 977 and the national digits; null when it is not a Nepali number that can get messages. */
export function phoneOf(from: string): number | null {
  const phone = dialable(from.startsWith('977') ? `+${from}` : from)
  return phone?.kind === 'mobile' ? phoneDigits(phone) : null
}

const stored = (text: string, max: number): string => text.replaceAll('\0', '').slice(0, max).toWellFormed()

/**
 * A STOP or HELP word may be the whole message or start it; STOP also stands between words of politeness, as contract/src/sms-reply-rule.ts says. A
 * START word must be all of it, because 'start date?' is not consent.
 */
export function wordOf(text: string, { stopWords, startWords, helpWords }: OptOut): SmsWord | null {
  const said = plainWords(text.slice(0, textMax))
  if (said === '') return null
  if (isOptOut(said) || stopWords.some((word) => isSaid(said, word) || asks(text, said, word))) return 'stop'
  if (startWords.some((word) => isSaid(said, word))) return 'start'
  return helpWords.some((word) => isSaid(said, word) || begins(said, word)) ? 'help' : null
}

/** Ignores spaces: 'S T O P', 'stop all'. */
const isSaid = (said: string, word: string): boolean => without(said) === without(plainWords(word))
const begins = (said: string, word: string): boolean => said.startsWith(`${plainWords(word)} `)
const asks = (text: string, said: string, word: string): boolean =>
  begins(said, word) && !isTalk(text, said.slice(plainWords(word).length))
const without = (words: string): string => words.replaceAll(' ', '')

export function rowOf(entry: InboxEntry): InboxRow {
  return {
    inboxId: entry.id,
    msisdn: entry.phone === null ? entry.from_number : nationalOf(String(entry.phone)),
    to: entry.to_number,
    smsText: entry.text,
    receivedTime: nepalTimeOf(entry.received_at),
    campaignId: entry.campaign_id,
    campaignName: entry.campaign_name,
    action: entry.action,
    username: entry.username,
  }
}
