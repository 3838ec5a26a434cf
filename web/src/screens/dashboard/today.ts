import type { CallInsight } from '@ghanti/contract/insight.ts'

type Point = CallInsight['series'][number]
export type DayFigures = { calls: number; answered: number; asked: number; cost: number }

const sumOf = (points: readonly Point[]): DayFigures => ({
  calls: points.reduce((sum, { attempts }) => sum + attempts, 0),
  answered: points.reduce((sum, { answered }) => sum + answered, 0),
  /** Calls that were not cancelled, derived from the server's rate per hour. */
  asked: points.reduce(
    (sum, { answered, asr, attempts }) => sum + (asr ? Math.round((100 * answered) / asr) : attempts),
    0,
  ),
  cost: points.reduce((sum, { cost }) => sum + cost, 0),
})

/** 24 numbers. */
function hoursOf(points: readonly Point[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { time, attempts } of points) hours[Number(time.slice(11, 13))] = attempts
  return hours
}

/** Today beside yesterday up to `hour`, the current hour in Nepal. */
export function todayOf({ series, seriesBefore }: Pick<CallInsight, 'series' | 'seriesBefore'>, hour: number) {
  const soFar = (points: readonly Point[]) => points.filter(({ time }) => Number(time.slice(11, 13)) <= hour)
  return {
    now: sumOf(series),
    before: sumOf(soFar(seriesBefore)),
    hours: hoursOf(series).slice(0, hour + 1),
    hoursBefore: hoursOf(seriesBefore),
  }
}
