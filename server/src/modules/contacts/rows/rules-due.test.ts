import { expect, test } from 'vitest'
import { DueRows } from './rules-due.ts'

test.each(['__proto__', 'constructor', 'valueOf', 'toString', 'hasOwnProperty'])(
  'rows without a date in a column called %s are not due, and the others’ cells stay in their columns',
  (column) => {
    const days = { first: '2026-11-22', last: '2026-11-22', offsetDays: 0, order: null }
    const due = new DueRows({ ...days, column, columns: ['mobile', column, 'isPrototypeOf'] })
    const values = (cells: [string, string][]): Record<string, string> => Object.fromEntries(cells)
    const row = { line: 2, turn: 0, phone: 9_779_841_234_567 }
    const rows = [
      { ...row, values: {} },
      { ...row, values: values([[column, '2026-11-22']]) },
    ]
    expect(due.take(rows)).toEqual({ due: 1, lines: '9841234567,2026-11-22,\r\n' })
  },
)
