import * as z from 'zod/mini'
import { json } from './route.ts'
import { calendars, languages } from './templates.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, Message, orRequired, Text, wireInt } from './values.ts'

const oneOf = (values: readonly string[]) => orRequired(`must be one of ${values.join(', ')}`)

/** What is attached: the summary's page as PDF, its figures as CSV, or both. */
export const summaryFormats = ['pdf', 'csv', 'both'] as const
export type SummaryFormats = (typeof summaryFormats)[number]

export const summaryAddressesMax = 5
/** How many summaries an account may mail per day in Nepal, to all its addresses together. */
export const summaryMailsPerDay = 60

/** 'waiting': its reader has not confirmed it yet; 'stopped': its reader wants no more mails. */
const addressStates = ['confirmed', 'waiting', 'stopped'] as const
const SummaryAddress = z.object({ addressId: z.number(), address: z.string(), state: z.enum(addressStates) })
export type SummaryAddress = z.output<typeof SummaryAddress>

/** 'unknown': the mail server may have taken it, so it is not sent again. */
const mailStates = ['queued', 'sending', 'sent', 'dropped', 'failed', 'unknown'] as const
/**
 * Why a mail was not sent.
 * - tooMany: the account's limit of the day was reached
 * - unwanted: its reader has not confirmed the address, or wants no more mails
 * - gone: the campaign was deleted, or the account disabled
 * - refused: the mail server refused the address for good
 * - notTaken: the mail server could not be reached, or did not take the mail, in several tries
 * - inDoubt: nobody knows whether it arrived
 */
const unsentReasons = ['tooMany', 'unwanted', 'gone', 'refused', 'notTaken', 'inDoubt'] as const
export type UnsentReason = (typeof unsentReasons)[number]
const SummaryMail = z.object({
  mailId: z.number(),
  address: z.string(),
  kind: z.enum(['daily', 'completion', 'asked']),
  /** Null for a daily mail, which reports on several campaigns. */
  campaignName: z.nullable(z.string()),
  day: z.nullable(z.string()),
  time: z.string(),
  state: z.enum(mailStates),
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
      /** The hour in Nepal at which yesterday's campaigns are mailed; null: no daily mail. */
      dailyHour: z.nullable(z.number()),
      onCompletion: z.boolean(),
      formats: z.enum(summaryFormats),
      /** Null until the account has chosen. */
      language: z.nullable(z.enum(languages)),
      calendar: z.nullable(z.enum(calendars)),
      addresses: z.array(SummaryAddress),
      /** The latest twenty, newest first. */
      mails: z.array(SummaryMail),
      mailsToday: z.number(),
    }),
  }),
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
  /** Mails a confirmation link to it, again if it still waits; not needed for the account's own confirmed address. */
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
  /** `token` is the end of the mailed link. Needs no session. */
  confirm: json({ method: 'POST', path: '/api/obd/summary-mails/confirm', input: TokenInput, reply: Message }),
  /** `token` is the end of the link at the foot of each mail. Needs no session. */
  stop: json({ method: 'POST', path: '/api/obd/summary-mails/stop', input: TokenInput, reply: Message }),
  /** Mails the summary of one campaign now, to confirmed addresses of the account. */
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
