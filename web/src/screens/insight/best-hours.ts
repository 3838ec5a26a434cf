/** One of the 168 hours of the week: how many calls began in it, and how many were answered. */
export type HourOfWeek = { day: number; hour: number; calls: number; answered: number }

/** Fewer calls in an hour say little about it. */
const callsMin = 20

/** `0 13`: the weekday, Sunday first, and the hour. */
export function hoursOf(series: readonly { time: string; attempts: number; answered: number }[]): HourOfWeek[] {
  const found = new Map(series.map((point) => [point.time, point]))
  return Array.from({ length: 7 * 24 }, (_, n) => {
    const [day, hour] = [Math.floor(n / 24), n % 24]
    const point = found.get(`${day} ${hour}`)
    return { day, hour, calls: point?.attempts ?? 0, answered: point?.answered ?? 0 }
  })
}

const answeredShare = ({ calls, answered }: HourOfWeek): number => (calls === 0 ? 0 : answered / calls)

/** The hour in which the largest share was answered; null where no hour has enough calls. */
export function bestHour(hours: readonly HourOfWeek[]): HourOfWeek | null {
  const [best = null] = hours
    .filter(({ calls }) => calls >= callsMin)
    .toSorted((a, b) => answeredShare(b) - answeredShare(a) || b.calls - a.calls)
  return best
}

/** 0 (no calls) to 4, by quarters of the largest share. */
export function levelsOf(hours: readonly HourOfWeek[]): number[] {
  const most = Math.max(0, ...hours.map(answeredShare))
  return hours.map((hour) => (hour.calls === 0 ? 0 : Math.max(1, Math.ceil((4 * answeredShare(hour)) / (most || 1)))))
}
