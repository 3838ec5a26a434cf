import { creditActionWords } from '@ghanti/contract/credit-actions.ts'
import type { CreditHistoryRow } from '@ghanti/contract/credits.ts'
import { rupeesOf, rupeesText } from '@ghanti/contract/money.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { rupeesCell, type CsvCell } from '../../lib/csv.ts'
import type { HistoryLine } from './store-history.ts'

const ofMovements = new Set<HistoryLine['action']>(['credit_add', 'credit_remove'])

export function rowOf(line: HistoryLine): CreditHistoryRow {
  const platform = line.byUsername ?? 'Platform'
  const mine = line.username ?? platform
  const other = line.otherUsername ?? platform
  const movement = ofMovements.has(line.action)
  const paid = line.amountPaisa < 0
  return {
    id: line.id,
    accountUsername: line.username ?? 'Platform',
    fromUsername: !movement ? 'Campaign' : paid ? mine : other,
    toUsername: !movement ? mine : paid ? other : mine,
    company: line.company ?? '',
    parentUser: line.parentUser ?? '',
    credits: rupeesOf(line.amountPaisa),
    campaignName: line.campaignName,
    action: line.action,
    userBalance: rupeesOf(line.balancePaisa),
    reqDate: nepalTimeOf(line.at),
    reference: line.reference,
    paymentMode: line.paymentMode,
    note: line.note,
  }
}

/** The texts of the notice to the account's parent when a super admin recharges it. */
export const added = (paisa: number) => `Rs ${rupeesText(paisa)} were added`
export const takenBack = (paisa: number) => `Rs ${rupeesText(paisa)} were taken back`

/** Why credits cannot be moved, continuing a sentence after the amount. */
export function moreThanFree(paisa: number): string {
  return `is more than the Rs ${rupeesText(paisa)} that are free`
}

type Columns = Readonly<Record<string, (row: CreditHistoryRow) => CsvCell>>
const details: Columns = {
  Reference: (row) => row.reference,
  'Payment Mode': (row) => row.paymentMode,
  Note: (row) => row.note,
}
const account: Columns = { Account: (row) => row.accountUsername }
const amount: Columns = { Amount: (row) => rupeesCell(row.credits), Campaign: (row) => row.campaignName }
const action: Columns = { Action: (row) => creditActionWords[row.action] }
const balance: Columns = { Balance: (row) => rupeesCell(row.userBalance) }
const date: Columns = { Date: (row) => row.reqDate }

/** A campaign's cost goes to it and its income comes from it, which `fromUsername` does not say (specification 2 §3). */
const fromTo = ({ fromUsername, toUsername, action }: CreditHistoryRow) =>
  action === 'campaign_deduction' ? `${toUsername} → ${fromUsername}` : `${fromUsername} → ${toUsername}`

/** The screen's columns by role (specification 2 §6), then the details of a movement. */
export const csvColumns: Readonly<Record<Role, Columns>> = {
  user: { ...amount, ...action, ...date, ...details },
  reseller: {
    ...account,
    'From/To': fromTo,
    ...amount,
    ...action,
    ...balance,
    ...date,
    ...details,
  },
  superAdmin: {
    ...account,
    From: (row) => row.fromUsername,
    To: (row) => row.toUsername,
    ...amount,
    ...action,
    ...balance,
    ...date,
    ...details,
  },
}
