import { useSyncExternalStore } from 'react'
import type { Asked } from './client.ts'

/** What waits for the account's owner: a sign-in, because the server has ended the session under a page in use, or a proof. Null: nothing. */
type Wait = { username: string; asks: Asked }
let wait: Wait | null = null
let waiting: ((again: boolean) => void)[] = []
const listeners = new Set<() => void>()

function set(next: Wait | null): void {
  wait = next
  listeners.forEach((listener) => listener())
}

const waited = (): Wait | null => wait
/** Whether the server has ended the session under the page. */
export const isSessionEnded = (): boolean => wait?.asks === 'sign-in'

/** Resolves to true once the account is signed in again or has proved itself, and to false when that is given up. A sign-in is a proof. */
export function waitFor(asks: Wait['asks'], username: string): Promise<boolean> {
  if (!isSessionEnded()) set({ username, asks })
  return new Promise((resolve) => waiting.push(resolve))
}

/** `again`: the same account is signed in or has proved itself, and what waits goes on. */
export function endWait(again: boolean): void {
  const those = waiting
  waiting = []
  if (wait !== null) set(null)
  for (const resolve of those) resolve(again)
}

export function useWaitFor(): Wait | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, waited)
}
