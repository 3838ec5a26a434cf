import type { Filters } from '@ghanti/contract/filters.ts'
import { isSortOf } from './list-state.ts'

/** What the address cannot have: of a key that the list does not know `isKnown` is false. */
export type Dropped = { key: string; value: string; isKnown: boolean }
export type SetFilters = Readonly<Record<string, string>>

/** What a list's filters are called: each that the bar offers, and the values of choices. */
export type FilterWords = Readonly<
  Record<string, { label: string; values?: Readonly<Record<string, string>>; hint?: string }>
>

/** The state of the list itself. */
const own = new Set(['page', 'pageSize', 'sort', 'search'])

/** The filters of the list in an address; what it cannot have, a sort that is none of `sortKeys` too, is left out and named. `others`: parameters that are the screen's. */
export function readFilters(
  params: URLSearchParams,
  declared: Filters,
  others: readonly string[] = [],
  sortKeys?: readonly string[],
): { set: SetFilters; dropped: readonly Dropped[] } {
  const set: Record<string, string> = {}
  const dropped: Dropped[] = []
  for (const [key, value] of params) {
    if (value === '' || others.includes(key)) continue
    if (own.has(key) && (key !== 'sort' || !sortKeys || isSortOf(value, sortKeys))) continue
    const filter = declared[key]
    if (filter?.field.safeParse(value).success) set[key] = value
    else dropped.push({ key, value, isKnown: filter !== undefined })
  }
  return { set, dropped }
}

/** The address with other filters, `null` removes one; at the first page again. */
export function writeFilters(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const written = new URLSearchParams(params)
  written.delete('page')
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') written.delete(key)
    else written.set(key, value)
  }
  return written
}
