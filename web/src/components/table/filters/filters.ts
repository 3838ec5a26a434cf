import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Filters } from '@ghanti/contract/filters.ts'
import { isSortOf } from '../list-state.ts'

/** A parameter that the list does not accept. `isKnown` is false for an unknown key. */
export type Dropped = { key: string; value: string; isKnown: boolean }
export type SetFilters = Readonly<Record<string, string>>

export type FilterWords = Readonly<
  Record<string, { label: string; values?: Readonly<Record<string, string>>; hint?: string }>
>

export function filterLabels(words: FilterWords = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(words).map(([key, { label }]) => [key, label]))
}

const own = new Set(['page', 'pageSize', 'sort', 'search'])

/**
 * The list's filters in a URL. Invalid ones, including a sort that is not in `sortKeys`, are left out and reported. `others`: the screen's
 * own parameters.
 */
export function readFilters(
  params: URLSearchParams,
  declared: Filters,
  others: readonly string[] = [],
  sortKeys?: readonly string[],
): { set: SetFilters; dropped: readonly Dropped[] } {
  const set = new Map<string, string>()
  const dropped: Dropped[] = []
  for (const [key, value] of params) {
    if (value === '' || others.includes(key)) continue
    if (own.has(key) && (key !== 'sort' || !sortKeys || isSortOf(value, sortKeys))) continue
    const filter = ownValue(declared, key)
    if (filter?.field.safeParse(value).success) set.set(key, value)
    else dropped.push({ key, value, isKnown: filter !== undefined })
  }
  return { set: Object.fromEntries(set), dropped }
}

/** The URL with other filters, `null` removing one, on the first page. */
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
