import { adToBs } from '@sbmdkl/nepali-date-converter'
import type { Calendar, Language, SpokenKind } from '@ghanti/contract/templates.ts'
import * as fc from 'fast-check'
import { ToWords } from 'to-words'
import { describe, expect, test } from 'vitest'
import { amountPaisaMax } from './amounts.ts'
import { isoOf } from './calendar.ts'
import { letterWords, lexicon, vocabulary } from './lexicon.ts'
import { monthWords } from './months.ts'
import { numberWords } from './numbers.ts'
import { readValue } from './read.ts'
import { spokenMsMax, textOf, wordsOf } from './words.ts'

const languages: Language[] = ['ne', 'en']
const nepaliPackage = new ToWords({ localeCode: 'np-NP' })
const englishPackage = new ToWords({ localeCode: 'en-NP' })

const amountOf = (paisa: number): string => (paisa / 100).toFixed(2)
const said = (kind: SpokenKind, text: string, language: Language, calendar: Calendar = 'bs'): string => {
  const reading = readValue(kind, text)
  if (!reading.ok) throw new Error(reading.why)
  return textOf(wordsOf(kind, reading.value, language, calendar))
}

/** Amounts of every size, round ones, and those with a zero inside. */
const paisaOf = fc.oneof(
  fc.integer({ min: 1, max: amountPaisaMax }),
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 8 })).map(([n, zeros]) => n * 10 ** zeros),
)

describe('amounts', () => {
  test.each([
    { text: '1', ne: 'एक रुपैयाँ', en: 'one rupee' },
    { text: '0.50', ne: 'पचास पैसा', en: 'fifty paisa' },
    { text: '1.01', ne: 'एक रुपैयाँ एक पैसा', en: 'one rupee and one paisa' },
    { text: '100', ne: 'एक सय रुपैयाँ', en: 'one hundred rupees' },
    { text: '100000', ne: 'एक लाख रुपैयाँ', en: 'one lakh rupees' },
    {
      text: '1234567.50',
      ne: 'बाह्र लाख चौँतीस हजार पाँच सय सतसट्ठी रुपैयाँ पचास पैसा',
      en: 'twelve lakh thirty-four thousand five hundred sixty-seven rupees and fifty paisa',
    },
    { text: '10000001', ne: 'एक करोड एक रुपैयाँ', en: 'one crore one rupees' },
    {
      text: '999999999.99',
      ne: 'उनान्सय करोड उनान्सय लाख उनान्सय हजार नौ सय उनान्सय रुपैयाँ उनान्सय पैसा',
      en: 'ninety-nine crore ninety-nine lakh ninety-nine thousand nine hundred ninety-nine rupees and ninety-nine paisa',
    },
  ])('$text', ({ text, ne, en }) => {
    expect(said('amount', text, 'ne')).toBe(ne)
    expect(said('amount', text, 'en')).toBe(en)
  })

  test('in English they match a second, independent package', () => {
    fc.assert(
      fc.property(paisaOf, (paisa) => {
        const theirs = englishPackage
          .convert(paisa / 100, { currency: true })
          .toLowerCase()
          .replace(/ only$/, '')
          .replace(/^zero rupees and /, '')
        return said('amount', amountOf(paisa), 'en').replaceAll('-', ' ') === theirs
      }),
      { numRuns: 1000 },
    )
  })

  test('in Nepali they match a second, independent package except for spelling', () => {
    const numbersOf = (text: string, table: readonly string[]): string =>
      text
        .split(' ')
        .map((word) => (table.includes(word) ? table.indexOf(word) : word))
        .join(' ')
    const theirTable = Array.from({ length: 100 }, (_, n) => nepaliPackage.convert(n))
    fc.assert(
      fc.property(paisaOf, (paisa) => {
        const theirs = nepaliPackage
          .convert(paisa / 100, { currency: true })
          .replace(/ मात्र$/, '')
          .replace(' र ', ' ')
          .replace(/^शून्य रुपैयाँ (?=.)/, '')
        const ours = said('amount', amountOf(paisa), 'ne')
        return numbersOf(ours, numberWords.ne) === numbersOf(theirs, theirTable)
      }),
      { numRuns: 1000 },
    )
  })

  test('adding up the words gives the amount back', () => {
    fc.assert(
      fc.property(paisaOf, fc.constantFrom(...languages), (paisa, language) => {
        return paisaOfWords(wordsOf('amount', amountOf(paisa), language, 'ad'), language) === paisa
      }),
      { numRuns: 3000 },
    )
  })
})

