import { useSyncExternalStore } from 'react'
import { english, languages, type Area, type Language, type TextsOf } from './areas.ts'
import { digitsOfNow, useDigitScript } from './chosen-digits.ts'
import { texts as commonEnglish } from './en/common.ts'
import type * as NepaliTexts from './server-texts.ne.ts'

type Loaded = { [A in Area]?: TextsOf<A> }

const storageKey = 'ghanti-language'
const loaded: Record<Language, Loaded> = { en: { common: commonEnglish }, ne: {} }
/** Every area requested so far, which a change of language must load. */
const inUse = new Set<Area>(['common'])
const listeners = new Set<() => void>()
let current: Language = 'en'

/** For code outside components. In components: useLanguage. */
export function currentLanguage(): Language {
  return current
}

/** What the reader chose, or else the browser's. */
export function chosenLanguage(): Language {
  try {
    const kept = localStorage.getItem(storageKey)
    if (kept) return languages.find((language) => language === kept) ?? 'en'
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  return navigator.language.startsWith('ne') ? 'ne' : 'en'
}

const importNepali = () => import('./server-texts.ne.ts')

async function load<A extends Area>(area: A, language: Language): Promise<void> {
  if (loaded[language][area]) return
  const loaders = language === 'en' ? english : (await importNepali()).nepaliAreas
  const { texts } = await loaders[area]()
  loaded[language] = { ...loaded[language], [area]: texts }
}

/** Loads a screen's texts in the current language; if it changes meanwhile, in that one too. */
export async function loadTexts(...wanted: readonly Area[]): Promise<void> {
  wanted.forEach((area) => inUse.add(area))
  await Promise.all(wanted.map((area) => load(area, current)))
}

/** Loads all areas in use in the other language, then switches at once. */
export async function setLanguage(next: Language): Promise<void> {
  const server = next === 'ne' ? await importNepali() : null
  // A part that loads meanwhile has requested its texts in the old language, so its area counts too.
  for (let missing = missingIn(next); missing.length > 0; missing = missingIn(next)) {
    await Promise.all(missing.map((area) => load(area, next)))
  }
  nepali = server
  current = next
  document.documentElement.lang = next
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // as above
  }
  listeners.forEach((listener) => listener())
}

function missingIn(language: Language): Area[] {
  return [...inUse].filter((area) => !loaded[language][area])
}

/** Before the first paint; stays English when the language cannot be loaded. */
export async function startLanguage(wanted: Language): Promise<void> {
  if (wanted !== 'en') await setLanguage(wanted).catch(() => undefined)
}

let nepali: typeof NepaliTexts | null = null
/** Texts with 0-9, each made once, because lists are memoised by them. */
const inLatin = new WeakMap<object, object>()

/**
 * An exact English message of the server (contract/src/messages.ts, errors[].text) in the current language. Unknown texts stay as they are.
 */
export function serverText(text: string): string {
  if (!nepali) return text
  return digitsOfNow() === 'latin' ? nepali.saidInLatin(text, nepali.nepaliOf) : nepali.nepaliOf(text)
}

/** A sentence of the server that stands alone: many are written to continue another, and begin with a small letter. */
export function serverSentence(text: string): string {
  const said = serverText(text)
  return said.slice(0, 1).toUpperCase() + said.slice(1)
}

/** Until the function that it returns is called. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, currentLanguage)
}

export function textsOf<A extends Area>(area: A): TextsOf<A> {
  const found = loaded[current][area]
  if (!found) throw new Error(`The texts '${area}' are not loaded: name the area in src/paths.ts`)
  return nepali && digitsOfNow() === 'latin' ? latinOf(found, nepali.textsInLatin) : found
}

function latinOf<T extends object>(texts: T, make: (texts: T) => T): T {
  const made = inLatin.get(texts) ?? make(texts)
  inLatin.set(texts, made)
  return made as T
}

/** An area's texts in the current language; the screen's line in src/paths.ts loads them. */
export function useTexts<A extends Area>(area: A): TextsOf<A> {
  useLanguage()
  useDigitScript()
  return textsOf(area)
}
