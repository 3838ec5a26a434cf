import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Filters } from '@ghanti/contract/filters.ts'
import type { BesideOf, RowOf } from '@ghanti/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { csvAddress, type ListRoute, type SentOf } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { readFilters, writeFilters, type Dropped, type SetFilters } from './filters/filters.ts'
import {
  isDescending,
  keyOf,
  listQueryOf,
  queryOf,
  readListState,
  writeListState,
  type ListState,
} from './list-state.ts'
import { afterPaint } from './rows/use-after-paint.ts'
import { usePrinting } from './use-printing.ts'

export type ListView<Row> = {
  state: ListState
  /** The address of the whole list as CSV, in its order. Absent when the browser has all rows. */
  csvHref?: string
  /** The order until the reader sorts; it need not be a column. */
  defaultSort: string
  change: (change: Partial<ListState>) => void
  filters?: FilterView
  /** Undefined until the first page arrives. */
  rows: readonly Row[] | undefined
  total: number
  /** False when counting stopped: '10,000+'. */
  exact: boolean
  /** How far the server searched, if not all the way; Nepal time. */
  searchedTo?: string | undefined
  /** Up to when its rows are archived; Nepal time. */
  archivedTo?: string | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => void
}

export type FilterView = {
  /** The path of the list's route, under which its views are saved. */
  list: string
  declared: Filters
  set: SetFilters
  dropped: readonly Dropped[]
  usual?: string | undefined
  change: (changes: Readonly<Record<string, string | null>>) => void
  /** All filters, and parameters that the list does not accept. */
  clear: () => void
}

const noOthers: readonly string[] = []
type Filtered = { path: string; filters: Filters; sort: readonly string[] }

/** Removes all filters, and parameters that the list does not accept, from the URL. */
function nothingOf({ set, dropped }: Pick<FilterView, 'set' | 'dropped'>): Record<string, null> {
  return Object.fromEntries([...Object.keys(set), ...dropped.map(({ key }) => key)].map((key) => [key, null]))
}

export function useFilters({ path, filters: declared, sort }: Filtered, others = noOthers): FilterView {
  const [params, setParams] = useSearchParams()
  const { set, dropped } = useMemo(() => readFilters(params, declared, others, sort), [params, declared, others, sort])
  return useMemo(() => {
    const change: FilterView['change'] = (changes) =>
      setParams((before) => writeFilters(before, changes), { preventScrollReset: true })
    const clear = () => change(nothingOf({ set, dropped }))
    return { list: path, declared, set, dropped, change, clear }
  }, [path, declared, set, dropped, setParams])
}

/**
 * Shows the requested state at once, until the address has changed or another screen has opened. The address changes after that frame,
 * because the router's work would delay it.
 */
function useListState(sortKeys: readonly string[]) {
  const [params, setParams] = useSearchParams()
  const { key } = useLocation()
  const [asked, setAsked] = useState({ key: '', params })
  const takeBack = useRef(() => {})
  useEffect(() => () => takeBack.current(), [])
  const shown = asked.key === key ? asked.params : params
  const state = useMemo(() => readListState(shown, sortKeys), [shown, sortKeys])
  const change = useCallback(
    (wanted: Partial<ListState>) => {
      const next = writeListState(shown, wanted, sortKeys)
      setAsked({ key, params: next })
      takeBack.current() // the new request includes the pending one
      takeBack.current = afterPaint(
        () => void setParams(next, { replace: wanted.search !== undefined, preventScrollReset: true }),
      )
    },
    [shown, key, setParams, sortKeys],
  )
  return { state, change, defaultSort: sortKeys[0] ?? '' }
}

type ListOptions<Row> = {
  /** How often the rows are read again; by the rows shown, where those can all be final. Null: never. */
  everyMs?: number | ((rows: readonly Row[]) => number | null)
  /** The screen's own URL parameters. A module constant. */
  others?: readonly string[]
  /** The default filter. A module constant. */
  usual?: Usual | undefined
  /** The route's orders, where the screen opens in another than the route's first. A module constant. */
  sortKeys?: readonly string[] | undefined
}
/** A filter that is set until removed; in the URL, the value `every` stands for its removal. */
type Usual = { key: string; value: string; every: string }

