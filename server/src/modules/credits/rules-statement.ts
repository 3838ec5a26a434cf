import type { CreditAction } from '@ghanti/contract/credit-actions.ts'
import { statementKinds, type CreditStatement } from '@ghanti/contract/credits.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { rupeesCell, type CsvCell } from '../../lib/csv.ts'

/** A month's entries that share action, direction and other side. */
export type StatementGroup = { action: CreditAction; name: string; paisa: number; entries: number }
/** `closingPaisa`: what the account owned when the month ended, or owns now. */
export type StatementSums = { closingPaisa: number; groups: readonly StatementGroup[] }

export function monthOf(month: string): { from: Date; to: Date } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  return { from: beginningOf(month), to: beginningOf(next) }
}

function beginningOf(month: string): Date {
  const instant = instantOfNepalTime(`${month}-01 00:00:00`)
  if (!instant) throw new Error(`${month} is not a month`)
  return instant
}

const kinds: Record<CreditAction, { in: Kind; out: Kind }> = {
  credit_add: { in: 'received', out: 'given' },
  credit_remove: { in: 'takenBack', out: 'returned' },
  campaign_deduction: { in: 'calls', out: 'calls' },
  campaign_margin: { in: 'margin', out: 'margin' },
}
type Kind = (typeof statementKinds)[number]

/** Opening is closing minus all movements, so the sums always agree. */
export function statementOfSums(
  of: Pick<CreditStatement, 'userId' | 'username' | 'month'>,
  { closingPaisa, groups }: StatementSums,
): CreditStatement {
  const sum = (some: readonly StatementGroup[]) => some.reduce((paisa, group) => paisa + group.paisa, 0)
  const lines = groups.map(({ action, name, paisa, entries }) => ({
    kind: kinds[action][paisa < 0 ? 'out' : 'in'],
    name,
    entries,
    credits: rupeesOf(paisa),
  }))
  return {
    ...of,
    opening: rupeesOf(closingPaisa - sum(groups)),
    in: rupeesOf(sum(groups.filter(({ paisa }) => paisa > 0))),
    out: rupeesOf(sum(groups.filter(({ paisa }) => paisa < 0))),
    closing: rupeesOf(closingPaisa),
    lines: lines.toSorted(
      (a, b) =>
        statementKinds.indexOf(a.kind) - statementKinds.indexOf(b.kind) ||
        a.name.localeCompare(b.name) ||
        a.credits - b.credits,
    ),
  }
}

const words: Record<Kind, string> = {
  received: 'Credits received',
  returned: 'Credits taken back',
  given: 'Credits given',
  takenBack: 'Credits returned',
  calls: 'Campaign',
  margin: 'Campaign margin',
}

export const statementHeader = ['Account', 'Entry', 'From/To or Campaign', 'Entries', 'Amount']

export function statementCells(statement: CreditStatement): CsvCell[][] {
  const { username, month, opening, closing } = statement
  const rows: CsvCell[][] = [
    ['Opening balance', month, '', rupeesCell(opening)],
    ...statement.lines.map(({ kind, name, entries, credits }) => [words[kind], name, entries, rupeesCell(credits)]),
    ['Total in', '', '', rupeesCell(statement.in)],
    ['Total out', '', '', rupeesCell(statement.out)],
    ['Closing balance', month, '', rupeesCell(closing)],
  ]
  return rows.map((row) => [username, ...row])
}
