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

/** Opens the drawer for a Call Now that the stream reports; it stays open until closed. */
export function showFollowup(followupId: number): void {
  if (followupId !== closedId) show(followupId)
}

/** Opens the drawer for one requested in this tab, and moves the focus there. */
export function showAskedFollowup(followupId: number): void {
  askedId = followupId
  show(followupId)
}

/** False when only the stream reported it: the focus then stays where somebody may be typing. */
export function isAskedHere(followupId: number): boolean {
  return askedId === followupId
}

export function closeFollowup(): void {
  closedId = shownId
  show(null)
}

export function useFollowupId(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shownId,
  )
}
