/** Whether a bucket begins after `now`, Nepal time: nothing can have happened in it. */
export const isAhead = (time: string, now: string) => time > now.slice(0, time.length)

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