function withUsual(filters: FilterView, { key, value, every }: Usual): FilterView {
  const { [key]: chosen, ...others } = filters.set
  return {
    ...filters,
    set: chosen === every ? others : { ...others, [key]: chosen ?? value },
    usual: chosen === undefined ? key : undefined,
    change: (changes) => filters.change(ownValue(changes, key) === null ? { ...changes, [key]: every } : changes),
    clear: () => filters.change({ ...nothingOf(filters), [key]: every }),
  }
}

const narrowed = <R extends ListRoute>(input: SentOf<R>, set: SetFilters): SentOf<R> => Object.assign({}, input, set)

/** The page in the URL. For loaders: prefetch(listQueryAt(url, route, input)). */
export function listQueryAt<R extends ListRoute>(url: URL, route: R, input: SentOf<R>) {
  const { set } = readFilters(url.searchParams, route.filters)
  return listQuery(route, narrowed<R>(input, set), listQueryOf(url, route.sort))
}

export function useList<R extends ListRoute>(
  route: R,
  input: SentOf<R>,
  { everyMs, others, usual, sortKeys = route.sort }: ListOptions<RowOf<R>> = {},
): ListView<RowOf<R>> & { beside: BesideOf<R> | undefined; filters: FilterView } {
  const { state, change, defaultSort } = useListState(sortKeys)
  const asked = useFilters(route, others)
  const filters = useMemo(() => (usual ? withUsual(asked, usual) : asked), [asked, usual])
  const sent = narrowed<R>(input, usual ? { [usual.key]: usual.value, ...asked.set } : asked.set)
  const query = useQuery({
    ...listQuery(route, sent, queryOf(state)),
    refetchInterval: ({ state: { data } }) =>
      (typeof everyMs === 'function' ? data && everyMs(data.rows) : everyMs) ?? false,
  })
  const { page: _page, pageSize: _size, ...order } = queryOf(state)
  return {
    state,
    csvHref: csvAddress(route, sent, order),
    change,
    filters,
    defaultSort,
    rows: query.data?.rows,
    beside: query.data?.beside,
    total: query.data?.total ?? 0,
    exact: query.data?.exact ?? true,
    searchedTo: query.data?.searchedTo,
    archivedTo: query.data?.archivedTo,
    error: query.error,
    isFetching: everyMs === undefined ? query.isFetching : query.isLoading || query.isPlaceholderData,
    refetch: () => void query.refetch(),
  }
}

type LocalList<Row> = {
  rows: readonly Row[] | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => void
}

/** The same for a few rows that arrived at once, of which all are printed. Both tables of `how` must be module constants. */
export function useLocalList<Row>(
  { rows: all, error, isFetching, refetch }: LocalList<Row>,
  how: {
    sortKeys: readonly string[]
    searchIn: (row: Row) => string
    valueOf: Readonly<Record<string, (row: Row) => string | number>>
  },
): ListView<Row> {
  const { state: asked, change, defaultSort } = useListState(how.sortKeys)
  const found = useMemo(() => all && searchedAndSorted(all, asked, how), [all, asked, how])
  const total = found?.length ?? 0
  const state = usePrinting() ? { ...asked, page: 1, pageSize: total } : asked
  const start = (state.page - 1) * state.pageSize
  const rows = useMemo(() => found?.slice(start, start + state.pageSize), [found, start, state.pageSize])
  return { state, change, defaultSort, rows, total, exact: true, error, isFetching, refetch }
}

function searchedAndSorted<Row>(
  all: readonly Row[],
  { search, sort }: ListState,
  how: { searchIn: (row: Row) => string; valueOf: Readonly<Record<string, (row: Row) => string | number>> },
): Row[] {
  const needle = search.toLowerCase()
  const found = all.filter((row) => how.searchIn(row).toLowerCase().includes(needle))
  const valueOf = ownValue(how.valueOf, keyOf(sort))
  if (!valueOf) return found
  const sign = isDescending(sort) ? -1 : 1
  return found.sort((a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)]
    return (
      sign *
      (typeof left === 'number' && typeof right === 'number' ? left - right : String(left).localeCompare(String(right)))
    )
  })
}
