import { untilNext } from '../../lib/every-multiple.ts'

/** What happens when the moment comes, and whether there is anything to do then. */
type Waiter = { go(): void; isDue(): boolean }

/** The waiters for the next multiple of a period. They share one timer, however many dialers there are. */
type Beat = { timer: NodeJS.Timeout; waiting: Set<Waiter> }
const beats = new Map<number, Beat>()

function wakeOnNext(ms: number, waiter: Waiter): void {
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
      else wakeOnNext(ms, one)
  }, untilNext(ms))
  beats.set(ms, { timer, waiting })
}

function leave(ms: number, waiter: Waiter): void {
  const due = beats.get(ms)
  if (!due?.waiting.delete(waiter) || due.waiting.size > 0) return
  clearTimeout(due.timer)
  beats.delete(ms)
}

/**
 * Runs rounds one after the other, never two at once, until the signal. Late rounds are not made up for. `isDue`: false when there is nothing to do in the next
 * one, which is then left out; hundreds of idle dialers are asked this several times a second, so it is cheap and does not throw.
 */
export async function runEvery(
  ms: number,
  signal: AbortSignal,
  round: () => Promise<unknown>,
  isDue: () => boolean = () => true,
): Promise<void> {
  let go: () => void = () => undefined
  const waiter: Waiter = { go: () => go(), isDue }
  const end = (): void => {
    leave(ms, waiter)
    go()
  }
  signal.addEventListener('abort', end, { once: true })
  while (!signal.aborted) {
    await round()
    if (signal.aborted) break
    await new Promise<void>((due) => {
      go = due
      wakeOnNext(ms, waiter)
    })
  }
}
