import { useCallback, useSyncExternalStore } from 'react'

const tickMs = 500
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all subscribers, running only while there are any. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => listeners.forEach((notify) => notify()), tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in milliseconds, rounded to steps; a component renders once per step. */
export function useClock(stepMs: number): number {
  const read = useCallback(() => Math.floor(Date.now() / stepMs) * stepMs, [stepMs])
  return useSyncExternalStore(subscribe, read)
}
