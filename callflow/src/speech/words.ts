import type { Calendar, Language, SpokenKind } from '@ghanti/contract/templates.ts'
import { bsOfAd, dayOfIso } from './calendar.ts'
import { letterWords, particles } from './lexicon.ts'
import { monthWords } from './months.ts'
import { countWords, numberWords, ordinalOf, yearWords } from './numbers.ts'

/** The longest sound of one value, in ms. Rows with longer values are refused. */
export const spokenMsMax: Record<SpokenKind, number> = {
  amount: 15_000,
  date: 10_000,
  month: 4_000,
  token: 20_000,
  name: 8_000,
  service: 8_000,
}

/**
 * The words for a value, in order. `value` must be a normal form of `readValue`. A month whose name determines its calendar keeps that calendar,
 * whatever the campaign's is.
 */
export function wordsOf(kind: SpokenKind, value: string, language: Language, calendar: Calendar): string[] {
  switch (kind) {
    case 'amount':
      return amountWords(value, language)
    case 'date':
      return dateWords(value, language, calendar)
    case 'month':
      return [monthWord(value, language, calendar)]
    case 'token':
      return [...value].map((sign) => signWord(sign, language))
    case 'name':
    case 'service':
      return [value]
  }
}

export function textOf(words: readonly string[]): string {
  return words.join(' ')
}

function amountWords(value: string, language: Language): string[] {
  const [whole = '', decimals = ''] = value.split('.')
  const rupees = Number(whole)
  const paisa = Number(decimals)
  const small = paisa === 0 ? [] : [word(numberWords[language], paisa), particles[language].paisa]
  if (rupees === 0 && paisa > 0) return small
  const count = rupees === 0 ? [word(numberWords[language], 0)] : countWords(language, rupees)
  const unit = language === 'en' && rupees === 1 ? particles.en.rupee : particles[language].rupees
  const joined = language === 'en' && paisa > 0 ? [particles.en.and, ...small] : small
  return [...count, unit, ...joined]
}

function dateWords(value: string, language: Language, calendar: Calendar): string[] {
  const ad = dayOfIso(value)
  const day = calendar === 'bs' ? bsOfAd(ad) : ad
  if (!day) throw new Error(`no such date: ${value}`)
  const year = yearWords(language, day.year)
  const month = word(monthWords[calendar][language], day.month - 1)
  if (language === 'en') return [ordinalOf(day.day), month, ...year]
  const number = word(numberWords.ne, day.day)
  const { bsYear, bsDay, adYear, adDay } = particles.ne
  return calendar === 'bs' ? [...year, bsYear, month, number, bsDay] : [adYear, ...year, month, number, adDay]
}

function monthWord(value: string, language: Language, calendar: Calendar): string {
  const [, own, number = ''] = /^(?:(ad|bs):)?(\d+)$/.exec(value) ?? []
  const its = own === 'ad' || own === 'bs' ? own : calendar
  return word(monthWords[its][language], Number(number) - 1)
}

function signWord(sign: string, language: Language): string {
  return /\d/.test(sign)
    ? word(numberWords[language], Number(sign))
    : word(letterWords[language], sign.charCodeAt(0) - 65)
}

function word(among: readonly string[], index: number): string {
  const found = among[index]
  if (found === undefined) throw new Error(`no word number ${index}`)
  return found
}
