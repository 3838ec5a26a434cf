import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { adOfBs, dayOfIso, isoOf } from './calendar.ts'
import { orderProvenBy, readValue } from './read.ts'

const day = '2026-11-22'
const notADate = 'is not a date: write yyyy-MM-dd'
const noDay = 'is not a day of the calendar'
const eitherDay = 'can be two days: say whether the day or the month stands first in its column'

/** Every written form, one a row. */
test.each([
  { form: 'year first, with hyphens', texts: ['2026-11-22', '2083-08-06', '2083-8-6'] },
  { form: 'year first, with slashes', texts: ['2026/11/22', '2083/08/06', '2083/8/6'] },
  { form: 'year first, with full stops', texts: ['2026.11.22', '2083.08.06', '2083.8.6'] },
  {
    form: 'in Devanagari digits',
    texts: ['२०८३-०८-०६', '२०८३/०८/०६', '२०८३।०८।०६'.replaceAll('।', '.'), '२२/११/२०२६'],
  },
  { form: 'year last, where only one order is a day', texts: ['22/11/2026', '22-11-2026', '22.11.2026', '11/22/2026'] },
  { form: 'month as a word', texts: ['22 Nov 2026', 'November 22, 2026', '2026 November 22', 'Nov. 22 2026'] },
  {
    form: 'month as a word, joined',
    texts: ['22-Nov-2026', '22/Nov/2026', 'Nov-22-2026', '2026-Nov-22', '22-NOV-2026'],
  },
  { form: 'an ordinal', texts: ['22nd November 2026', 'Nov 22nd, 2026'] },
  {
    form: 'a Nepali month',
    texts: ['6 Mangsir 2083', '6-Mangsir-2083', '2083 Mangsir 6', '६ मंसिर २०८३', '२०८३ मङ्सिर ६ गते'],
  },
  { form: 'with a time', texts: ['2026-11-22 10:30', '2026-11-22T10:30:59', '2026-11-22 00:00:00', '2083-08-06 9:05'] },
  {
    form: 'with a time in halves of the day',
    texts: ['11/22/2026 10:30 AM', '22/11/2026 1:05:00 pm', '22 Nov 2026, 3:00 p.m.'],
  },
  { form: 'with a time and a fraction', texts: ['2026-11-22 10:30:15.250', '2026-11-22T23:59:59.999999'] },
  {
    form: 'a moment: the day in Nepal',
    texts: ['2026-11-22T04:45:00Z', '2026-11-21T18:15:00.000Z', '2026-11-22T00:00:00+05:45'],
  },
  {
    form: 'with its calendar',
    texts: [
      '2083-08-06 BS',
      '2083/08/06 B.S.',
      '2083.08.06 (BS)',
      'B.S. 2083-08-06',
      'वि.सं. २०८३/०८/०६',
      '2026-11-22 AD',
    ],
  },
  { form: 'in figures, with गते', texts: ['२०८३/८/६ गते', '2083-08-06 gate'] },
  { form: 'with the full stop of Devanagari between', texts: ['२०८३।०८।०६', '२०८३।८।६ गते'] },
  {
    form: 'with its weekday',
    texts: ['Sunday, November 22, 2026', 'Sun 22 Nov 2026', 'Sun, 22-Nov-2026', 'sunday 6 Mangsir 2083'],
  },
  { form: 'blanks around', texts: [' 2026-11-22 ', '\u00a022/11/2026\t'] },
])('a date is read: $form', ({ texts }) => {
  expect(texts.map((text) => [text, readValue('date', text)])).toEqual(
    texts.map((text) => [text, { ok: true, value: day }]),
  )
})

test.each([
  { what: 'telephone numbers', texts: ['9841000040', '+977 9841000040', '98410-00040', '01-5970001', '1660-01-23456'] },
  { what: 'versions', texts: ['1.2.3', '10.11.12', 'v2026.1.1', '2026.1.10.4', '1.2.2026.4', '192.168.1.1'] },
  { what: 'amounts', texts: ['2083', '1250.00', '1,250.00', '12.50', '5-10', 'Rs. 2083', '20261122', '46348'] },
  { what: 'fiscal years and months', texts: ['2082/83', '2082/083', '2083/08', '08/2083', 'Mangsir 2083', '22 Nov'] },
  { what: 'years of two digits', texts: ['22/11/26', '26-11-22', '22-Nov-26'] },
  { what: 'signs that change', texts: ['22/11-2026', '2026-11/22', '2026.11-22'] },
  { what: 'spans of days', texts: ['5-6 Nov 2026', '2026-11-22 - 2026-11-23', '2026-11-22/23', '-5 Nov 2026'] },
  {
    what: 'times alone or that are none',
    texts: ['10:30', '2026-11-22 25:00', '2026-11-22 10:75', '2026-11-22 10', '10:30 22/11/2026'],
  },
  { what: 'moments in the Nepali calendar', texts: ['2083-08-06T00:00:00Z'] },
  {
    what: 'words',
    texts: ['tomorrow', 'Nov', '22 Brumaire 2026', '2026-11-22x', 'due 2026-11-22', `2026-11-22${' '.repeat(70)}x`],
  },
])('no dates are $what', ({ texts }) => {
  expect(texts.map((text) => [text, readValue('date', text, 'dmy')])).toEqual(
    texts.map((text) => [text, { ok: false, why: notADate }]),
  )
})

