import { afterEach, expect, test } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { chooseCalendar } from './chosen-calendar.ts'
import { chooseDigits } from './chosen-digits.ts'
import { useFormat } from './format.ts'
import { loadTexts, serverText, setLanguage, textsOf } from './language.ts'

afterEach(async () => {
  chooseCalendar('ad')
  chooseDigits('devanagari')
  await setLanguage('en')
})

async function formatIn(language: 'en' | 'ne') {
  await setLanguage(language)
  return (await renderHook(() => useFormat())).result.current
}

test('lakh grouping, with Devanagari digits in Nepali', async () => {
  const english = await formatIn('en')
  expect([english.rupees(11_845_000.5), english.count(1_234_567)]).toEqual(['1,18,45,000.50', '12,34,567'])
  const nepali = await formatIn('ne')
  expect([nepali.rupees(-450.5), nepali.count(1_234_567)]).toEqual(['-४५०.५०', '१२,३४,५६७'])
})

test.each([
  { bytes: 0, shown: '0 kB', nepali: '० kB' },
  { bytes: 1, shown: '1 kB', nepali: '१ kB' },
  { bytes: 4_870, shown: '5 kB', nepali: '५ kB' },
  { bytes: 999_000, shown: '999 kB', nepali: '९९९ kB' },
  { bytes: 999_001, shown: '1.0 MB', nepali: '१.० MB' },
  { bytes: 20_480_000, shown: '20.5 MB', nepali: '२०.५ MB' },
])('a file of $bytes bytes has $shown, in Nepali in the digits of the reader', async ({ bytes, shown, nepali }) => {
  expect((await formatIn('en')).size(bytes)).toBe(shown)
  expect((await formatIn('ne')).size(bytes)).toBe(nepali)
  chooseDigits('latin')
  expect((await formatIn('ne')).size(bytes)).toBe(shown)
})

test.each([
  { phone: '+9779812345678', shown: '98123 45678', nepali: '९८१२३ ४५६७८' },
  { phone: '9812345678', shown: '98123 45678', nepali: '९८१२३ ४५६७८' },
  { phone: '+97715970001', shown: '01-597 0001', nepali: '०१-५९७ ०००१' },
  { phone: '061520001', shown: '061-520001', nepali: '०६१-५२०००१' },
  { phone: 'demo', shown: 'demo', nepali: 'demo' },
])('$phone reads $shown, in Nepali in the digits of the reader', async ({ phone, shown, nepali }) => {
  expect((await formatIn('en')).phone(phone)).toBe(shown)
  expect((await formatIn('ne')).phone(phone)).toBe(nepali)
  chooseDigits('latin')
  expect((await formatIn('ne')).phone(phone)).toBe(shown)
})

test('with 0-9 chosen, Nepali figures, texts and messages of the server have 0-9', async () => {
  chooseDigits('latin')
  const format = await formatIn('ne')
  expect([format.rupees(1_234_567.5), format.time('2026-11-20 14:30:00')]).toEqual(['12,34,567.50', '2026-11-20 14:30'])
  await loadTexts('auth', 'filters')
  expect(textsOf('auth').resetHint).toContain('30 मिनेट')
  expect(textsOf('auth')).toBe(textsOf('auth'))
  expect(serverText('is longer than 100 characters')).toBe('100 अक्षरभन्दा लामो छ')
  chooseDigits('devanagari')
  expect(textsOf('auth').resetHint).toContain('३० मिनेट')
  expect(serverText('is longer than 100 characters')).toBe('१०० अक्षरभन्दा लामो छ')
})

test('what is chosen in one tab holds in those that are open beside it', async () => {
  const format = await renderHook(() => useFormat())
  await setLanguage('ne')
  const tab = document.body.appendChild(document.createElement('iframe'))
  const choose = (script: string) => tab.contentWindow?.localStorage.setItem('ghanti-digits', script)
  choose('latin')
  await expect.poll(() => format.result.current.count(12)).toBe('12')
  choose('devanagari')
  await expect.poll(() => format.result.current.count(12)).toBe('१२')
  tab.remove()
})

test('names that people wrote keep their own digits', async () => {
  chooseDigits('latin')
  await setLanguage('ne')
  await loadTexts('filters')
  expect(textsOf('filters').views.removed('दशैँ २०८३')).toBe('“दशैँ २०८३” दृश्य मेटियो।')
  expect(serverText("'दशैँ २०८३' is taken")).toBe('“दशैँ २०८३” पहिले नै प्रयोगमा छ')
})

test('the distance to a Nepal time does not depend on the browser’s zone', async () => {
  const now = new Date('2026-11-20T08:45:00Z') // 14:30 in Nepal
  const english = await formatIn('en')
  expect(english.untilOrSince('2026-11-20 16:30:00', now)).toBe('in 2 h')
  expect(english.untilOrSince('2026-11-17 14:30:00', now)).toBe('3 days ago')
  expect(english.untilOrSince('2026-02-31 14:30:00', now)).toBe('')
  expect((await formatIn('ne')).untilOrSince('2026-11-20 16:30:00', now)).toBe('२ घण्टापछि')
})

test('the server’s messages are translated, those with a value too; unknown ones stay', async () => {
  await setLanguage('ne')
  expect(serverText('Error in Stopping, please try again')).toBe('बन्द गर्न सकिएन, कृपया फेरि प्रयास गर्नुहोस्')
  expect(serverText('21.3 MB is too large, please pick a smaller file')).toBe(
    '21.3 MB धेरै ठूलो छ, कृपया सानो फाइल छान्नुहोस्',
  )
  expect(serverText('something new')).toBe('something new')
})

test('times and days follow the calendar that the reader chose; what its table does not know stays AD', async () => {
  const hook = await renderHook(() => useFormat())
  expect(hook.result.current.time('2026-11-23 14:30:00')).toBe('2026-11-23 14:30')
  chooseCalendar('bs')
  await expect.poll(() => hook.result.current.calendar).toBe('bs')
  const format = hook.result.current
  expect(format.time('2026-11-23 14:30:00')).toBe('2083-08-07 14:30')
  expect(format.timeWithSeconds('2026-11-23 14:30:15')).toBe('2083-08-07 14:30:15')
  expect(format.day('2026-11-23 14:30:00')).toBe('2083-08-07')
  expect([format.moment('14:30'), format.moment('2026-11-23'), format.moment('')]).toEqual(['14:30', '2083-08-07', ''])
  expect(format.day('2040-01-01')).toBe('2040-01-01')
  await setLanguage('ne')
  await expect.poll(() => hook.result.current.day('2026-11-23')).toBe('२०८३-०८-०७')
  chooseCalendar('ad')
  await expect.poll(() => hook.result.current.calendar).toBe('ad')
})
