import { useCallback, useSyncExternalStore } from 'react'

const tickMs = 500
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all who look at the time, while somebody does. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => listeners.forEach((tell) => tell()), tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in milliseconds, in steps: a component is rendered again once a step. */
export function useClock(stepMs: number): number {
  const read = useCallback(() => Math.floor(Date.now() / stepMs) * stepMs, [stepMs])
  return useSyncExternalStore(subscribe, read)
}
