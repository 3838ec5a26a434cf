import { useEffect } from 'react'

const idleMs = 3000

/** Loads code that a first click will need once the page has come to rest. If that fails, the click loads it. */
export function useIdleLoad(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), idleMs)
    return () => clearTimeout(timer)
  }, [load])
}
