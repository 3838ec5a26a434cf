import { nepaliDigits } from '@ghanti/contract/nepali/digits.ts'
import { useSyncExternalStore } from 'react'
import type { Language } from './areas.ts'

/** The digits of Nepali screens: ०-९ or 0-9. English screens always have 0-9. */
export const digitScripts = ['devanagari', 'latin'] as const
export type DigitScript = (typeof digitScripts)[number]

const storageKey = 'ghanti-digits'
const scriptOf = (stored: string | null): DigitScript => (stored === 'latin' ? 'latin' : 'devanagari')
const listeners = new Set<() => void>()
let chosen: DigitScript = chosenBefore()

function chosenBefore(): DigitScript {
  try {
    return scriptOf(localStorage.getItem(storageKey))
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    return 'devanagari'
  }
}

function changeTo(script: DigitScript): void {
  chosen = script
  listeners.forEach((listener) => listener())
}

/** A choice in one tab also applies to others that are open. */
addEventListener('storage', ({ key, newValue }) => {
  if (key === storageKey) changeTo(scriptOf(newValue))
})

export function chooseDigits(script: DigitScript): void {
  try {
    localStorage.setItem(storageKey, script)
  } catch {
    // as above
  }
  changeTo(script)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function digitsOfNow(): DigitScript {
  return chosen
}

export function useDigitScript(): DigitScript {
  return useSyncExternalStore(subscribe, digitsOfNow)
}

export function digitsFor(language: Language, figure: string): string {
  return language === 'ne' && chosen === 'devanagari' ? nepaliDigits(figure) : figure
}
