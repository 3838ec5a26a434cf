import { exportFilters, type ExportFilters, type ExportKind } from '@ghanti/contract/exports.ts'
import { bytesOfMegabyte } from '@ghanti/contract/quotas.ts'
import type { CellKind, CsvCell } from '../../lib/csv.ts'
import { exportGone } from '../retention/rules.ts'
import { AppError, type FieldError } from '../../errors.ts'

export type TableColumn = { header: string; kind: CellKind }
type Table = { columns: readonly TableColumn[]; batches: AsyncIterable<readonly (readonly CsvCell[])[]> }
export type ExportTable = Table & { /** Whose rows were read so far. */ campaigns: ReadonlySet<number> }

/** It is stored as it was sent, and read with every list. All values that a filter takes have less. */
const filterMax = 5000

/** Parses the filter of an export. Unknown fields are refused, named 'filter.…'. */
export function filterOf<Kind extends ExportKind>(kind: Kind, said: unknown): ExportFilters[Kind] {
  if (JSON.stringify(said ?? {}).length > filterMax)
    throw new AppError('bad_input', [
      { field: 'filter', code: 'too_big', text: `is longer than ${filterMax} characters` },
    ])
  const read = exportFilters[kind].safeParse(said ?? {})
  if (read.success) return read.data as ExportFilters[Kind]
  const errors = read.error.issues.flatMap((issue): FieldError[] => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    const text = issue.code === 'unrecognized_keys' ? 'is not known here' : issue.message
    return names.map((name) => ({ field: name === '' ? 'filter' : `filter.${name}`, code: 'invalid', text }))
  })
  throw new AppError('bad_input', errors)
}

/** The moment that a cell of a time column shows, as if Nepal's clock were UTC; null when it shows none. */
export function momentOf(cell: CsvCell): number | null {
  if (typeof cell !== 'string') return null
  const moment = Date.parse(`${cell.replace(' ', 'T')}Z`)
  return Number.isNaN(moment) ? null : moment
}

/** Numbers equal column names, since Parquet has each name once. */
export function namedApart(headers: readonly string[]): string[] {
  const taken = new Set<string>()
  return headers.map((header) => {
    let name = header
    for (let n = 2; taken.has(name); n++) name = `${header} ${n}`
    taken.add(name)
    return name
  })
}

const megabytes = (bytes: number) => Math.floor(bytes / bytesOfMegabyte).toLocaleString('en')

/** Why there is no file. Each continues the sentence 'The export …'. */
export const exportFaults = {
  tooLarge: (bytes: number) =>
    `needs more than the ${megabytes(bytes)} MB that this account may still store: choose fewer days, or delete exports and files`,
  campaignGone: exportGone.unmade,
  archived: 'was not made: calls of its campaign were archived meanwhile, download them from its page',
  disabled: 'was not made: the account is disabled',
  broken: 'could not be made. Please try again',
}
