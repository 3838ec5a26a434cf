import type { CallInsight, Grain, MessageInsight } from './insight.ts'

type Point = CallInsight['series'][number] | MessageInsight['series'][number]
/** One bucket of the range, and the one in its place in the range before; null where nothing happened. */
export type Bucket<P extends Point> = { time: string; now: P | null; before: P | null }

const dayMs = 24 * 3600_000
const minutesOf = { minute: 1, hour: 60, day: 1440 } as const

function timesOf(by: Grain, from: string, to: string): string[] {
  if (by === 'weekday') return Array.from({ length: 7 * 24 }, (_, n) => `${Math.floor(n / 24)} ${n % 24}`)
  const first = Date.parse(`${from}T00:00:00Z`)
  const stepMs = minutesOf[by] * 60_000
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) + dayMs - first) / stepMs)
  return Array.from({ length: Math.max(0, count) }, (_, n) => {
    const time = new Date(first + n * stepMs).toISOString()
    return by === 'day' ? time.slice(0, 10) : time.slice(0, 19).replace('T', ' ')
  })
}

type Answer<P extends Point> = Pick<CallInsight, 'from' | 'to' | 'before' | 'by'> & { series: P[]; seriesBefore: P[] }

/** Every bucket of the range, including empty ones. */
export function bucketsOf<P extends Point>(answer: Answer<P>): Bucket<P>[] {
  const { by, from, to, before, series, seriesBefore } = answer
  const [found, foundBefore] = [series, seriesBefore].map(
    (points) => new Map(points.map((point) => [point.time, point])),
  )
  const earlier = timesOf(by, before.from, before.to)
  return timesOf(by, from, to).map((time, n) => ({
    time,
    now: found?.get(time) ?? null,
    before: foundBefore?.get(earlier[n] ?? '') ?? null,
  }))
}
