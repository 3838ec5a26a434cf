import * as z from 'zod/mini'
import { Quotas, Stored } from './quotas.ts'
import { json, type ReplyOf } from './route.ts'
import { UserRow } from './users.ts'
import { UserIdInput } from './values.ts'

export const customerMonths = 12
/** And as many failed ones. */
export const signInsShown = 10

const nullable = z.nullable(z.number())

/** As spent on the last days with calls or messages (at most seven, today excluded). */
export const Lasts = z.object({
  /** Null: no such day, or these cost nothing. */
  days: nullable,
  /** Of such a day. Null: there was none. */
  perDay: nullable,
  /** Days in that average. */
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
  /** For calls and messages, those of accounts below included. */
  spend: z.number(),
  /** Left to the account right above. Below zero: it paid more than it received. */
  margin: z.number(),
})

export const customerRoutes = {
  /** From counters and small tables. */
  detail: json({
    method: 'GET',
    path: '/api/obd/customer/:userId',
    input: UserIdInput,
    reply: z.object({
      account: UserRow,
      createdAt: z.string(),
      /** The account, and the one that gives it credits, are notified below it. */
      lowBalanceLimit: z.number(),
      /** Null for a reseller: calls do not spend that balance. */
      lasts: z.nullable(Lasts),
      plan: z.nullable(Plan),
      /** Null: the platform, or no plan. */
      planAbove: z.nullable(Plan),
      channels: z.object({
        /** For a reseller, of all accounts below. */
        inUse: z.number(),
        /** To its children. */
        given: z.number(),
      }),
      /** The current one first. */
      months: z.array(Month),
      quotas: Quotas,
      used: Stored,
      sessions: z.number(),
      /** Newest first, of the last thousand lines of the audit log about the account. */
      signIns: z.array(z.object({ at: z.string(), ip: z.string(), failed: z.boolean() })),
    }),
  }),
}
export type Customer = ReplyOf<typeof customerRoutes.detail>
