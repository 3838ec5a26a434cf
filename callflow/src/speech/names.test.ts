import * as vm from 'node:vm'
import type { SpokenKind } from '@ghanti/contract/templates.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readValue } from './read.ts'

type Said = { kind: SpokenKind; text: string; value: string; leftOut?: string[] }
test.each<Said>([
  { kind: 'name', text: '  Ram   K.C. ', value: 'Ram K.C.' },
  { kind: 'name', text: 'कृष्णप्रसाद भट्टराई', value: 'कृष्णप्रसाद भट्टराई' },
  { kind: 'name', text: 'गर्\u200dयो', value: 'गर्\u200dयो' },
  { kind: 'name', text: 'Rene\u0301', value: 'René' },
  { kind: 'name', text: 'K.B.Thapa', value: 'K.B.Thapa' },
  { kind: 'name', text: 'Md.Ali', value: 'Md.Ali' },
  { kind: 'name', text: 'प्रा.लि.', value: 'प्रा.लि.' },
  { kind: 'name', text: 'Sharma & Sons', value: 'Sharma and Sons' },
  { kind: 'name', text: 'A&B Traders', value: 'A and B Traders' },
  { kind: 'name', text: 'शर्मा & सन्स', value: 'शर्मा र सन्स' },
  { kind: 'name', text: "D'Souza", value: 'DSouza', leftOut: ["'"] },
  { kind: 'name', text: 'D’Souza', value: 'DSouza', leftOut: ['’'] },
  { kind: 'name', text: 'Al-Amin Store', value: 'Al Amin Store', leftOut: ['-'] },
  { kind: 'name', text: 'Al–Amin-Store - Thamel', value: 'Al Amin Store Thamel', leftOut: ['–', '-'] },
  { kind: 'name', text: 'Ram (Baneshwor)', value: 'Ram Baneshwor', leftOut: ['(', ')'] },
  { kind: 'name', text: 'Hari/Sita', value: 'Hari Sita', leftOut: ['/'] },
  { kind: 'name', text: 'Thapa, Ram', value: 'Thapa Ram', leftOut: [','] },
  { kind: 'name', text: '"Ram" Thapa', value: 'Ram Thapa', leftOut: ['"'] },
  { kind: 'name', text: "'-Ram", value: 'Ram', leftOut: ['-', "'"] },
  { kind: 'name', text: 'Shop 24', value: 'Shop 24' },
  { kind: 'name', text: 'पसल २४', value: 'पसल 24' },
  { kind: 'name', text: 'Mr. Ram Bahadur Thapa Magar Chhetri', value: 'Mr. Ram Bahadur Thapa Magar Chhetri' },
  {
    kind: 'name',
    text: 'M/S Ram & Sons Trading Pvt. Ltd.',
    value: 'M S Ram and Sons Trading Pvt. Ltd.',
    leftOut: ['/'],
  },
  { kind: 'service', text: 'Net 2.5 GB', value: 'Net 2.5 GB' },
  { kind: 'service', text: '4G Internet 50 Mbps', value: '4G Internet 50 Mbps' },
  { kind: 'service', text: 'Fiber 200 Mbps', value: 'Fiber 200 Mbps' },
  { kind: 'service', text: 'टायर १६', value: 'टायर 16' },
  { kind: 'service', text: 'Wi-Fi', value: 'Wi Fi', leftOut: ['-'] },
  { kind: 'service', text: 'Internet & TV', value: 'Internet and TV' },
  { kind: 'token', text: 'ab12', value: 'AB12' },
  { kind: 'token', text: '००७', value: '007' },
  { kind: 'token', text: 'AB-12', value: 'AB12', leftOut: ['-'] },
  { kind: 'token', text: '#A/12 (b)', value: 'A12B', leftOut: ['#', '/', '(', ')'] },
  { kind: 'token', text: '080-0012', value: '0800012', leftOut: ['-'] },
  { kind: 'token', text: '12.0', value: '12' },
  { kind: 'token', text: '1,234', value: '1234' },
  { kind: 'month', text: '05', value: '5' },
  { kind: 'month', text: '2083 Mangsir', value: 'bs:8', leftOut: ['2083'] },
  { kind: 'month', text: 'मंसिर २०८३', value: 'bs:8', leftOut: ['2083'] },
  { kind: 'month', text: 'Mangsir, 2083', value: 'bs:8', leftOut: ['2083'] },
  { kind: 'month', text: 'Nov-26', value: 'ad:11', leftOut: ['26'] },
  { kind: 'month', text: "Nov '26", value: 'ad:11', leftOut: ['26'] },
  { kind: 'month', text: 'November 2026', value: 'ad:11', leftOut: ['2026'] },
  { kind: 'month', text: '2083/08', value: 'bs:8', leftOut: ['2083'] },
  { kind: 'month', text: '11/2026', value: 'ad:11', leftOut: ['2026'] },
  { kind: 'month', text: '2026-11-01', value: 'ad:11', leftOut: ['2026', '01'] },
  { kind: 'month', text: '2026-11-01 14:30:00', value: 'ad:11', leftOut: ['2026', '01'] },
])('the $kind “$text” is spoken as $value', ({ kind, text, value, leftOut }) => {
  expect(readValue(kind, text)).toEqual({ ok: true, value, ...(leftOut && { leftOut }) })
})

