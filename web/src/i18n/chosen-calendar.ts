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

/** The day as the Bikram Sambat writes it, like '2083-08-07'; null outside its table. */
type Converter = (day: string) => string | null
/** Fetched by the first reader of the Bikram Sambat; until it is there dates are AD. */
let converter: Converter | null = null

async function loadConverter(): Promise<void> {
  converter ??= (await import('./bikram-sambat.ts')).bikramSambatDayOf
  listeners.forEach((listener) => listener())
}

/** Before the first paint; without the converter dates are AD. */
export async function startCalendar(): Promise<void> {
  if (chosen === 'bs') await loadConverter().catch(() => undefined)
}

/** In which calendar the reader reads and writes dates; the other one stands beside it. The choice stays in the browser. */
export function chooseCalendar(calendar: CalendarName): void {
  chosen = calendar
  void startCalendar()
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

/** What writes a day of the wire for the reader of now; null: it stays AD. */
export function useDayConverter(): Converter | null {
  return useSyncExternalStore(subscribe, () => (chosen === 'bs' ? converter : null))
}
