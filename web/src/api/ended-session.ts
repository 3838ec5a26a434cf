import { useSyncExternalStore } from 'react'

/** The account whose session the server has ended under a page in use; null while there is none. */
let username: string | null = null
let waiting: ((again: boolean) => void)[] = []
const listeners = new Set<() => void>()

function set(next: string | null): void {
  username = next
  listeners.forEach((listener) => listener())
}

export const endedSession = (): string | null => username

/** Resolves to true once the account is signed in again, and to false when the page is given up. */
export function ended(whose: string): Promise<boolean> {
  if (username === null) set(whose)
  return new Promise((resolve) => waiting.push(resolve))
}

/** `again`: the same account is signed in, and what waits goes on. */
export function endWait(again: boolean): void {
  const those = waiting
  waiting = []
  if (username !== null) set(null)
  for (const resolve of those) resolve(again)
}

export function useEndedSession(): string | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, endedSession)
}
