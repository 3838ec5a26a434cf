import type { CallInsight, Grain, MessageInsight } from '@ghanti/contract/insight.ts'

type Point = CallInsight['series'][number] | MessageInsight['series'][number]
/** One bucket of the range, and the one in its place in the range before; null when it has not come yet. */
export type Bucket<P extends Point> = { time: string; now: P | null; before: P | null; isAhead: boolean }

const dayMs = 24 * 3600_000
const minutesOf = { minute: 1, hour: 60, day: 1440 } as const

function timesOf(by: Exclude<Grain, 'weekday'>, from: string, to: string): string[] {
  const first = Date.parse(`${from}T00:00:00Z`)
  const stepMs = minutesOf[by] * 60_000
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) + dayMs - first) / stepMs)
  return Array.from({ length: Math.max(0, count) }, (_, n) => {
    const time = new Date(first + n * stepMs).toISOString()
    return by === 'day' ? time.slice(0, 10) : time.slice(0, 19).replace('T', ' ')
  })
}

type Answer<P extends Point> = Pick<CallInsight, 'from' | 'to' | 'before' | 'by'> & { series: P[]; seriesBefore: P[] }

/** Every bucket of the range, including empty ones. `now`: Nepal time, after which nothing can have happened. */
export function bucketsOf<P extends Point>(answer: Answer<P>, now: string): Bucket<P>[] {
  const { by, from, to, before, series, seriesBefore } = answer
  if (by === 'weekday') return []
  const [found, foundBefore] = [series, seriesBefore].map(
    (points) => new Map(points.map((point) => [point.time, point])),
  )
  const earlier = timesOf(by, before.from, before.to)
  return timesOf(by, from, to).map((time, n) => ({
    time,
    now: found?.get(time) ?? null,
    before: foundBefore?.get(earlier[n] ?? '') ?? null,
    isAhead: time > now.slice(0, time.length),
  }))
}

/** Seven days of 24 hours, Sunday first: how many of each. */
export function weekOf(points: readonly { time: string }[], of: (point: never) => number): number[][] {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  for (const point of points) {
    const [day = 0, hour = 0] = point.time.split(' ').map(Number)
    const hours = week[day]
    if (hours) hours[hour] = of(point as never)
  }
  return week
}
