import { expect, test } from 'vitest'
import { additionOf, placesOf } from './key-places.ts'
import { signOf } from './keys.ts'

test.each([
  { why: 'a letter is itself', pressed: { key: 'g', code: 'KeyG', shiftKey: false }, sign: 'g' },
  {
    why: 'on a Nepali keyboard a letter is where it stands',
    pressed: { key: 'न', code: 'KeyG', shiftKey: false },
    sign: 'g',
  },
  {
    why: 'a question mark is itself wherever it stands',
    pressed: { key: '?', code: 'Minus', shiftKey: true },
    sign: '?',
  },
  {
    why: 'on a Nepali keyboard it is where it stands',
    pressed: { key: 'र', code: 'Slash', shiftKey: true },
    sign: '?',
  },
  { why: 'other keys are none', pressed: { key: 'Enter', code: 'Enter', shiftKey: false }, sign: '' },
])('$why', ({ pressed, sign }) => {
  expect(signOf(pressed)).toBe(sign)
})

test('a role’s shortcuts lead only to its own screens', () => {
  expect(placesOf('user').map(({ path }) => path)).not.toContain('/user-list')
  expect(placesOf('superAdmin').map(({ letter }) => letter)).toContain('t')
  expect(additionOf('user', '/voice-campaign-summary')).toBe('/add-voice-campaign')
  expect(additionOf('reseller', '/voice-campaign-summary')).toBeNull()
  expect(additionOf('reseller', '/user-list')).toBe('/create-user')
})
