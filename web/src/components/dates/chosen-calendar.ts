import { useSyncExternalStore } from 'react'

/** AD, or Bikram Sambat. */
export const calendarNames = ['ad', 'bs'] as const
export type CalendarName = (typeof calendarNames)[number]

const storageKey = 'ghanti-calendar'
const listeners = new Set<() => void>()
let chosen: CalendarName = chosenBefore()

function chosenBefore(): CalendarName {
  try {
    return localStorage.getItem(storageKey) === 'bs' ? 'bs' : 'ad'
  } catch {
    // Storage may be forbidden; then the choice lasts as long as the page.
    return 'ad'
  }
}

/** In which calendar the reader writes dates; the other one stands beside it. The choice stays in the browser. */
export function chooseCalendar(calendar: CalendarName): void {
  chosen = calendar
  try {
    localStorage.setItem(storageKey, calendar)
  } catch {
    // as above
  }
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useCalendar(): CalendarName {
  return useSyncExternalStore(subscribe, () => chosen)
}
