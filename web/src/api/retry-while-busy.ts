import { useSyncExternalStore } from 'react'
import { ApiError } from './error.ts'

/** Longer than the minute over which the server counts. */
const waitedSecondsMax = 75

const waiting = new Set<{ text: string }>()
const listeners = new Set<() => void>()
const notify = (): void => listeners.forEach((listener) => listener())

/** The server's sentence about what this account has too much of; null when nothing waits. */
export function useWaitingWork(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => [...waiting][0]?.text ?? null,
  )
}

/** The server's sentence in a 429 about too much work under way; null for every other failure. */
function tooMuch(error: unknown): { text: string; seconds: number } | null {
  if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfterSeconds === null) return null
  const about = error.errors.find(({ field, code }) => field === 'account' && code === 'throttled')
  return about ? { text: about.text, seconds: error.retryAfterSeconds } : null
}

/** Retries while the account has too much of this work under way; the shell shows it meanwhile. */
export async function retryWhileBusy<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let waited = 0; ;) {
    try {
      return await work()
    } catch (error) {
      const busy = tooMuch(error)
      if (!busy || waited + busy.seconds > waitedSecondsMax) throw error
      waited += busy.seconds
      await said(busy.text, busy.seconds * 1000, signal)
      if (signal?.aborted) throw error
    }
  }
}

async function said(text: string, ms: number, signal?: AbortSignal): Promise<void> {
  const one = { text }
  waiting.add(one)
  notify()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = (): void => (clearTimeout(timer), resolve())
    signal?.addEventListener('abort', end, { once: true })
  })
  waiting.delete(one)
  notify()
}
