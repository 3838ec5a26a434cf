import type { RouteKey, Routes } from '@ghanti/contract/routes.ts'
import type { Route, RowOf } from '@ghanti/contract/route.ts'
import type { CsvCell } from '../lib/csv.ts'
import type { Viewer } from '../policy.ts'

/** By heading, in the screen's order and words. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>

type RouteOf<Key extends RouteKey> = Key extends `${infer Area extends keyof Routes & string}.${infer Name}`
  ? Name extends keyof Routes[Area]
    ? Routes[Area][Name] extends Route
      ? Routes[Area][Name]
      : never
    : never
  : never
type ListKey = { [Key in RouteKey]: RouteOf<Key> extends { kind: 'list' } ? Key : never }[RouteKey]

export type ListCsv<Row> = { fileName: string; columns: (viewer: Viewer) => Columns<Row> }
/** A list without: another route has its rows as a file, or the reason why nobody needs it. */
type Elsewhere = { file: RouteKey } | { none: string }
export type CsvOfLists = { readonly [Key in ListKey]: ListCsv<RowOf<RouteOf<Key>>> | Elsewhere }

export function csv<Row>(fileName: string, columns: Columns<Row> | ((viewer: Viewer) => Columns<Row>)): ListCsv<Row> {
  return { fileName, columns: typeof columns === 'function' ? columns : () => columns }
}

export const approvalWords = ['Pending', 'Approved', 'Rejected'] as const
export const accountWords = ['Promotional', 'Transactional'] as const
