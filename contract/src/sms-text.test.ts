import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  doubledIn,
  filledText,
  partsOfText,
  segmentsOf,
  smsEncodingOf,
  smsSegmentsMax,
  smsSizeOf,
  splitSms,
  unicodeSignOf,
  unknownColumns,
} from './sms-text.ts'

const ka = 'क'
/** The alphabet and its extension table as printed in GSM 03.38. */
const gsm7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const escaped = '\f^{}\\[~]|€'

test.each([
  { why: 'an empty text is no message', text: '', segments: 0 },
  { why: '160 letters fit one', text: 'a'.repeat(160), segments: 1 },
  { why: '161 letters need two', text: 'a'.repeat(161), segments: 2 },
  { why: 'the euro sign counts two', text: `${'a'.repeat(158)}€`, segments: 1 },
  { why: '159 letters and the euro sign are 161 septets', text: `${'a'.repeat(159)}€`, segments: 2 },
  { why: 'two parts hold 306', text: 'a'.repeat(306), segments: 2 },
  { why: '307 need three', text: 'a'.repeat(307), segments: 3 },
  { why: 'an escape is not parted from its character', text: `${'a'.repeat(152)}€${'a'.repeat(152)}`, segments: 3 },
  { why: '70 Devanagari letters fit one', text: ka.repeat(70), segments: 1 },
  { why: '71 need two', text: ka.repeat(71), segments: 2 },
  { why: 'two parts hold 134', text: ka.repeat(134), segments: 2 },
  { why: '135 need three', text: ka.repeat(135), segments: 3 },
  { why: '35 emoji are 70 units', text: '😀'.repeat(35), segments: 1 },
  { why: '67 emoji in two parts would be cut in the middle', text: '😀'.repeat(67), segments: 3 },
  { why: 'one sign beyond GSM-7 makes all of it Unicode', text: `${'a'.repeat(70)}’`, segments: 2 },
])('$why', ({ text, segments }) => expect(segmentsOf(text)).toBe(segments))

test('the longest message that is sent holds 1,530 letters or 670 of Devanagari', () => {
  expect(segmentsOf('a'.repeat(1530))).toBe(smsSegmentsMax)
  expect(segmentsOf(ka.repeat(670))).toBe(smsSegmentsMax)
})

test('every character of GSM-7 is sent in seven bits, those of the extension table as two', () => {
  for (const character of gsm7) expect(smsSizeOf(character)).toMatchObject({ encoding: 'GSM-7', units: 1 })
  for (const character of escaped) expect(smsSizeOf(character)).toMatchObject({ encoding: 'GSM-7', units: 2 })
  expect(gsm7.length).toBe(127) // 128 with the escape
})

test.each(['ç', '’', '`', '\t', '\u00a0', 'क', '😀'])('%j is not in GSM-7', (sign) => {
  expect(unicodeSignOf(`a ${sign} ó`)).toBe(sign)
  expect(smsEncodingOf(sign)).toBe('UCS-2')
})

test('the first character that makes a text Unicode is named in full', () => {
  expect(unicodeSignOf('It’s Rs 10 – now')).toBe('’')
  expect(unicodeSignOf('ok 😀')).toBe('😀')
  expect(unicodeSignOf('[ok] {€}')).toBeNull()
})

test.each([
  ['a conjunct', 'क्ष'],
  ['a letter with its vowel sign', 'कि'],
  ['an emoji of several people', '👨‍👩‍👧'],
  ['a flag', '🇳🇵'],
  ['a letter with an accent of its own', 'e\u0301'],
])('%s is not split', (_, sign) => {
  for (let before = 60; before <= 67; before += 1) {
    const parts = splitSms(`${ka.repeat(before)}${sign}${ka.repeat(20)}`)
    expect(parts.filter((part) => part.includes(sign))).toHaveLength(1)
  }
})

test('a cluster longer than a segment is cut between code points, since it cannot be sent otherwise', () => {
  const heap = `a${'\u0301'.repeat(200)}`
  expect(splitSms(heap).map((part) => part.length)).toEqual([67, 67, 67])
  expect(splitSms(`😀${'\u200d😀'.repeat(60)}`).every((part) => part.isWellFormed() && part.length <= 67)).toBe(true)
})

