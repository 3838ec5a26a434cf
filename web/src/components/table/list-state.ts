import type { ListQuery } from '@ghanti/contract/route.ts'

export const pageSizes = [10, 25, 50, 100] as const
/** The server pages through the first 10,000 rows of a list (docs/api.md#lists). */
const reachableRows = 10_000

/** Stored in the URL, so that Back and bookmarks work. `sort` is a key, with '-' for descending. */
export type ListState = { page: number; pageSize: number; sort: string; search: string }

/** `sortKeys` as in the contract: the first is the default, with its direction. */
export function readListState(params: URLSearchParams, sortKeys: readonly string[]): ListState {
  const size = Number(params.get('pageSize'))
  const pageSize = pageSizes.find((allowed) => allowed === size) ?? pageSizes[0]
  const page = Number(params.get('page') ?? 1)
  const sort = params.get('sort') ?? ''
  return {
    page: Number.isInteger(page) && page >= 1 && page <= lastPage(Infinity, pageSize) ? page : 1,
    pageSize,
    sort: isSortOf(sort, sortKeys) ? sort : (sortKeys[0] ?? ''),
    search: (params.get('search') ?? '').slice(0, 100),
  }
}

/** The URL after a change, without defaults. Any change except of the page leads to the first page. */
export function writeListState(
  params: URLSearchParams,
  change: Partial<ListState>,
  sortKeys: readonly string[],
): URLSearchParams {
  const next = { ...readListState(params, sortKeys), page: 1, ...change }
  const written = new URLSearchParams(params)
  const put = (key: keyof ListState, fallback: string | number) => {
    if (next[key] === fallback) written.delete(key)
    else written.set(key, String(next[key]))
  }
  put('page', 1)
  put('pageSize', pageSizes[0])
  put('sort', sortKeys[0] ?? '')
  put('search', '')
  return written
}

export function queryOf({ page, pageSize, sort, search }: ListState): ListQuery {
  return {
    page,
    pageSize,
    ...(sort && { sort: keyOf(sort), order: isDescending(sort) ? 'desc' : 'asc' }),
    ...(search && { search }),
  }
}

export function listQueryOf(url: URL, sortKeys: readonly string[]): ListQuery {
  return queryOf(readListState(url.searchParams, sortKeys))
}

export function isSortOf(sort: string, sortKeys: readonly string[]): boolean {
  return sortKeys.some((key) => keyOf(key) === keyOf(sort))
}

export function keyOf(sort: string): string {
  return sort.replace(/^-/, '')
}

export function isDescending(sort: string): boolean {
  return sort.startsWith('-')
}

/** The first click sorts ascending, the second descending. */
export function nextSort(sort: string, key: string): string {
  return sort === key ? `-${key}` : key
}

export function lastPage(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(Math.min(total, reachableRows) / pageSize))
}

/** 1 2 3 4 5 … 24: the first, the last, and the current with its neighbours; null is a gap. */
export function pageNumbers(page: number, last: number): (number | null)[] {
  const middle = Math.min(Math.max(page, 3), Math.max(last - 2, 3))
  const wanted = [1, middle - 1, middle, middle + 1, last]
  if (middle <= 3) wanted.push(2, 5)
  if (middle >= last - 2) wanted.push(last - 1, last - 4)
  const shown = [...new Set(wanted)].filter((number) => number >= 1 && number <= last).sort((a, b) => a - b)
  return shown.flatMap((number, index) => {
    const before = shown[index - 1] ?? number - 1
    if (number - before === 2) return [number - 1, number]
    return number - before > 2 ? [null, number] : [number]
  })
}
