/** Timers fire up to a millisecond early by this clock. */
export const earlyMs = 2

/** Time until the next multiple of `ms` since the process began. Work of one period is due at the same moment, so it can share statements. */
export function untilNext(ms: number): number {
  const left = ms - (performance.now() % ms)
  return left < earlyMs ? left + ms : left
}

/** Which period of `ms` it is since the process began. A timer that fires early is already in the period for which it was set. */
export function periodOf(ms: number): number {
  return Math.floor((performance.now() + earlyMs) / ms)
}

/**
 * Like setInterval, but everything with one period is due at the same moment, so that a hundred idle connections wake the process once. Does
 * not keep the process alive. Returns a function that ends it.
 */
export function everyMultiple(ms: number, work: () => void): () => void {
  const wait = (): NodeJS.Timeout =>
    setTimeout(() => {
      timer = wait()
      work()
    }, untilNext(ms)).unref()
  let timer = wait()
  return () => clearTimeout(timer)
}
