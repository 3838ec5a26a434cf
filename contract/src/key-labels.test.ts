import { expect, test } from 'vitest'
import { KeyLabels, storedKeyLabels } from './key-labels.ts'
import { keyLabelMax, keyName, keyNamesOf } from './key-names.ts'
import { nepaliOf } from './nepali/texts.ts'

const emoji = '😀'.repeat(keyLabelMax)

test.each<[why: string, given: unknown, read: Record<string, string>]>([
  ['a name is trimmed', { 1: ' Interested ' }, { 1: 'Interested' }],
  ['it may be Nepali, with its joiners', { '*': 'अर्‍को दिन' }, { '*': 'अर्‍को दिन' }],
  ['it is stored in NFC', { 1: 'Cafe\u0301' }, { 1: 'Caf\u00e9' }],
  ['a pictogram is one character', { 1: emoji }, { 1: emoji }],
  ['forms send JSON as text', '{"1": "Yes"}', { 1: 'Yes' }],
  ['no key needs a name', {}, {}],
  ['a formula is a text like any other', { 1: '=1+1' }, { 1: '=1+1' }],
])('names of keys: %s', (_, given, read) => {
  expect(KeyLabels.parse(given)).toEqual(read)
})

const notOneLine = 'has line breaks or control characters'
const byKey = 'must have a name by key'
const tooLong = 'is longer than 40 characters'

test.each<[why: string, given: unknown, field: string, text: string]>([
  ['blank', { 1: ' ' }, '1', 'is required'],
  ['nothing to see', { 1: '\u200d\u0301' }, '1', 'is required'],
  ['a filler, which is a letter to Unicode', { 1: '\u3164' }, '1', 'is required'],
  ['41 characters', { 1: `${emoji}x` }, '1', tooLong],
  ['a text without end', { 1: 'x'.repeat(100_000) }, '1', tooLong],
  ['two lines', { 1: 'a\nb' }, '1', notOneLine],
  ['letters turned round', { 2: 'a\u202eb' }, '2', notOneLine],
  ['a number', { 1: 5 }, '1', 'must be text'],
  ['#, which no menu takes', { '#': 'x' }, '', byKey],
  ['what every object has', { constructor: 'x' }, '', byKey],
  ['a list', ['Yes'], '', byKey],
])('names of keys are refused: %s', (_, given, field, text) => {
  const issues = KeyLabels.safeParse(given).error?.issues ?? []
  expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([[field, text]])
})

test.each(['is required', tooLong, notOneLine, byKey])('what people can write wrong is said in Nepali: %s', (text) =>
  expect(nepaliOf(text)).toMatch(/[\u0900-\u097f]/),
)

test('a key’s name is its own, else what the template says, else the key', () => {
  const labels = { 1: 'Interested' }
  expect(keyName(labels, '1', 'Opts in')).toBe('Interested')
  expect(keyName(labels, '2', 'Opts out')).toBe('Opts out')
  expect(keyName(labels, '2')).toBe('2')
  expect(keyName({}, 'constructor')).toBe('constructor')
  expect(keyNamesOf(labels, '21')).toBe('2; Interested')
  expect(keyNamesOf(labels, '2'), 'no key of it has a name').toBe('')
  expect(keyNamesOf({}, '')).toBe('')
})

test('what is stored and cannot be read counts as no names', () => {
  for (const stored of [null, undefined, 'x', { 1: '' }, { x: 'y' }]) expect(storedKeyLabels(stored)).toEqual({})
  expect(storedKeyLabels({ 1: 'Yes' })).toEqual({ 1: 'Yes' })
})
