import * as z from 'zod/mini'
import { creditActions } from './credit-actions.ts'
import { account, choice, dates } from './filters.ts'
import { file, json, list, type ReplyOf } from './route.ts'
import { RechargeAmount } from './recharge-amount.ts'
import { Id, Name, OneLine, orRequired, Paragraph, Search, UserIdInput } from './values.ts'

/** How a recharge was paid, as stated by whoever enters it. */
export const paymentModes = ['cash', 'bank', 'cheque', 'connectIps', 'esewa', 'khalti', 'credit', 'other'] as const
export type PaymentMode = (typeof paymentModes)[number]

const Recharge = z.object({
  /** The account that receives or gives back: a direct child. */
  userId: Id,
  /** Ignored: money moves between the caller and a direct child. */
  parent: z.optional(Id),
  credits: RechargeAmount,
  reference: z.optional(Name),
  paymentMode: z.optional(z.enum(paymentModes)),
  note: z.optional(Paragraph(500)),
})
const Recharged = z.object({
  message: z.string(),
  credits: z.number(),
  free: z.number(),
})

/**
 * One movement, or one campaign and day (docs/design.md#credits-history). `credits` and `userBalance`, which is the balance after its
 * last entry, are those of the account whose line it is: the sum of all its `credits` is its balance.
 */
const CreditHistoryRow = z.object({
  id: z.number(),
  /** Whose line it is; 'Platform' for the account that super admins give from. */
  accountUsername: z.string(),
  /** 'Campaign' for what calls cost and earned. */
  fromUsername: z.string(),
  toUsername: z.string(),
  company: z.string(),
  parentUser: z.string(),
  credits: z.number(),
  campaignName: z.nullable(z.string()),
  action: z.enum(creditActions),
  userBalance: z.number(),
  reqDate: z.string(),
  reference: z.nullable(z.string()),
  paymentMode: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export type CreditHistoryRow = z.output<typeof CreditHistoryRow>
const sort = ['-reqDate'] as const

const ofOneAccount = { action: choice(creditActions), date: dates } as const
/** Without `customer`, which is one account, or `accounts`, the history is that of the caller's own account. */
const historyFilters = { ...ofOneAccount, customer: account, accounts: choice(['below']) } as const

/** What moved an account's balance in a month, from that account's side, in the order of the page. */
export const statementKinds = ['received', 'returned', 'given', 'takenBack', 'calls', 'margin'] as const

const monthError = 'must look like 2026-11'
const StatementInput = z.object({
  userId: Id,
  /** Nepal's calendar month, AD. */
  month: OneLine(orRequired(monthError)).check(z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, { error: monthError })),
})
const Statement = z.object({
  userId: z.number(),
  username: z.string(),
  month: z.string(),
  opening: z.number(),
  /** Everything that came in and that went out, above and below zero; opening + in + out = closing. */
  in: z.number(),
  out: z.number(),
  closing: z.number(),
  lines: z.array(
    z.object({
      kind: z.enum(statementKinds),
      /** The other account, or the campaign. */
      name: z.string(),
      /** The number of movements, or of days of the campaign. */
      entries: z.number(),
      /** Signed. */
      credits: z.number(),
    }),
  ),
})

export const creditRoutes = {
  add: json({ method: 'POST', path: '/api/obd/credits/add', input: Recharge, reply: Recharged }),
  remove: json({ method: 'POST', path: '/api/obd/credits/remove', input: Recharge, reply: Recharged }),
  /** What a parent must see before recharging a child. */
  account: json({
    method: 'GET',
    path: '/api/obd/credits/account/:userId',
    input: UserIdInput,
    reply: z.object({
      userId: z.number(),
      username: z.string(),
      credits: z.number(),
      /** Held by calls under way. */
      reserved: z.number(),
      free: z.number(),
      /** What the caller can give; null for a super admin, who issues credits. */
      ownFree: z.nullable(z.number()),
      /** The last recharge, so that a form can ask before it is repeated. Amounts are above zero. */
      last: z.nullable(
        z.object({ action: z.enum(['credit_add', 'credit_remove']), credits: z.number(), secondsAgo: z.number() }),
      ),
    }),
  }),
  statement: json({
    method: 'GET',
    path: '/api/obd/credits/statement/:userId',
    input: StatementInput,
    reply: Statement,
  }),
  statementCsv: file({ path: '/api/obd/credits/statement/:userId/credits-statement.csv', input: StatementInput }),
  /** Accounts other than the viewer's own whose statements may be read: direct children, the first fifty that match. */
  children: json({
    method: 'GET',
    path: '/api/obd/credits/children',
    input: z.object({ search: z.optional(Search) }),
    reply: z.array(z.object({ userId: z.number(), username: z.string(), company: z.string() })),
  }),
  historyOfUser: list({
    path: '/api/obd/credits/history/user/:userId',
    input: UserIdInput,
    filters: ofOneAccount,
    row: CreditHistoryRow,
    sort,
  }),
  history: list({
    path: '/api/obd/credits/history/:userId',
    input: UserIdInput,
    filters: historyFilters,
    row: CreditHistoryRow,
    sort,
  }),
  historyCsv: file({
    path: '/api/obd/credits/history/:userId/credits-history.csv',
    input: z.object({ userId: Id, search: z.optional(Search) }),
    filters: historyFilters,
  }),
}
export type CreditStatement = ReplyOf<typeof creditRoutes.statement>
export type CreditAccount = ReplyOf<typeof creditRoutes.account>
