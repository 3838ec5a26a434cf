import { bsToAd } from '@sbmdkl/nepali-date-converter'
import type { SpokenKind } from '@ghanti/contract/templates.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bsOfAd, bsYears, dayOfIso, isoOf } from './calendar.ts'
import { monthSpellings, monthWords } from './months.ts'
import { readValue } from './read.ts'

test.each<{ kind: SpokenKind; text: string; value: string }>([
  { kind: 'date', text: '2026-11-22', value: '2026-11-22' },
  { kind: 'date', text: '22/11/2026', value: '2026-11-22' },
  { kind: 'date', text: '2083-08-06', value: '2026-11-22' },
  { kind: 'date', text: '२०८३-०८-०६', value: '2026-11-22' },
  { kind: 'date', text: '29/2/2028', value: '2028-02-29' },
  { kind: 'date', text: '32/2/2081', value: '2024-06-14' },
  { kind: 'month', text: '5', value: '5' },
  { kind: 'month', text: '05', value: '5' },
  { kind: 'month', text: '१२', value: '12' },
  { kind: 'month', text: 'May', value: 'ad:5' },
  { kind: 'month', text: 'SEP', value: 'ad:9' },
  { kind: 'month', text: 'मंसिर', value: 'bs:8' },
  { kind: 'month', text: 'Shrawan', value: 'bs:4' },
  { kind: 'month', text: 'Sept.', value: 'ad:9' },
  { kind: 'date', text: '22 Nov 2026', value: '2026-11-22' },
  { kind: 'date', text: 'November 22, 2026', value: '2026-11-22' },
  { kind: 'date', text: '2083 Mangsir 6', value: '2026-11-22' },
  { kind: 'date', text: '६ मंसिर २०८३', value: '2026-11-22' },
  { kind: 'date', text: '२०८३ मङ्सिर ६ गते', value: '2026-11-22' },
])('$kind “$text” reads $value', ({ kind, text, value }) => {
  expect(readValue(kind, text)).toEqual({ ok: true, value })
})

const noDay = 'is not a day of the calendar'
const noDate = 'is not a date: write yyyy-MM-dd'
const beyond = "lies outside the calendar's tables (BS 1970 to 2090)"

test.each<{ kind: SpokenKind; text: string; why: string }>([
  { kind: 'amount', text: '', why: 'is missing' },
  { kind: 'date', text: '31/02/2026', why: noDay },
  { kind: 'date', text: '2027-02-29', why: noDay },
  { kind: 'date', text: '2026-13-01', why: noDay },
  { kind: 'date', text: '0/1/2026', why: noDay },
  { kind: 'date', text: '2081-01-32', why: noDay },
  { kind: 'date', text: '2083-13-01', why: noDay },
  { kind: 'date', text: '2034-04-14', why: beyond },
  { kind: 'date', text: '2060-01-01', why: beyond },
  { kind: 'date', text: '2091-01-01', why: beyond },
  { kind: 'date', text: '1913-04-12', why: beyond },
  { kind: 'date', text: '0001-01-01', why: beyond },
  { kind: 'date', text: '22/11/26', why: noDate },
  { kind: 'date', text: 'tomorrow', why: noDate },
  { kind: 'month', text: '13', why: 'is not a month: write 1 to 12 or its name' },
  { kind: 'month', text: '0', why: 'is not a month: write 1 to 12 or its name' },
  { kind: 'date', text: '22 Brumaire 2026', why: 'is not a date: write yyyy-MM-dd' },
  { kind: 'date', text: '22 Nov', why: 'is not a date: write yyyy-MM-dd' },
  { kind: 'date', text: '22 Nov 2083', why: 'is not a day of the calendar' },
  { kind: 'date', text: '6 Mangsir 2026', why: 'is not a day of the calendar' },
  { kind: 'date', text: '31 Nov 2026', why: 'is not a day of the calendar' },
  { kind: 'month', text: 'Brumaire', why: 'is not a month: write 1 to 12 or its name' },
  { kind: 'month', text: 'constructor', why: 'is not a month: write 1 to 12 or its name' },
])('$kind “$text” is refused: $why', ({ kind, text, why }) => {
  expect(readValue(kind, text)).toEqual({ ok: false, why })
})

