import { untilNext } from '../../lib/every-multiple.ts'

/** What happens when the moment comes, whether there is anything to do then, and the period that it waits for. */
type Waiter = { go(): void; isDue(): boolean; periodMs(): number }

/** The waiters for the next multiple of a period. They share one timer, however many dialers there are. */
type Beat = { timer: NodeJS.Timeout; waiting: Set<Waiter> }
const beats = new Map<number, Beat>()

function wakeOnNext(waiter: Waiter): void {
  const ms = waiter.periodMs()
  const due = beats.get(ms)
  if (due) {
    due.waiting.add(waiter)
    return
  }
  const waiting = new Set([waiter])
  const timer = setTimeout(() => {
    beats.delete(ms)
    for (const one of waiting)
      if (one.isDue()) one.go()
      else wakeOnNext(one)
  }, untilNext(ms))
  beats.set(ms, { timer, waiting })
}

function leave(waiter: Waiter): void {
  for (const [ms, { timer, waiting }] of beats) {
    if (!waiting.delete(waiter) || waiting.size > 0) continue
    clearTimeout(timer)
    beats.delete(ms)
  }
}

/**
 * Runs rounds one after the other, never two at once, until the signal. Late rounds are not made up for. `ms`: asked again before each wait.
 * `isDue`: false when there is nothing to do in the next round, which is then left out; hundreds of dialers are asked this several times a second, so it
 * is cheap and does not throw.
 */
export async function runEvery(
  ms: number | (() => number),
  signal: AbortSignal,
  round: () => Promise<unknown>,
  isDue: () => boolean = () => true,
): Promise<void> {
  let go: () => void = () => undefined
  const periodMs = typeof ms === 'number' ? () => ms : ms
  const waiter: Waiter = { go: () => go(), isDue, periodMs }
  const end = (): void => {
    leave(waiter)
    go()
  }
  signal.addEventListener('abort', end, { once: true })
  while (!signal.aborted) {
    await round()
    if (signal.aborted) break
    await new Promise<void>((due) => {
      go = due
      wakeOnNext(waiter)
    })
  }
}
