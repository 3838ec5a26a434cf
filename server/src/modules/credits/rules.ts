import type { CreditHistoryRow } from '@ghanti/contract/credits.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
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
    fromUsername: !movement ? 'Campaign' : paid ? mine : other,
    toUsername: !movement ? mine : paid ? other : mine,
    company: line.company ?? '',
    parentUser: line.parentUser ?? '',
    credits: rupeesOf(line.signedPaisa),
    campaignName: line.campaignName,
    action: line.action,
    userBalance: rupeesOf(line.balancePaisa),
    reqDate: nepalTimeOf(line.at),
    reference: line.reference,
    paymentMode: line.paymentMode,
    note: line.note,
  }
}

/** Why credits cannot be moved; reads on after the amount. */
export function moreThanFree(paisa: number): string {
  return `is more than the Rs ${rupeesOf(paisa).toFixed(2)} that are free`
}

type Columns = Readonly<Record<string, keyof CreditHistoryRow>>
const details: Columns = { Reference: 'reference', 'Payment Mode': 'paymentMode', Note: 'note' }
const ofUsers: Columns = { Amount: 'credits', Campaign: 'campaignName', Action: 'action', Date: 'reqDate', ...details }
const ofOthers: Columns = {
  From: 'fromUsername',
  To: 'toUsername',
  Amount: 'credits',
  Campaign: 'campaignName',
  Action: 'action',
  Balance: 'userBalance',
  Date: 'reqDate',
  ...details,
}

/** The screen's columns by role (spec 2 §6), then what a movement carries. */
export const csvColumns: Readonly<Record<Role, Columns>> = { user: ofUsers, reseller: ofOthers, superAdmin: ofOthers }

/** Amounts are the only numbers among the columns: rupees with two decimals. */
export function csvCell(value: string | number | null): string | null {
  return typeof value === 'number' ? value.toFixed(2) : value
}
