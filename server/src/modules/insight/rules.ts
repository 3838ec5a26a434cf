import { daysMax, minuteDaysBack, type Grain } from '@ghanti/contract/insight.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { badField } from '../../errors.ts'

const dayMs = 24 * 3600_000
const usual = 'last7'

/** The number of a day 'yyyy-MM-dd' in Nepal since 1970, as the counters store it. */
export function dayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs)
}

export function dayOfNumber(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10)
}

/** A range of day numbers, both included. */
export type Days = { from: number; to: number }

/** The days that a request asks for. `from` and `to` take precedence over `started`. */
export function daysOf(
  asked: { from?: string | undefined; to?: string | undefined; started?: string | undefined },
  now: Date,
): Days {
  const today = dayNumber(nepalDayOf(now))
  const range = rangeOf(
    asked.from === undefined && asked.to === undefined ? (asked.started ?? usual) : asked.started,
    now,
  )
  const to = asked.to === undefined ? range.to && dayNumber(nepalDayOf(range.to)) - 1 : realDay('to', asked.to)
  const last = Math.min(to ?? today, today)
  const from = asked.from === undefined ? range.from && dayNumber(nepalDayOf(range.from)) : realDay('from', asked.from)
  const first = from ?? last - daysMax.day + 1
  if (asked.from !== undefined && first > today) throw badField('from', 'must not be in the future')
  if (first > last) throw badField('to', 'must not be before the beginning')
  return { from: first, to: last }
}

function realDay(field: string, day: string): number {
  const number = dayNumber(day)
  if (Number.isNaN(number) || dayOfNumber(number) !== day) throw badField(field, 'must look like 2026-11-20')
  return number
}

/** Hours for one or two days, otherwise days. */
export function grainOf(days: Days, asked: Grain | undefined): Grain {
  return asked ?? (days.to - days.from < 2 ? 'hour' : 'day')
}

/** Refuses more points than a chart can show, and minutes that are no longer kept. `field` is the one that gave the range. */
export function requireBounded(days: Days, by: Grain, { field, now }: { field: string; now: Date }): void {
  const most = daysMax[by]
  if (days.to - days.from + 1 > most)
    throw badField(field, most === 1 ? `must be one day by ${by}` : `must be at most ${most} days by ${by}`)
  if (by === 'minute' && days.from < dayNumber(nepalDayOf(now)) - minuteDaysBack)
    throw badField(field, 'must be today or yesterday by minute')
}

export function daysBefore({ from, to }: Days): Days {
  return { from: from - (to - from + 1), to: from - 1 }
}

const minuteMs = 60_000

/** The time of a counter's bucket on the wire. Bucket numbers are of Nepal's time. */
export function timeOfBucket(by: Grain, bucket: number): string {
  if (by === 'day') return dayOfNumber(bucket)
  if (by === 'weekday') return `${Math.floor(bucket / 24)} ${bucket % 24}`
  const ms = bucket * (by === 'minute' ? minuteMs : 60 * minuteMs)
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** The mean, rounded to `digits` after the point. Null when `count` is 0. */
export function mean(sum: number, count: number, digits = 0): number | null {
  return count === 0 ? null : Math.round((sum / count) * 10 ** digits) / 10 ** digits
}

const campaignsAtOnce = 200

/** Batches of campaigns, in order, with at most `rowsAtOnce` rows together. A campaign with more rows is a batch of its own. */
export function batchesOf(campaigns: readonly { id: number; rows: number }[], rowsAtOnce: number): number[][] {
  const batches: number[][] = []
  let room = 0
  for (const { id, rows } of campaigns) {
    const last = batches.at(-1)
    const isNext = !last || rows > room || last.length === campaignsAtOnce
    if (isNext) batches.push([id])
    else last.push(id)
    room = (isNext ? rowsAtOnce : room) - rows
  }
  return batches
}
