import { addDays } from '@ghanti/contract/days.ts'
import { templates, type TemplateId } from '@ghanti/contract/template-names.ts'
import { spokenColumns, type SpokenKind } from '@ghanti/contract/templates.ts'

/** What a column of each kind may hold, in the first row and in the second. */
const examples: Readonly<Record<SpokenKind, readonly [string, string]>> = {
  amount: ['1250.50', '98000'],
  date: ['2026-12-01', '2026-12-02'],
  month: ['12', 'January'],
  token: ['A12', 'A13'],
  name: ['Sita Sharma', 'Ram Thapa'],
  service: ['Internet Service', 'Television'],
}
const mobiles = ['9800000011', '9800000012'] as const

/** The sample of templates that speak nothing of the file (docs/api.md#contact-files). */
const common = 'contacts'

function linesOf(id: TemplateId): string[] {
  const columns = spokenColumns(id)
  const dates = columns.filter(({ kind }) => kind === 'date')
  const rows = mobiles.map((mobile, row) => {
    const values = columns.map((column) => {
      const value = examples[column.kind][row] ?? ''
      // Several dates are a week apart.
      return column.kind === 'date' ? addDays(value, 7 * dates.indexOf(column)) : value
    })
    return [mobile, ...values].join(',')
  })
  return [['mobile', ...columns.map(({ column }) => column)].join(','), ...rows]
}

/** The text of 'sample_auto1.csv', with byte order mark and CRLF; null for an unknown name. */
export function sampleFile(fileName: string): string | null {
  const name = /^sample_(\w+)\.csv$/.exec(fileName)?.[1]
  const template = templates.find((one) => one.name === (name === common ? 'simple' : name))
  return template ? `\ufeff${linesOf(template.id).join('\r\n')}\r\n` : null
}
