import type { FilterView } from '../use-list.ts'

type Asked = Pick<FilterView, 'declared' | 'dropped'>

/** The savable part of a URL: valid filters, search and sort, without the page. */
export function viewIn(params: URLSearchParams, { declared, dropped }: Asked): string {
  const isKept = (key: string) =>
    key === 'search' ||
    ((key === 'sort' || Object.hasOwn(declared, key)) && !dropped.some((fault) => fault.key === key))
  return new URLSearchParams([...params].filter(([key, value]) => value !== '' && isKept(key))).toString()
}

/** The order of parameters does not matter. */
export function isSameView(left: string, right: string): boolean {
  return sorted(left) === sorted(right)
}

function sorted(query: string): string {
  const params = new URLSearchParams(query)
  params.sort()
  return params.toString()
}

/** The URL of a view ('' is everything); keeps the page size and the screen's own parameters. */
export function openView(params: URLSearchParams, query: string, { declared, dropped }: Asked): URLSearchParams {
  const opened = new URLSearchParams(params)
  const asked = ['page', 'search', 'sort', ...Object.keys(declared), ...dropped.map(({ key }) => key)]
  for (const key of asked) opened.delete(key)
  for (const [key, value] of new URLSearchParams(query)) opened.set(key, value)
  return opened
}