const noToken = 'is not a token: write digits and letters A to Z alone'
const joined = 'has a full stop within a word: write a blank after it'
const noName = "may hold letters, up to 4 digits and the signs of names alone: - ' & / ( ) ."
const noMonth = 'is not a month: write 1 to 12 or its name'

test.each<{ kind: SpokenKind; text: string; why: string }>([
  { kind: 'name', text: ' \t ', why: 'is missing' },
  { kind: 'name', text: 'Call 98410', why: 'has more than 4 digits' },
  { kind: 'name', text: 'Ram 9-8-4-1-0', why: 'has more than 4 digits' },
  { kind: 'name', text: 'राम ९८४१०', why: 'has more than 4 digits' },
  { kind: 'service', text: 'call 9841234567', why: 'has more than 4 digits' },
  { kind: 'service', text: '98 41 23 45 x', why: 'has more than 4 digits' },
  { kind: 'name', text: 'win.evil.com', why: joined },
  { kind: 'name', text: "win.evil.c'om", why: joined },
  { kind: 'name', text: "win'.'com", why: joined },
  { kind: 'name', text: 'Ram bit.ly/x', why: joined },
  { kind: 'service', text: 'www.4g.np', why: joined },
  { kind: 'name', text: 'ram@example.com', why: noName },
  { kind: 'name', text: 'http://x', why: noName },
  { kind: 'name', text: '50% off', why: noName },
  { kind: 'name', text: 'Louis Ⅳ', why: noName },
  { kind: 'name', text: 'Ram ٢', why: noName },
  { kind: 'name', text: '...', why: noName },
  { kind: 'name', text: '& - /', why: noName },
  { kind: 'name', text: '????', why: noName },
  { kind: 'name', text: 'Ram\u0007', why: noName },
  { kind: 'name', text: '\u0301Ram', why: noName },
  { kind: 'service', text: '16', why: noName },
  { kind: 'name', text: 'a-b-c-d-e-f-g-h-i', why: 'has more than 8 words' },
  { kind: 'name', text: 'क'.repeat(41), why: 'has more than 40 letters' },
  { kind: 'token', text: 'क१२', why: noToken },
  { kind: 'token', text: 'ß1', why: noToken },
  { kind: 'token', text: '--', why: noToken },
  { kind: 'token', text: '12:30', why: noToken },
  { kind: 'token', text: '1.5', why: 'has a decimal point or comma: format its cells as text' },
  { kind: 'token', text: '1.23E15', why: 'has a decimal point or comma: format its cells as text' },
  { kind: 'token', text: '12,5', why: 'has a decimal point or comma: format its cells as text' },
  { kind: 'token', text: '2026-12-01', why: 'is a date: format its cells as text' },
  { kind: 'token', text: '2026-12-01 14:30:00', why: 'is a date: format its cells as text' },
  { kind: 'token', text: '1'.repeat(200), why: 'has more than 20 digits and letters' },
  { kind: 'token', text: '1-'.repeat(200), why: 'has more than 20 digits and letters' },
  { kind: 'month', text: '13', why: noMonth },
  { kind: 'month', text: '2083/13', why: noMonth },
  { kind: 'month', text: 'Nov 2083', why: noMonth },
  { kind: 'month', text: 'Mangsir 2026', why: noMonth },
  { kind: 'month', text: 'Mangsir Poush', why: noMonth },
  { kind: 'month', text: '2026-11 14:30:00', why: noMonth },
  { kind: 'month', text: '8.5', why: noMonth },
  { kind: 'month', text: '9841000001', why: noMonth },
])('the $kind “$text” is refused: it $why', ({ kind, text, why }) => {
  expect(readValue(kind, text)).toEqual({ ok: false, why })
})

test('what is spoken of a name has no digit and no letter that the cell has not, beside the word for &', () => {
  const cell = fc.array(fc.constantFrom(...`Raसी.-'&/()"– ,#4९`), { maxLength: 30 }).map((signs) => signs.join(''))
  const bare = (text: string): string => text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]/gu, '')
  const latin = (text: string): string => text.replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
  fc.assert(
    fc.property(cell, fc.constantFrom<SpokenKind>('name', 'service'), (text, kind) => {
      const reading = readValue(kind, text)
      if (!reading.ok) return true
      const and = /\p{Script=Devanagari}/u.test(latin(text)) ? 'र' : 'and'
      expect(bare(reading.value)).toBe(bare(latin(text).replaceAll('&', and)))
      expect(reading.value).toMatch(/^[\p{L}\p{M}0-9. ]+$/u)
      return true
    }),
  )
})

test.each(['.', '-', '&', "'", ' ', '/', 'a-'])('a cell of many “%s” is read or refused at once', (sign) => {
  const text = `K${sign.repeat(200_000)}B`
  for (const kind of ['name', 'token', 'month']) {
    const call = 'readValue(kind, text)'
    const reading: unknown = vm.runInNewContext(call, { readValue, kind, text }, { timeout: 10_000 })
    expect(reading).toMatchObject({ ok: expect.any(Boolean) })
  }
})
