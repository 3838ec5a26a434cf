import { nepaliDigits } from '@ghanti/contract/nepali/digits.ts'
import { useSyncExternalStore } from 'react'
import type { Language } from './areas.ts'

/** The digits of Nepali screens: ०-९ or 0-9. English ones have 0-9 alone. */
export const digitScripts = ['devanagari', 'latin'] as const
export type DigitScript = (typeof digitScripts)[number]

const storageKey = 'ghanti-digits'
const listeners = new Set<() => void>()
let chosen: DigitScript = chosenBefore()

function chosenBefore(): DigitScript {
  try {
    return localStorage.getItem(storageKey) === 'latin' ? 'latin' : 'devanagari'
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    return 'devanagari'
  }
}

/** Stored in the browser, like the calendar. */
export function chooseDigits(script: DigitScript): void {
  chosen = script
  try {
    localStorage.setItem(storageKey, script)
  } catch {
    // as above
  }
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The script of now, for what is no component. */
export function digitsOfNow(): DigitScript {
  return chosen
}

export function useDigitScript(): DigitScript {
  return useSyncExternalStore(subscribe, digitsOfNow)
}

/** A figure that has digits 0-9, as the reader of this language wants them. */
export function digitsFor(language: Language, figure: string): string {
  return language === 'ne' && chosen === 'devanagari' ? nepaliDigits(figure) : figure
}
