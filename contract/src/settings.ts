import * as z from 'zod/mini'
import { SmsAddressHosts } from './sms-address.ts'
import { CallingHours } from './calling-hours.ts'
import { OperatorPrefixes } from './operators.ts'
import { LostServer } from './lost-server.ts'
import { InboxDays, OptOut } from './sms-inbox.ts'
import { TextApproval } from './sms-texts.ts'
import { Quotas, Stored } from './quotas.ts'
import { json } from './route.ts'
import { Message, wireInt } from './values.ts'

const callsMax = 10_000
/** Caps that are invalid themselves are not compared. */
const areCaps = (caps: object): boolean => Object.values(caps).every((calls) => Number(calls) >= 1)

/**
 * Calls per number and day in Nepal: `answered` and `attempted` by one account, `platform` by all. Counts calls that rang or ended as if
 * they had (docs/design.md#numbers-and-caps).
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

/** Messages per number and day in Nepal: by one account, and by all. */
export const SmsNumberCaps = z.strictObject({ account: wireInt(1, callsMax), platform: wireInt(1, callsMax) }).check(
  z.refine((caps) => !areCaps(caps) || caps.account <= caps.platform, {
    path: ['account'],
    error: 'must not be more than the messages of all accounts',
  }),
)

/** Per segment, where a plan has no price of its own. */
export const SmsPricePaisa = wireInt(0, 100_000)

/** How long to wait for the calls of a dialer that does not answer; then each ends as LOST once it must be over by the clock. */
export const DialerWaitMinutes = wireInt(1, 1440)

/** A contact file unused for this long is deleted. */
export const ContactFileDays = wireInt(1, 3650)

/** After how many months calls and messages move from the database to files; 0: never. */
export const HistoryMonths = wireInt(0, 120)

const Rule = z.enum(['off', 'required'])
/** Which accounts must have a second factor. */
export const SecondFactor = z.strictObject({ superAdmins: Rule, resellers: Rule, users: Rule })

/** For how long a sign-in, or a proof after it, lets sensitive requests through. */
export const ProofMinutes = wireInt(5, 60)

export const ExportDays = wireInt(1, 365)

/** Accounts and numbers beyond lowered quotas or caps: nothing is taken from them, but nothing more is accepted. */
const Beyond = {
  /** `first`: at most five accounts, those furthest beyond a quota. */
  overQuotas: z.object({ accounts: z.number(), first: z.array(z.object({ username: z.string(), ...Stored.shape })) }),
  /** Numbers called more often today than the caps allow; they wait for the next day. */
  overCaps: z.number(),
}

export const settingRoutes = {
  read: json({
    method: 'GET',
    path: '/api/obd/settings',
    reply: z.object({
      numberCaps: NumberCaps,
      dialerWaitMinutes: DialerWaitMinutes,
      /** Whether a password that an account above chose must be changed at the next sign-in. */
      firstPassword: z.boolean(),
      secondFactor: SecondFactor,
      proofMinutes: ProofMinutes,
      lostServer: LostServer,
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
  /** Fields left out stay. Lowered quotas take nothing away; accounts beyond them can add nothing. */
  save: json({
    method: 'POST',
    path: '/api/obd/settings',
    input: z.strictObject({
      numberCaps: z.optional(NumberCaps),
      dialerWaitMinutes: z.optional(DialerWaitMinutes),
      firstPassword: z.optional(z.boolean()),
      secondFactor: z.optional(SecondFactor),
      proofMinutes: z.optional(ProofMinutes),
      /** Refused when the speech engine cannot say a sentence. */
      lostServer: z.optional(LostServer),
      quotas: z.optional(Quotas),
      contactFileDays: z.optional(ContactFileDays),
      exportDays: z.optional(ExportDays),
      historyMonths: z.optional(HistoryMonths),
      operatorPrefixes: z.optional(OperatorPrefixes),
      textApproval: z.optional(TextApproval),
      smsNumberCaps: z.optional(SmsNumberCaps),
      smsHours: z.optional(CallingHours),
      /** Refused when an account would pay less for messages than the one above it. */
      smsPricePaisa: z.optional(SmsPricePaisa),
      optOut: z.optional(OptOut),
      inboxDays: z.optional(InboxDays),
      /** Private hosts and non-standard ports that addresses after calls may use. */
      smsAddressHosts: z.optional(SmsAddressHosts),
    }),
    reply: z.extend(Message, Beyond),
  }),
}
