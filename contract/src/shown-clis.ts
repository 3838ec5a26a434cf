import { callerIdOf } from './caller-id.ts'

type Range = { first: string; last: string }

/** '015970001', '9801234500-9801234599'. Null: neither a caller ID nor a row of them. */
function rangeOf(written: string): Range | null {
  const [, from, to] = /^\+?(\d{3,15})-\+?(\d{3,15})$/.exec(written) ?? []
  const isRow = from !== undefined && to !== undefined && from.length === to.length
  const first = callerIdOf(isRow ? from : written)
  const last = isRow ? callerIdOf(to) : first
  return first !== null && last !== null && first.length === last.length && first <= last ? { first, last } : null
}

export function isClis(written: string): boolean {
  return rangeOf(written) !== null
}

/** National digits; an empty list allows all. */
export function showing(list: readonly string[]): (number: string) => boolean {
  if (list.length === 0) return () => true
  const ranges = list.flatMap((written) => rangeOf(written) ?? [])
  return (number) =>
    ranges.some(({ first, last }) => number.length === first.length && first <= number && number <= last)
}
