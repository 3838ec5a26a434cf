import { useSyncExternalStore } from 'react'

let isInterrupted = false
const listeners = new Set<() => void>()
export function setInterrupted(now: boolean): void {
  if (now === isInterrupted) return
  isInterrupted = now
  listeners.forEach((listener) => listener())
}

/** While true, figures on screen may be old. */
export function useLiveInterrupted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isInterrupted,
  )
}