test('a BS day is read only when the calendar’s table has it, at both of its ends', () => {
  for (const end of [Date.UTC(1913, 3, 13), Date.UTC(2034, 3, 13)])
    for (let n = -400; n <= 400; n++) {
      const iso = new Date(end + n * 86_400_000).toISOString().slice(0, 10)
      expect(readValue('date', iso).ok, iso).toBe(bsOfAd(dayOfIso(iso)) !== null)
    }
})

test('any cell is read or refused, and a normal form reads as itself', () => {
  const kinds: SpokenKind[] = ['amount', 'date', 'month', 'token', 'name', 'service']
  const cell = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 12 }))
  fc.assert(
    fc.property(fc.constantFrom(...kinds), cell, (kind, text) => {
      const reading = readValue(kind, text)
      if (!reading.ok) return reading.why !== ''
      const again = readValue(kind, reading.value)
      return reading.value.includes(':') || (again.ok && again.value === reading.value)
    }),
    { numRuns: 3000 },
  )
})

test('no spelling names two months', () => {
  const months = Map.groupBy(monthSpellings, ([name]) => name)
  const several = [...months].filter(([, all]) => new Set(all.map(([, month]) => month)).size > 1)
  expect(several).toEqual([])
})

const written: Record<string, string> = {
  'bs:1': 'Baisakh Baishakh Vaisakh BAISAKH वैशाख बैशाख बैसाख',
  'bs:2': 'Jestha Jeth jyestha जेठ ज्येष्ठ जेष्ठ',
  'bs:3': 'Asar Ashadh asaar ashadha असार आषाढ अषाढ आसाढ',
  'bs:4': 'Saun Shrawan saaun shravan साउन श्रावण',
  'bs:5': 'Bhadau Bhadra भदौ भाद्र',
  'bs:6': 'Asoj Ashwin aswin असोज असौज आश्विन अश्विन',
  'bs:7': 'Kattik Kartik kartick कात्तिक कार्तिक',
  'bs:8': 'Mangsir Marga मङ्सिर मंसिर मङ्सीर मंसीर मार्गशीर्ष',
  'bs:9': 'Pus Poush push पुस पुष पौष',
  'bs:10': 'Magh MAGH magha माघ',
  'bs:11': 'Fagun Falgun phalgun फागुन फाल्गुन फाल्गुण',
  'bs:12': 'Chait Chaitra chaita चैत चैत्र',
  'ad:1': 'January Jan jan. JAN जनवरी',
  'ad:2': 'February Feb फेब्रुअरी फेब्रुवरी फेब्रवरी',
  'ad:8': 'August Aug अगस्ट अगष्ट अगस्त',
  'ad:9': 'September Sep Sept sept. सेप्टेम्बर',
  'ad:10': 'October Oct अक्टोबर अक्टुवर अक्टुबर',
  'ad:11': 'November Nov नोभेम्बर नभेम्बर',
}
test.each(Object.entries(written).flatMap(([month, names]) => names.split(' ').map((name) => ({ month, name }))))(
  '$name is read as month $month',
  ({ name, month }) => {
    expect(readValue('month', name)).toEqual({ ok: true, value: month })
    expect(readValue('month', ` ${name} `)).toEqual({ ok: true, value: month })
  },
)

test('every month is read by its words in both languages', () => {
  for (const calendar of ['ad', 'bs'] as const)
    for (const language of ['ne', 'en'] as const)
      monthWords[calendar][language].forEach((name, index) =>
        expect(readValue('month', name)).toEqual({ ok: true, value: `${calendar}:${index + 1}` }),
      )
})

test('each day of BS 2061 to 2090 is read as a second, independent package has it, in both notations', () => {
  const wrong: string[] = []
  let days = 0
  for (let year = 2061; year <= bsYears.last; year++)
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= 33; day++) {
        const bs = isoOf({ year, month, day })
        const reading = readValue('date', bs)
        const slashed = readValue('date', `${day}/${month}/${year}`, 'dmy')
        if (reading.ok) days++
        const right = reading.ok ? slashed.ok && slashed.value === reading.value : day > 28 && reading.why === noDay
        if (!right || (reading.ok && reading.value !== bsToAd(bs))) wrong.push(bs)
      }
  expect(wrong).toEqual([])
  expect(days).toBe((Date.UTC(2034, 3, 14) - Date.UTC(2004, 3, 13)) / 86_400_000)
})
