import { callerIdOf } from './caller-id.ts'

type Range = { first: string; last: string }

/** A caller ID, or the first and last of a range of them: '015970001', '9801234500-9801234599'. Null: neither. */
function rangeOf(written: string): Range | null {
  const [, from, to] = /^\+?(\d{3,15})-\+?(\d{3,15})$/.exec(written) ?? []
  const isRange = from !== undefined && to !== undefined && from.length === to.length
  const first = callerIdOf(isRange ? from : written)
  const last = isRange ? callerIdOf(to) : first
  return first !== null && last !== null && first.length === last.length && first <= last ? { first, last } : null
}

export function isClis(written: string): boolean {
  return rangeOf(written) !== null
}

/** Whether an operator lets us show a caller ID (national digits) over a trunk with this list; an empty list allows all. */
export function showing(list: readonly string[]): (number: string) => boolean {
  if (list.length === 0) return () => true
  const ranges = list.flatMap((written) => rangeOf(written) ?? [])
  return (number) =>
    ranges.some(({ first, last }) => number.length === first.length && first <= number && number <= last)
}
