import * as z from 'zod/mini'
import { Quotas, Stored } from './quotas.ts'
import { json, type ReplyOf } from './route.ts'
import { UserRow } from './users.ts'
import { UserIdInput } from './values.ts'

export const customerMonths = 12
/** How many of the latest sign-ins are shown, and how many failed ones. */
export const signInsShown = 10

const nullable = z.nullable(z.number())

/** How long the balance lasts if spending continues as on the last days with calls or messages (at most seven, today excluded). */
export const Lasts = z.object({
  /** Whole days. Null: there was no such day, or such days cost nothing. */
  days: nullable,
  /** Rupees that such a day cost on average. Null: there was none. */
  perDay: nullable,
  /** How many days that average covers. */
  ofDays: z.number(),
})
export type Lasts = z.output<typeof Lasts>

const Plan = z.object({
  planName: z.string(),
  /** Seconds. */
  pulseDuration: z.number(),
  /** Paisa. */
  pulsePrice: z.number(),
  /** Paisa a segment; the platform's price where the plan has none. */
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
  /** The part that stayed with the account right above. Below zero: that account paid more than it received. */
  margin: z.number(),
})

export const customerRoutes = {
  /** What an account above manages, read from counters and small tables. */
  detail: json({
    method: 'GET',
    path: '/api/obd/customer/:userId',
    input: UserIdInput,
    reply: z.object({
      account: UserRow,
      createdAt: z.string(),
      /** Rupees below which the account, and the account that gives it credits, are notified. */
      lowBalanceLimit: z.number(),
      /** Null for a reseller, whose balance is not spent by calls. */
      lasts: z.nullable(Lasts),
      plan: z.nullable(Plan),
      /** The plan of the account above; null when that is the platform or has no plan. */
      planAbove: z.nullable(Plan),
      channels: z.object({
        /** Calls under way; for a reseller those of all accounts below. */
        inUse: z.number(),
        /** How many of its channels its children have. */
        given: z.number(),
      }),
      /** The current month first. */
      months: z.array(Month),
      quotas: Quotas,
      used: Stored,
      sessions: z.number(),
      /** Whether its sign-in asks for more than the password. */
      hasSecondFactor: z.boolean(),
      /** Newest first, with failed attempts, from the last thousand lines of the audit log about the account. */
      signIns: z.array(z.object({ at: z.string(), ip: z.string(), failed: z.boolean() })),
    }),
  }),
}
export type Customer = ReplyOf<typeof customerRoutes.detail>
