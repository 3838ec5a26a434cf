/** Timers fire up to a millisecond early by this clock. */
const earlyMs = 2

/** Time until the next multiple of `ms` since the process began. Work of one period is due at the same moment, so it can share statements. */
export function untilNext(ms: number): number {
  const left = ms - (performance.now() % ms)
  return left < earlyMs ? left + ms : left
}

/** Those who wait for the next multiple of a period. All of them share one timer, however many dialers there are. */
type Beat = { timer: NodeJS.Timeout; waiting: Set<() => void> }
const beats = new Map<number, Beat>()

function wakeOnNext(ms: number, wake: () => void): void {
  const due = beats.get(ms)
  if (due) {
    due.waiting.add(wake)
    return
  }
  const waiting = new Set([wake])
  const timer = setTimeout(() => {
    beats.delete(ms)
    for (const one of waiting) one()
  }, untilNext(ms))
  beats.set(ms, { timer, waiting })
}

function leave(ms: number, wake: () => void): void {
  const due = beats.get(ms)
  if (!due?.waiting.delete(wake) || due.waiting.size > 0) return
  clearTimeout(due.timer)
  beats.delete(ms)
}

/** Runs rounds one after the other, never two at once, until the signal. Late rounds are not made up for. */
export async function every(ms: number, signal: AbortSignal, round: () => Promise<unknown>): Promise<void> {
  let go: () => void = () => undefined
  const wake = (): void => go()
  const end = (): void => {
    leave(ms, wake)
    wake()
  }
  signal.addEventListener('abort', end, { once: true })
  while (!signal.aborted) {
    await round()
    if (signal.aborted) break
    await new Promise<void>((due) => {
      go = due
      wakeOnNext(ms, wake)
    })
  }
}
