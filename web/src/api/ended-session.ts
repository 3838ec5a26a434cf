import { useSyncExternalStore } from 'react'

/** The account whose session the server has ended under a page in use; null while there is none. */
let username: string | null = null
let waiting: ((again: true) => void)[] = []
const listeners = new Set<() => void>()

function set(next: string | null): void {
  username = next
  listeners.forEach((listener) => listener())
}

export const endedSession = (): string | null => username

/** Resolves once the account is signed in again. A page that is given up is loaded anew, with nothing that waits. */
export function ended(whose: string): Promise<true> {
  if (username === null) set(whose)
  return new Promise((resolve) => waiting.push(resolve))
}

export function signedInAgain(): void {
  const those = waiting
  waiting = []
  if (username !== null) set(null)
  for (const resolve of those) resolve(true)
}

export function useEndedSession(): string | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, endedSession)
}
