import * as z from 'zod/mini'
import { Quotas, Stored } from './quotas.ts'
import { json, type ReplyOf } from './route.ts'
import { UserRow } from './users.ts'
import { UserIdInput } from './values.ts'

/** So many calendar months, the one of now among them. */
export const customerMonths = 12
/** The last sign-ins that are shown. */
export const signInsShown = 10

const nullable = z.nullable(z.number())

/** How long a balance lasts if it is spent as on the last days with calls or messages, seven at most; today, which is not over, is not among them. */
export const Lasts = z.object({
  /** Whole days; null: there was no such day, or those that were cost nothing. */
  days: nullable,
  /** Rupees that such a day cost on the average; null: there was none. */
  perDay: nullable,
  /** How many days that is the mean of. */
  ofDays: z.number(),
})
export type Lasts = z.output<typeof Lasts>

const Plan = z.object({
  planName: z.string(),
  /** Seconds. */
  pulseDuration: z.number(),
  /** Paisa. */
  pulsePrice: z.number(),
  /** Paisa a segment, the platform's where the plan has none. */
  smsPrice: z.number(),
})

const Month = z.object({
  /** Nepal's calendar month, AD: '2026-11'. */
  month: z.string(),
  calls: z.number(),
  answered: z.number(),
  messages: z.number(),
  /** Rupees that the account paid for calls and messages, its own and those of the accounts below it. */
  spend: z.number(),
  /** What of it stayed with the account right above; below zero: it paid more than it got. */
  margin: z.number(),
})

export const customerRoutes = {
  /** All that whoever is above an account looks after, from counters and small tables. */
  detail: json({
    method: 'GET',
    path: '/api/obd/customer/:userId',
    input: UserIdInput,
    reply: z.object({
      account: UserRow,
      createdAt: z.string(),
      /** Rupees below which the account and who gives it credits are told. */
      lowBalanceLimit: z.number(),
      /** Null of a reseller, whose balance is not spent by calls. */
      lasts: z.nullable(Lasts),
      plan: z.nullable(Plan),
      /** What the account above pays itself; null: that is the platform, or it has no plan. */
      planAbove: z.nullable(Plan),
      channels: z.object({
        /** Calls that are up now, of a reseller those of everybody below. */
        inUse: z.number(),
        /** Of those that the account has, what the accounts right below it were given. */
        given: z.number(),
      }),
      /** The first is the month of now. */
      months: z.array(Month),
      quotas: Quotas,
      used: Stored,
      /** Open ones. */
      sessions: z.number(),
      /** The newest first, of the last thousand lines of the audit log about the account. */
      signIns: z.array(z.object({ at: z.string(), ip: z.string() })),
    }),
  }),
}
export type Customer = ReplyOf<typeof customerRoutes.detail>
