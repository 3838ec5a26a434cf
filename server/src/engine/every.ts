import { setTimeout as sleep } from 'node:timers/promises'

/** Timers fire up to a millisecond early by this clock. */
const earlyMs = 2

/** Until the next multiple of `ms` since the process began: all that is done every `ms` is due at the same moment, so that it can be asked for together. */
export function untilNext(ms: number): number {
  const left = ms - (performance.now() % ms)
  return left < earlyMs ? left + ms : left
}

/** One round after the other, never two at once, until the signal. Late rounds are not made up for. */
export async function every(ms: number, signal: AbortSignal, round: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await round()
    await sleep(untilNext(ms), undefined, { signal }).catch(() => undefined)
  }
}
