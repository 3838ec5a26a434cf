import { useSyncExternalStore } from 'react'

let shownId: number | null = null
let closedId: number | null = null
let askedId: number | null = null
const listeners = new Set<() => void>()

function show(followupId: number | null): void {
  if (followupId === shownId) return
  shownId = followupId
  listeners.forEach((listener) => listener())
}

/** Whose drawer is open until it is closed: what the stream says is under way. */
export function showFollowup(followupId: number): void {
  if (followupId !== closedId) show(followupId)
}

/** What was asked for in this tab: the keyboard goes on in its drawer. */
export function showAskedFollowup(followupId: number): void {
  askedId = followupId
  show(followupId)
}

/** False: the stream told of it, and whoever writes something here goes on writing. */
export function isAskedHere(followupId: number): boolean {
  return askedId === followupId
}

/** It has ended, and its end was read. */
export function closeFollowup(): void {
  closedId = shownId
  show(null)
}

/** The Call Now in the drawer; null: none. */
export function useFollowupId(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shownId,
  )
}
