import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Filters } from '@ghanti/contract/filters.ts'
import { viewsMax } from '@ghanti/contract/saved-views.ts'
import { Search } from '@ghanti/contract/values.ts'
import type { Viewable } from '../../viewable-lists.ts'

export const noSuchList = 'is not a list that you may see'
export const tooMany = `An account has at most ${viewsMax} saved views: delete one that you do not need`

/** The query to store, without empty fields, or why this list does not accept it. */
export function viewQuery(
  { filters, sort }: Pick<Viewable, 'filters' | 'sort'>,
  said: string,
): { query: string } | { fault: string } {
  const kept = new URLSearchParams()
  for (const [key, value] of new URLSearchParams(said)) {
    if (value === '') continue
    if (kept.has(key)) return { fault: `has ${key} twice` }
    const fault = faultOf(key, value, filters, sort)
    if (fault !== null) return { fault }
    kept.set(key, value)
  }
  const query = kept.toString()
  return query === '' ? { fault: 'is required' } : { query }
}

function faultOf(key: string, value: string, filters: Filters, sort: readonly string[]): string | null {
  if (key === 'search')
    return Search.safeParse(value).success ? null : 'has a search that is longer than 100 characters'
  if (key === 'sort') {
    const isKnown = sort.some((line) => line.replace(/^-/, '') === value.replace(/^-/, ''))
    return isKnown ? null : `sorts by a column that this list does not have: ${value}`
  }
  const filter = ownValue(filters, key)
  if (!filter) return `has a filter that this list does not have: ${key}`
  return filter.field.safeParse(value).success ? null : `has a filter ${key} that cannot be ${value}`
}
