import * as z from 'zod/mini'
import { SmsAddressHosts } from './sms-address.ts'
import { CallingHours } from './calling-hours.ts'
import { OperatorPrefixes } from './operators.ts'
import { InboxDays, OptOut } from './sms-inbox.ts'
import { TextApproval } from './sms-texts.ts'
import { Quotas, Stored } from './quotas.ts'
import { json } from './route.ts'
import { Message, wireInt } from './values.ts'

const callsMax = 10_000
/** What is wrong by itself is not compared. */
const areCaps = (caps: object): boolean => Object.values(caps).every((calls) => Number(calls) >= 1)

/**
 * How often a number may be called on one of Nepal's days: `answered` and `attempted` by one account, `platform` by all accounts together.
 * Counted are calls that rang or ended as if they had (docs/design.md#numbers-and-caps).
 */
export const NumberCaps = z
  .strictObject({ answered: wireInt(1, callsMax), attempted: wireInt(1, callsMax), platform: wireInt(1, callsMax) })
  .check(
    z.refine((caps) => !areCaps(caps) || caps.answered <= caps.attempted, {
      path: ['answered'],
      error: 'must not be more than the calls of one account in all',
    }),
    z.refine((caps) => !areCaps(caps) || caps.attempted <= caps.platform, {
      path: ['attempted'],
      error: 'must not be more than the calls of all accounts',
    }),
  )

/** How many messages a number may have on one of Nepal's days: of one account, and of all together. */
export const SmsNumberCaps = z.strictObject({ account: wireInt(1, callsMax), platform: wireInt(1, callsMax) }).check(
  z.refine((caps) => !areCaps(caps) || caps.account <= caps.platform, {
    path: ['account'],
    error: 'must not be more than the messages of all accounts',
  }),
)

/** Of a segment of a message, where a plan has no price of its own. */
export const SmsPricePaisa = wireInt(0, 100_000)

/** So long the calls of a dialer that does not answer are waited for; then they end LOST as soon as each must be over by the clock. */
export const DialerWaitMinutes = wireInt(1, 1440)

/** A contact file goes when no campaign was made of it for so many days. */
export const ContactFileDays = wireInt(1, 3650)

/** Calls and messages leave the database for files so many months after they were made; 0: never. */
export const HistoryMonths = wireInt(0, 120)

/** An export goes so many days after it was made. */
export const ExportDays = wireInt(1, 365)

/** Who is beyond what holds now, as it is after quotas or caps were lowered: nothing is taken from anybody, and nothing more is let in. */
const Beyond = {
  /** Accounts that store more than a quota; `first`: those that are furthest beyond one, at most five. */
  overQuotas: z.object({ accounts: z.number(), first: z.array(z.object({ username: z.string(), ...Stored.shape })) }),
  /** How many numbers were called more often today than they may be; they wait for the next day. */
  overCaps: z.number(),
}

/** What holds for the whole platform and is set by super admins. */
export const settingRoutes = {
  read: json({
    method: 'GET',
    path: '/api/obd/settings',
    reply: z.object({
      numberCaps: NumberCaps,
      dialerWaitMinutes: DialerWaitMinutes,
      quotas: Quotas,
      contactFileDays: ContactFileDays,
      exportDays: ExportDays,
      historyMonths: HistoryMonths,
      operatorPrefixes: OperatorPrefixes,
      textApproval: TextApproval,
      smsNumberCaps: SmsNumberCaps,
      smsHours: CallingHours,
      smsPricePaisa: SmsPricePaisa,
      optOut: OptOut,
      inboxDays: InboxDays,
      smsAddressHosts: SmsAddressHosts,
      ...Beyond,
    }),
  }),
  /** What is left out stays as it is. Quotas below what accounts store take nothing away from them; they can add nothing. */
  save: json({
    method: 'POST',
    path: '/api/obd/settings',
    input: z.strictObject({
      numberCaps: z.optional(NumberCaps),
      dialerWaitMinutes: z.optional(DialerWaitMinutes),
      quotas: z.optional(Quotas),
      contactFileDays: z.optional(ContactFileDays),
      exportDays: z.optional(ExportDays),
      historyMonths: z.optional(HistoryMonths),
      operatorPrefixes: z.optional(OperatorPrefixes),
      textApproval: z.optional(TextApproval),
      smsNumberCaps: z.optional(SmsNumberCaps),
      /** When messages may be sent. */
      smsHours: z.optional(CallingHours),
      /** Refused when a plan would cost less for messages than its giver's. */
      smsPricePaisa: z.optional(SmsPricePaisa),
      /** What people may write back, and what they are answered. */
      optOut: z.optional(OptOut),
      inboxDays: z.optional(InboxDays),
      /** Hosts that addresses after calls may lead to although they are private or have another port. */
      smsAddressHosts: z.optional(SmsAddressHosts),
    }),
    reply: z.extend(Message, Beyond),
  }),
}