/** Adds up spoken words, independently of the code that makes them. */
function paisaOfWords(words: readonly string[], language: Language): number {
  const size: Record<string, number> = { सय: 100, हजार: 1000, लाख: 1e5, करोड: 1e7 }
  Object.assign(size, { hundred: 100, thousand: 1000, lakh: 1e5, crore: 1e7 })
  let paisa = 0
  let rupees = 0
  let count = 0
  for (const word of words) {
    const scale = size[word]
    if (scale !== undefined) {
      rupees += count * scale
      count = 0
    } else if (/^(rupees?|रुपैयाँ)$/.test(word)) {
      paisa += (rupees + count) * 100
      count = 0
    } else if (/^(paisa|पैसा)$/.test(word)) paisa += count
    else if (word !== 'and') count = numberWords[language].indexOf(word)
  }
  return paisa
}

describe('the words of 0 to 99', () => {
  test('are all different', () => {
    for (const language of languages) expect(new Set(numberWords[language]).size).toBe(100)
  })

  test('in Nepali match a second, independent package except for vowel length, nasal signs and the listed spellings', () => {
    const bare = (word: string): string => word.replaceAll('ी', 'ि').replaceAll('ँ', 'ं').replaceAll('ठ्ठ', 'ट्ठ')
    /** Other accepted spellings of the words that the Nepal Academy's dictionary has. */
    const alsoWritten: Record<number, string> = {
      47: 'सट्चालीस',
      62: 'बइसट्ठी',
      66: 'छैंसट्ठी',
      67: 'सड्सट्ठी',
      80: 'अस्सी',
      92: 'बयान्नब्बे',
    }
    numberWords.ne.forEach((word, number) => {
      const theirs = nepaliPackage.convert(number)
      if (alsoWritten[number] === undefined) expect(bare(word), String(number)).toBe(bare(theirs))
      else expect(theirs).toBe(alsoWritten[number])
    })
  })
})

describe('dates', () => {
  test.each<{ language: Language; calendar: Calendar; words: string }>([
    { language: 'ne', calendar: 'bs', words: 'दुई हजार त्रियासी साल मङ्सिर छ गते' },
    { language: 'ne', calendar: 'ad', words: 'सन् दुई हजार छब्बीस नोभेम्बर बाइस तारिख' },
    { language: 'en', calendar: 'ad', words: 'twenty-second November two thousand twenty-six' },
    { language: 'en', calendar: 'bs', words: 'sixth Mangsir two thousand eighty-three' },
  ])('22 November 2026 in $language, $calendar: $words', ({ language, calendar, words }) => {
    expect(said('date', '2026-11-22', language, calendar)).toBe(words)
  })

  test('of the last century have years in hundreds', () => {
    expect(said('date', '1999-04-01', 'en', 'ad')).toBe('first April nineteen hundred ninety-nine')
    expect(said('date', '1943-01-01', 'ne', 'bs')).toBe('उन्नाइस सय उनान्सय साल पुस सत्र गते')
    expect(said('date', '2000-12-31', 'en', 'ad')).toBe('thirty-first December two thousand')
  })

  test('each day from BS 1978 to the end of the table has the BS date of a second, independent package', () => {
    let days = 0
    for (let at = Date.UTC(1921, 3, 13); at < Date.UTC(2034, 3, 14); at += 86_400_000) {
      const day = new Date(at)
      const iso = isoOf({ year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() })
      const [year = 0, month = 0, date = 0] = adToBs(iso).split('-').map(Number)
      const heard = wordsOf('date', iso, 'ne', 'bs')
      const at2000 = year >= 2000
      const yearSaid = [...(at2000 ? ['दुई', 'हजार'] : ['उन्नाइस', 'सय']), numberWords.ne[year % 100]]
      const expected = [...(year === 2000 ? yearSaid.slice(0, 2) : yearSaid), 'साल']
      expected.push(monthWords.bs.ne[month - 1], numberWords.ne[date], 'गते')
      if (heard.join(' ') !== expected.join(' ')) expect(heard, iso).toEqual(expected)
      days++
    }
    expect(days).toBe(41_274)
  })

  test('each AD day in English matches the computer’s calendar and a second package, and so does the longest BS month', () => {
    const theirs = (words: string): string => words.toLowerCase().replaceAll(' ', '-')
    const ordinals = Array.from({ length: 32 }, (_, day) => theirs(englishPackage.toOrdinal(day)))
    const counts = Array.from({ length: 2035 }, (_, year) => theirs(englishPackage.convert(year)))
    const months = Array.from({ length: 12 }, (_, month) =>
      new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month)),
    )
    const wrong: string[] = []
    for (let at = Date.UTC(1913, 3, 13); at < Date.UTC(2034, 3, 14); at += 86_400_000) {
      const day = new Date(at)
      const year = day.getUTCFullYear()
      const yearSaid = year >= 2000 ? counts[year] : `nineteen-hundred-${counts[year - 1900]}`
      const expected = `${ordinals[day.getUTCDate()]} ${months[day.getUTCMonth()]} ${yearSaid}`
      const [date, month, ...yearHeard] = wordsOf('date', day.toISOString().slice(0, 10), 'en', 'ad')
      if (`${date} ${month} ${yearHeard.join('-')}` !== expected) wrong.push(expected)
    }
    expect(wrong).toEqual([])
    expect(said('date', '32/2/2081', 'en', 'bs')).toBe('thirty-second Jestha two thousand eighty-one')
  })
})