test('characters of the extension table are named once each, as they come', () => {
  expect(doubledIn('{name}: Rs 5 € [€]')).toEqual(['{', '}', '€', '[', ']'])
  expect(doubledIn('Rs 5')).toEqual([])
})

test('the counters of a text are right', () => {
  expect(smsSizeOf('')).toEqual({
    encoding: 'GSM-7',
    unicodeSign: null,
    characters: 0,
    units: 0,
    segments: 0,
    left: 160,
  })
  expect(smsSizeOf('Rs 5 €')).toMatchObject({ characters: 6, units: 7, segments: 1, left: 153 })
  expect(smsSizeOf('नमस्ते')).toMatchObject({ encoding: 'UCS-2', unicodeSign: 'न', characters: 3, units: 6, left: 64 })
  expect(smsSizeOf('a'.repeat(161))).toMatchObject({ segments: 2, left: 145 })
})

const sevenBits = fc.string({ unit: fc.constantFrom(...gsm7, ...escaped), maxLength: 700 })
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('क्ष', 'कि', '😀', '👨‍👩‍👧', '€', 'a', '\u0301', '्', '\u200d'),
    fc.string({ unit: 'grapheme' }),
  ),
  maxLength: 300,
})

test('the parts of any text add up to it, fit into segments, and only the last has room to spare', () => {
  fc.assert(
    fc.property(fc.oneof(sevenBits, anyText), (text) => {
      const parts = splitSms(text)
      expect(parts.join('')).toBe(text)
      const isSeven = smsEncodingOf(text) === 'GSM-7'
      const units = (part: string) =>
        isSeven ? [...part].reduce((sum, one) => sum + (escaped.includes(one) ? 2 : 1), 0) : part.length
      const room = isSeven ? 160 : 70
      if (parts.length === 1) expect(units(text)).toBeLessThanOrEqual(room)
      else for (const part of parts) expect(units(part)).toBeLessThanOrEqual(isSeven ? 153 : 67)
      if (parts.length > 1) expect(units(text)).toBeGreaterThan(room)
      if (isSeven)
        for (const [index, part] of parts.entries()) {
          const next = parts[index + 1]
          if (next !== undefined) expect(units(part) + units(next.charAt(0))).toBeGreaterThan(153)
        }
    }),
  )
})

test('no part of any text ends within a cluster that fits a segment', () => {
  const clusters = new Intl.Segmenter('ne', { granularity: 'grapheme' })
  fc.assert(
    fc.property(anyText, (text) => {
      let end = 0
      const starts = new Map([...clusters.segment(text)].map((one) => [one.index, one.segment.length]))
      for (const part of splitSms(text).slice(0, -1)) {
        end += part.length
        if (text.isWellFormed()) expect(part.isWellFormed()).toBe(true)
        const around = clusters.segment(text).containing(end)
        expect(starts.has(end) || (around?.segment.length ?? 0) > 67).toBe(true)
      }
    }),
  )
})

test('placeholders become columns; empty and single braces stay', () => {
  expect(partsOfText('Dear { Name }, {} pay {amount} {')).toEqual([
    { text: 'Dear ' },
    { column: 'Name' },
    { text: ', {} pay ' },
    { column: 'amount' },
    { text: ' {' },
  ])
  expect(partsOfText('')).toEqual([])
  expect(partsOfText('{ }')).toEqual([{ text: '{ }' }])
})

test('a text is filled from a row’s columns, ignoring case', () => {
  const parts = partsOfText('Dear {Name}, Rs {amount}{none}.')
  expect(
    filledText(
      parts,
      new Map([
        ['name', 'Sita {x}'],
        ['amount', '5'],
      ]),
    ),
  ).toBe('Dear Sita {x}, Rs 5.')
})

test('columns that a file lacks are listed once, as written', () => {
  const parts = partsOfText('{NAME} {Due} {Due} {mobile}')
  expect(unknownColumns(parts, ['mobile', 'name'])).toEqual(['Due'])
})

test('filling a text without placeholders returns it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/\{[^{}\n]+\}/.test(text))
      expect(filledText(partsOfText(text), new Map())).toBe(text)
    }),
  )
})
