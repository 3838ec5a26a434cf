import * as z from 'zod/mini'
import { file, list } from './route.ts'
import { Id, Search, UserIdInput } from './values.ts'

const creditActions = ['credit_add', 'credit_remove', 'campaign_deduction', 'campaign_margin', 'sms_refund'] as const

/**
 * One movement, or one campaign and day (DESIGN §6). `credits` is signed from the viewer's side: what he gave is below zero for him and above
 * for who got it. `userBalance` is that of the account whose line it is, after its last entry.
 */
const CreditHistoryRow = z.object({
  id: z.number(),
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

export const creditRoutes = {
  historyOfUser: list({
    path: '/api/obd/credits/history/user/:userId',
    input: UserIdInput,
    row: CreditHistoryRow,
    sort,
  }),
  history: list({ path: '/api/obd/credits/history/:userId', input: UserIdInput, row: CreditHistoryRow, sort }),
  historyCsv: file({
    path: '/api/obd/credits/history/:userId/credits-history.csv',
    input: z.object({ userId: Id, search: z.optional(Search) }),
  }),
}