test.each<{ text: string; language: Language; calendar: Calendar; words: string }>([
  { text: '1', language: 'ne', calendar: 'bs', words: 'वैशाख' },
  { text: '1', language: 'ne', calendar: 'ad', words: 'जनवरी' },
  { text: '12', language: 'en', calendar: 'bs', words: 'Chaitra' },
  { text: 'May', language: 'ne', calendar: 'bs', words: 'मे' },
  { text: 'Asoj', language: 'en', calendar: 'ad', words: 'Ashwin' },
])('month $text in $language, $calendar: $words', ({ text, language, calendar, words }) => {
  expect(said('month', text, language, calendar)).toBe(words)
})

test('tokens are spoken character by character, names and services as written', () => {
  expect(said('token', 'ab07z', 'en')).toBe('ay bee zero seven zed')
  expect(said('token', 'AB07Z', 'ne')).toBe('ए बी शून्य सात जेड')
  expect(wordsOf('name', 'Ram Bahadur', 'ne', 'bs')).toEqual(['Ram Bahadur'])
  expect(wordsOf('service', '4G Internet', 'en', 'ad')).toEqual(['4G Internet'])
})

describe('the lexicon', () => {
  test.each(languages)('of %s has each key and word once, and a key can be a file’s name', (language) => {
    const words = lexicon[language]
    expect(new Set(words.map(({ key }) => key)).size).toBe(words.length)
    expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)
    expect(words.filter(({ key }) => !/^[a-z0-9-]+$/.test(key))).toEqual([])
    expect(words.filter(({ word }) => word !== word.normalize('NFC'))).toEqual([])
  })

  test('has 26 letters', () => {
    for (const language of languages) expect(letterWords[language]).toHaveLength(26)
  })

  test('a vocabulary has exactly the words that its kind can need', () => {
    const amounts = Array.from({ length: 100 }, (_, n) => [n, n * 100, n * 1e5, n * 1e7, n * 1e9, 10_000]).flat()
    const dates: string[] = []
    for (let at = Date.UTC(1913, 3, 13); at < Date.UTC(2034, 3, 14); at += 4 * 86_400_000)
      dates.push(new Date(at).toISOString().slice(0, 10))
    const values: Partial<Record<SpokenKind, string[]>> = {
      amount: [...amounts, 100, 101].map(amountOf),
      date: dates,
      month: ['ad', 'bs'].flatMap((calendar) => Array.from({ length: 12 }, (_, n) => `${calendar}:${n + 1}`)),
      token: ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
    }
    for (const language of languages)
      for (const calendar of ['ad', 'bs'] as const)
        for (const [kind, of] of Object.entries(values) as [SpokenKind, string[]][]) {
          const needed = new Set(of.flatMap((value) => wordsOf(kind, value, language, calendar)))
          expect(new Set(vocabulary(language, kind, calendar)), `${language} ${calendar} ${kind}`).toEqual(needed)
        }
    expect(vocabulary('ne', 'name')).toEqual([])
    expect(vocabulary('ne', 'date')).toEqual(expect.arrayContaining(['साल', 'तारिख']))
  })

  test('each kind has a longest sound', () => {
    for (const ms of Object.values(spokenMsMax)) expect(ms).toBeGreaterThan(0)
  })
})
