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
/** Invalid caps are not compared. */
const areCaps = (caps: object): boolean => Object.values(caps).every((calls) => Number(calls) >= 1)

/** Per number and day in Nepal: by one account, and by all. Calls that rang or ended as if they had (docs/design.md#numbers-and-caps). */
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

/** Per number and day in Nepal. */
export const SmsNumberCaps = z.strictObject({ account: wireInt(1, callsMax), platform: wireInt(1, callsMax) }).check(
  z.refine((caps) => !areCaps(caps) || caps.account <= caps.platform, {
    path: ['account'],
    error: 'must not be more than the messages of all accounts',
  }),
)

/** Where a plan has no price of its own. */
export const SmsPricePaisa = wireInt(0, 100_000)

/** For a silent dialer's calls; then each ends as LOST once it must be over by the clock. */
export const DialerWaitMinutes = wireInt(1, 1440)

/** Without use. */
export const ContactFileDays = wireInt(1, 3650)

/** Before calls and messages move to files; 0: never. */
export const HistoryMonths = wireInt(0, 120)

export const ExportDays = wireInt(1, 365)

/** Nothing is taken from accounts and numbers beyond lowered limits, but nothing more is accepted. */
const Beyond = {
  /** `first`: at most five, furthest beyond a quota. */
  overQuotas: z.object({ accounts: z.number(), first: z.array(z.object({ username: z.string(), ...Stored.shape })) }),
  /** They wait for the next day. */
  overCaps: z.number(),
}

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
  /** Fields left out stay. */
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
      smsHours: z.optional(CallingHours),
      /** Refused when an account would pay less than the one above it. */
      smsPricePaisa: z.optional(SmsPricePaisa),
      optOut: z.optional(OptOut),
      inboxDays: z.optional(InboxDays),
      /** Private hosts and non-standard ports, for addresses after calls. */
      smsAddressHosts: z.optional(SmsAddressHosts),
    }),
    reply: z.extend(Message, Beyond),
  }),
}