test.each([
  { text: '11/05/2026', order: 'dmy' as const, is: '2026-05-11' },
  { text: '11/05/2026', order: 'mdy' as const, is: '2026-11-05' },
  { text: '6/8/2083', order: 'dmy' as const, is: '2026-11-22' },
  { text: '8-6-2083 10:30', order: 'mdy' as const, is: '2026-11-22' },
  { text: '०८.०६.२०८३', order: 'mdy' as const, is: '2026-11-22' },
  { text: '11/11/2026', order: null, is: '2026-11-11' },
  { text: '2026/05/11', order: 'mdy' as const, is: '2026-05-11' },
])('$text in the order $order is $is', ({ text, order, is }) => {
  expect(readValue('date', text, order)).toEqual({ ok: true, value: is })
})

test.each([
  { text: '11/05/2026', order: null, why: eitherDay },
  { text: '6-8-2083', order: null, why: eitherDay },
  { text: '11/25/2026', order: 'dmy' as const, why: 'has no such day: in its column the day stands before the month' },
  { text: '25/11/2026', order: 'mdy' as const, why: 'has no such day: in its column the month stands before the day' },
  { text: '31/02/2026', order: null, why: noDay },
  { text: '30-30-2026', order: 'dmy' as const, why: noDay },
  { text: '2026-02-30T10:00:00Z', order: null, why: noDay },
  { text: '22-Nov-2083', order: null, why: noDay },
  { text: '2026-11-22 BS', order: null, why: noDay },
  { text: 'AD 2083-08-06', order: null, why: noDay },
  { text: 'Monday, November 22, 2026', order: null, why: noDay },
])('$text in the order $order is refused: $why', ({ text, order, why }) => {
  expect(readValue('date', text, order)).toEqual({ ok: false, why })
})

test.each([
  { text: '11/25/2026', proves: 'mdy' },
  { text: '25.11.2026 10:00', proves: 'dmy' },
  { text: '32/2/2081', proves: 'dmy' },
  { text: '2/32/2081', proves: 'mdy' },
  { text: '11/05/2026', proves: 'either' },
  { text: '०६/०८/२०८३', proves: 'either' },
  { text: '11/11/2026', proves: null },
  { text: '30/30/2026', proves: null },
  { text: '2026/05/11', proves: null },
  { text: '5 Nov 2026', proves: null },
  { text: '1-2-3', proves: null },
  { text: '', proves: null },
])('$text proves the order $proves of its column', ({ text, proves }) => {
  expect(orderProvenBy(text)).toBe(proves)
})

test('a wrong day is never read: a text is the day that was meant in the order that is given, or refused', () => {
  const two = (n: number) => String(n).padStart(2, '0')
  const meant = fc.record({
    year: fc.oneof(fc.integer({ min: 1990, max: 2033 }), fc.integer({ min: 2061, max: 2090 })),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 32 }),
  })
  const wide = fc.constantFrom(String, two)
  const time = fc.constantFrom('', ' 10:30', 'T00:00:00', ' 11:59:59 PM')
  fc.assert(
    fc.property(
      meant,
      fc.constantFrom('dmy' as const, 'mdy' as const),
      fc.constantFrom('/', '-', '.'),
      wide,
      time,
      ({ year, month, day: of }, order, sign, shown, after) => {
        const parts = order === 'dmy' ? [of, month] : [month, of]
        const text = [...parts.map(shown), year].join(sign) + after
        const ad = year > 2060 ? adOfBs({ year, month, day: of }) : { year, month, day: of }
        const right = ad !== null && ad !== 'beyond' ? isoOf(ad) : ''
        for (const given of [order, null]) {
          const reading = readValue('date', text, given)
          if (reading.ok) expect(reading.value, text).toBe(right)
        }
        const other = readValue('date', text, order === 'dmy' ? 'mdy' : 'dmy')
        const proven = orderProvenBy(text)
        if (proven === 'dmy' || proven === 'mdy') expect(other.ok && proven === order, text).toBe(false)
      },
    ),
    { numRuns: 5000 },
  )
})

test('moments are days of Nepal wherever they were written', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2000-01-02'), max: new Date('2033-12-30'), noInvalidDate: true }), (at) => {
      const inNepal = new Date(at.getTime() + 345 * 60_000).toISOString().slice(0, 10)
      expect(readValue('date', at.toISOString())).toEqual({ ok: true, value: inNepal })
      expect(dayOfIso(inNepal).year).toBeGreaterThan(1999)
    }),
  )
})
