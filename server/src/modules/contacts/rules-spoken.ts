import { readValue } from '@ghanti/callflow/speech/read.ts'
import type { ReadValue } from '@ghanti/contract/contacts.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import { spokenColumns } from '@ghanti/contract/templates.ts'
import { bareName } from './rules-columns.ts'
import { sourceOf, type TemplateColumn } from './rules.ts'

type Kind = ReadValue['kind']

/** The kind of each column that the template speaks, dates aside; where it speaks none, of the columns that are called like some template's. */
function kindsOf(columns: readonly string[], required: readonly TemplateColumn[]): Map<string, Kind> {
  const kinds = new Map<string, Kind>()
  for (const [index, { kind }] of required.entries()) {
    const source = sourceOf(columns, required, index)
    if (source !== null && kind !== undefined && kind !== 'date') kinds.set(source, kind)
  }
  if (required.length > 0) return kinds
  for (const { column, kind } of templates.flatMap(({ id }) => spokenColumns(id))) {
    const named = columns.slice(1).find((name) => bareName(name) === bareName(column))
    if (named !== undefined && kind !== 'date') kinds.set(named, kind)
  }
  return kinds
}

/** What calls would say of a row's values. Values that cannot be spoken are not among it: they refuse the row, which names them. */
export function spokenValues(columns: readonly string[], required: readonly TemplateColumn[]) {
  const kinds = kindsOf(columns, required)
  return (values: Readonly<Record<string, string>>): Record<string, ReadValue> =>
    Object.fromEntries(
      [...kinds].flatMap(([column, kind]) => {
        const read = readValue(kind, ownValue(values, column) ?? '')
        return read.ok ? [[column, { kind, value: read.value, leftOut: [...(read.leftOut ?? [])] }] as const] : []
      }),
    )
}
