import { exportFilters, type ExportFilters, type ExportKind } from '@ghanti/contract/exports.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { bytesOfMegabyte } from '@ghanti/contract/quotas.ts'
import type { CsvCell } from '../../lib/csv.ts'
import { exportGone } from '../retention/rules.ts'
import { AppError } from '../../errors.ts'

/**
 * The type of a column, for spreadsheets and Parquet. Telephone numbers are texts; an `id` may exceed 32 bits; a `time` is 'yyyy-MM-dd HH:mm:ss' in
 * Nepal.
 */
export type CellKind = 'text' | 'whole' | 'id' | 'number' | 'time'
export type TableColumn = { header: string; kind: CellKind }
type Table = { columns: readonly TableColumn[]; batches: AsyncIterable<readonly (readonly CsvCell[])[]> }
export type ExportTable = Table & { /** Whose rows were read so far. */ campaigns: ReadonlySet<number> }

/** Parses the filter of an export. Unknown fields are refused, named 'filter.…'. */
export function filterOf<Kind extends ExportKind>(kind: Kind, said: unknown): ExportFilters[Kind] {
  const read = exportFilters[kind].safeParse(said ?? {})
  if (read.success) return read.data as ExportFilters[Kind]
  const errors = read.error.issues.flatMap((issue) => {
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

const longestName = 120

/** 'Dashain rows 2026-11-23.xlsx': the campaign, what is in the file, and the day, without signs that a file system refuses. */
export function fileNameOf(content: string, ending: string, campaign: string | null, at: Date): string {
  const name = namedInFile(campaign ?? '')
  return `${name === '' ? '' : `${name} `}${content} ${nepalDayOf(at)}.${ending}`
}

export function namedInFile(name: string): string {
  const named = name.replaceAll(/[/\\:*?"<>|%#]/g, '_').replaceAll(/^\.+/g, '')
  return [...named].slice(0, longestName).join('').trim()
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
