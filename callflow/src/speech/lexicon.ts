import type { Calendar, Language, SpokenKind } from '@ghanti/contract/templates.ts'
import { monthWords } from './months.ts'
import { numberWords, ordinalOf, scaleWords } from './numbers.ts'

/** A word that values can need. `key` names its recording's file in ASCII. */
export type LexiconWord = {
  key: string
  word: string
  kinds: readonly SpokenKind[]
  /** The only calendar whose dates need it; null when both do. Campaigns of either calendar may need any month's name. */
  calendar: Calendar | null
}

export const particles = {
  ne: { rupees: 'रुपैयाँ', paisa: 'पैसा', bsYear: 'साल', bsDay: 'गते', adYear: 'सन्', adDay: 'तारिख' },
  en: { rupee: 'rupee', rupees: 'rupees', paisa: 'paisa', and: 'and' },
} as const

/** The names of A to Z, spelled so that every speech engine reads them as letters. */
export const letterWords: Record<Language, readonly string[]> = {
  ne: 'ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू भी डब्ल्यू एक्स वाई जेड'.split(' '),
  en: 'ay bee see dee ee eff gee aitch eye jay kay ell em en oh pee cue ar ess tee you vee double-you ex why zed'.split(
    ' ',
  ),
}

function numbers(language: Language): LexiconWord[] {
  return numberWords[language].map((word, number) => {
    const kinds: SpokenKind[] = ['amount']
    if (number > 0) kinds.push('date')
    if (number < 10) kinds.push('token')
    return { key: String(number), word, kinds, calendar: null }
  })
}

function scales(language: Language): LexiconWord[] {
  const { hundred, thousand, lakh, crore } = scaleWords[language]
  return [
    { key: 'hundred', word: hundred, kinds: ['amount', 'date'], calendar: null },
    { key: 'thousand', word: thousand, kinds: ['amount', 'date'], calendar: null },
    { key: 'lakh', word: lakh, kinds: ['amount'], calendar: null },
    { key: 'crore', word: crore, kinds: ['amount'], calendar: null },
  ]
}

function months(language: Language): LexiconWord[] {
  return (['bs', 'ad'] as const).flatMap((calendar) =>
    monthWords[calendar][language].map((word, index) => ({
      key: (monthWords[calendar].en[index] ?? '').toLowerCase(),
      word,
      kinds: ['date', 'month'] as const,
      calendar,
    })),
  )
}

function letters(language: Language): LexiconWord[] {
  return letterWords[language].map((word, index) => ({
    key: `letter-${String.fromCharCode(97 + index)}`,
    word,
    kinds: ['token'],
    calendar: null,
  }))
}

function nepaliOnly(): LexiconWord[] {
  const { rupees, paisa, bsYear, bsDay, adYear, adDay } = particles.ne
  return [
    { key: 'rupees', word: rupees, kinds: ['amount'], calendar: null },
    { key: 'paisa', word: paisa, kinds: ['amount'], calendar: null },
    { key: 'year-bs', word: bsYear, kinds: ['date'], calendar: 'bs' },
    { key: 'day-bs', word: bsDay, kinds: ['date'], calendar: 'bs' },
    { key: 'year-ad', word: adYear, kinds: ['date'], calendar: 'ad' },
    { key: 'day-ad', word: adDay, kinds: ['date'], calendar: 'ad' },
  ]
}

function englishOnly(): LexiconWord[] {
  const joining = Object.entries(particles.en).map(([key, word]): LexiconWord => ({
    key,
    word,
    kinds: ['amount'],
    calendar: null,
  }))
  // The longest BS month has 32 days.
  const days = Array.from({ length: 32 }, (_, index): LexiconWord => {
    const word = ordinalOf(index + 1)
    return { key: word, word, kinds: ['date'], calendar: index === 31 ? 'bs' : null }
  })
  return [...joining, ...days]
}

function lexiconOf(language: Language): LexiconWord[] {
  const own = language === 'ne' ? nepaliOnly() : englishOnly()
  return [...numbers(language), ...scales(language), ...own, ...months(language), ...letters(language)]
}

/** Every word that amounts, dates, months and tokens can need, in the order in which a speaker records them. */
export const lexicon: Record<Language, readonly LexiconWord[]> = { ne: lexiconOf('ne'), en: lexiconOf('en') }

/** Every word that a kind of value can need; for dates, only those of `calendar` when it is given. Names and services have no list. */
export function vocabulary(language: Language, kind: SpokenKind, calendar?: Calendar): readonly string[] {
  const other = (word: LexiconWord): boolean =>
    kind === 'date' && calendar !== undefined && word.calendar !== null && word.calendar !== calendar
  return lexicon[language].filter((word) => word.kinds.includes(kind) && !other(word)).map(({ word }) => word)
}
