import { useSyncExternalStore } from 'react'

export const calendarNames = ['ad', 'bs'] as const
export type CalendarName = (typeof calendarNames)[number]

const storageKey = 'ghanti-calendar'
const listeners = new Set<() => void>()
let chosen: CalendarName = chosenBefore()

function chosenBefore(): CalendarName {
  try {
    return localStorage.getItem(storageKey) === 'bs' ? 'bs' : 'ad'
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    return 'ad'
  }
}

/** A day in Bikram Sambat, like '2083-08-07'; null outside the table. */
type Converter = (day: string) => string | null
/** Loaded for the first reader of Bikram Sambat; until then dates are AD. */
let converter: Converter | null = null

async function loadConverter(): Promise<void> {
  converter ??= (await import('./bikram-sambat.ts')).bikramSambatDayOf
  listeners.forEach((listener) => listener())
}

/** Before the first paint; without the converter dates are AD. */
export async function startCalendar(): Promise<void> {
  if (chosen === 'bs') await loadConverter().catch(() => undefined)
}

/** Sets the calendar in which the reader sees and types dates, with the other one beside it. Stored in the browser. */
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

export function calendarOfNow(): CalendarName {
  return chosen
}

export function useCalendar(): CalendarName {
  return useSyncExternalStore(subscribe, () => chosen)
}

/** Converts a wire day for the current reader; null while dates are AD. */
export function useDayConverter(): Converter | null {
  return useSyncExternalStore(subscribe, () => (chosen === 'bs' ? converter : null))
}
