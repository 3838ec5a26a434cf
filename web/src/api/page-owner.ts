import { otherAccountCode } from '@ghanti/contract/page-owner.ts'
import { useSyncExternalStore } from 'react'
import { ApiError } from './error.ts'

let ownerOf: () => number | null = () => null
/** The account that this page belongs to, until its session ends or the page is loaded again; null while nobody is signed in. */
export const pageOwner = (): number | null => ownerOf()
export function setPageOwner(of: () => number | null): void {
  ownerOf = of
}

/** `sentence`: what the server said when another window had signed in as another account. */
type Notice = { sentence: string | null; isShown: boolean }
let notice: Notice = { sentence: null, isShown: false }
const listeners = new Set<() => void>()

function set(next: Notice): void {
  notice = next
  listeners.forEach((listener) => listener())
}

export function isOfOtherAccount(error: unknown): error is ApiError {
  return error instanceof ApiError && error.errors.some(({ code }) => code === otherAccountCode)
}

/** What reloads by itself tells it once; what somebody does tells it each time. */
export function noteOtherAccount(error: unknown, isWrite: boolean): void {
  if (!isOfOtherAccount(error)) return
  const sentence = error.errors.find(({ code }) => code === otherAccountCode)?.text ?? error.message
  if (isWrite || notice.sentence !== sentence) set({ sentence, isShown: true })
}

export function closeNotice(): void {
  set({ ...notice, isShown: false })
}

/** The server's sentence while it is to be shown. */
export function useOtherAccount(): string | null {
  const { sentence, isShown } = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notice,
  )
  return isShown ? sentence : null
}
