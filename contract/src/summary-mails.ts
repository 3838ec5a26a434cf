import * as z from 'zod/mini'
import { json } from './route.ts'
import { calendars, languages } from './templates.ts'
import { Id, jsonOr, Message, orRequired, Text, wireInt } from './values.ts'

const oneOf = (values: readonly string[]) => orRequired(`must be one of ${values.join(', ')}`)

/** What is attached: the page, the line of the table, or both. */
export const summaryFormats = ['pdf', 'csv', 'both'] as const
export type SummaryFormats = (typeof summaryFormats)[number]

/** Addresses that one account may have summaries mailed to. */
export const summaryAddressesMax = 5
/** Mails of summaries that go to all addresses of an account on one of Nepal's days. */
export const summaryMailsPerDay = 60

/** Its reader confirmed it; did not yet; or wants no more. */
const addressStates = ['confirmed', 'waiting', 'stopped'] as const
const SummaryAddress = z.object({ addressId: z.number(), address: z.string(), state: z.enum(addressStates) })
export type SummaryAddress = z.output<typeof SummaryAddress>

/** What became of a mail; 'unknown': the server that takes mails may have it, and it is not sent again. */
const mailStates = ['queued', 'sending', 'sent', 'dropped', 'failed', 'unknown'] as const
/**
 * Why a mail was not sent: the day's number was used up; its reader had not confirmed or wants no more; its campaign was deleted or the account
 * disabled; the mail server refused the address for good, or did not take it in several tries; nobody knows whether it arrived.
 */
const unsentReasons = ['tooMany', 'unwanted', 'gone', 'refused', 'notTaken', 'inDoubt'] as const
export type UnsentReason = (typeof unsentReasons)[number]
const SummaryMail = z.object({
  mailId: z.number(),
  address: z.string(),
  kind: z.enum(['daily', 'completion', 'asked']),
  /** Null of a daily mail, which is about the campaigns of a day. */
  campaignName: z.nullable(z.string()),
  day: z.nullable(z.string()),
  time: z.string(),
  state: z.enum(mailStates),
  /** Null while it may still be sent, and once it was. */
  reason: z.nullable(z.enum(unsentReasons)),
})
export type SummaryMail = z.output<typeof SummaryMail>

const written = {
  formats: z.enum(summaryFormats, oneOf(summaryFormats)),
  language: z.enum(languages, oneOf(languages)),
  calendar: z.enum(calendars, oneOf(calendars)),
}

const AddressInput = z.object({ addressId: Id })
const TokenInput = z.object({ token: Text(200) })

export const summaryMailRoutes = {
  read: json({
    method: 'GET',
    path: '/api/obd/summary-mails',
    reply: z.object({
      /** False: this server sends no mail. */
      isSent: z.boolean(),
      /** Nepal's hour at which campaigns of the day before are mailed; null: no daily mail. */
      dailyHour: z.nullable(z.number()),
      onCompletion: z.boolean(),
      formats: z.enum(summaryFormats),
      /** Null: nothing was chosen yet. */
      language: z.nullable(z.enum(languages)),
      calendar: z.nullable(z.enum(calendars)),
      addresses: z.array(SummaryAddress),
      /** The newest twenty. */
      mails: z.array(SummaryMail),
      mailsToday: z.number(),
    }),
  }),
  /** Without `dailyHour` there is no daily mail. */
  save: json({
    method: 'POST',
    path: '/api/obd/summary-mails',
    input: z.object({
      dailyHour: z.optional(wireInt(0, 23)),
      onCompletion: z.boolean(orRequired('must be true or false')),
      ...written,
    }),
    reply: Message,
  }),
  /** Mails a link to it, unless it is the account's own confirmed one. Also once more to one that waits. */
  addAddress: json({
    method: 'POST',
    path: '/api/obd/summary-mails/address',
    input: z.object({ address: Text(254) }),
    reply: z.object({ message: z.string(), addressId: z.number() }),
  }),
  removeAddress: json({
    method: 'DELETE',
    path: '/api/obd/summary-mails/address/:addressId',
    input: AddressInput,
    reply: Message,
  }),
  /** `token` is the end of the mailed link; without a session. */
  confirm: json({ method: 'POST', path: '/api/obd/summary-mails/confirm', input: TokenInput, reply: Message }),
  /** The end of the link at the foot of each mail; without a session. */
  stop: json({ method: 'POST', path: '/api/obd/summary-mails/stop', input: TokenInput, reply: Message }),
  /** The summary of one campaign, now, to confirmed addresses of the account. */
  send: json({
    method: 'POST',
    path: '/api/obd/campaign/summary/mail',
    input: z.object({
      campaignId: Id,
      addressIds: jsonOr(
        z
          .array(Id, orRequired('must be a list'))
          .check(
            z.minLength(1, { error: 'is empty' }),
            z.maxLength(summaryAddressesMax, { error: `has more than ${summaryAddressesMax}` }),
          ),
      ),
      ...written,
    }),
    reply: Message,
  }),
}
