import { keyWithName } from '@ghanti/contract/key-names.ts'
import { expect, test } from 'vitest'
import { texts } from '../../i18n/en/new-from.ts'
import { nameOf, namesOfKeys } from './choice.ts'

const key = (digit: string, label: string | null) => ({
  key: digit,
  label,
  meaning: 'recorded' as const,
  agent: null,
  count: 0,
})
const menu = { menu: 'menu', asked: 0, keys: [key('1', 'Interested'), key('2', null)], wrong: 0, none: 0, left: 0 }

test('whoever pressed a key is chosen by its name, after which the file is called', () => {
  const names = namesOfKeys([menu])
  expect(['1', '2'].map((digit) => keyWithName(names, digit))).toEqual(['1 (Interested)', '2'])
  const named = (keys: ('1' | '2')[]) => nameOf({ way: 'keys', keys, seconds: '' }, 'Dashain', [], names, texts)
  expect(named(['1', '2'])).toBe('Dashain: pressed Interested, 2')
  expect(named(['2'])).toBe('Dashain: pressed 2')
})

test('names of keys that are too long for the name of a file leave the keys', () => {
  const names = { 1: '😀'.repeat(40) }
  expect(nameOf({ way: 'keys', keys: ['1'], seconds: '' }, 'x'.repeat(100), [], names, texts)).toMatch(
    /^x+: pressed 1$/,
  )
})
