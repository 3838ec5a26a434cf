import { useSyncExternalStore } from 'react'
import type { Language } from './areas.ts'
import { currentLanguage, onLanguage } from './language.ts'

export const calendarNames = ['ad', 'bs'] as const
export type CalendarName = (typeof calendarNames)[number]

const storageKey = 'ghanti-calendar'
const listeners = new Set<() => void>()
/** What a reader sees who has chosen none. */
const usual: Record<Language, CalendarName> = { en: 'ad', ne: 'bs' }
let chosen: CalendarName | null = chosenBefore()

function chosenBefore(): CalendarName | null {
  try {
    const kept = localStorage.getItem(storageKey)
    return calendarNames.find((name) => name === kept) ?? null
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    return null
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

/** Before the first paint, which will be in this language; without the converter dates are AD. */
export async function startCalendar(language: Language): Promise<void> {
  if ((chosen ?? usual[language]) === 'bs') await loadConverter().catch(() => undefined)
}

function changed(): void {
  void startCalendar(currentLanguage())
  listeners.forEach((listener) => listener())
}
onLanguage(changed)

/** Sets the calendar in which the reader sees and types dates, with the other one beside it. Stored in the browser. */
export function chooseCalendar(calendar: CalendarName): void {
  chosen = calendar
  try {
    localStorage.setItem(storageKey, calendar)
  } catch {
    // as above
  }
  changed()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the reader has chosen; until then Bikram Sambat in Nepali and AD in English. */
export function calendarOfNow(): CalendarName {
  return chosen ?? usual[currentLanguage()]
}

export function useCalendar(): CalendarName {
  return useSyncExternalStore(subscribe, calendarOfNow)
}

/** Converts a wire day for the current reader; null while dates are AD. */
export function useDayConverter(): Converter | null {
  return useSyncExternalStore(subscribe, () => (calendarOfNow() === 'bs' ? converter : null))
}
