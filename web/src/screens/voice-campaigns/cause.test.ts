import { expect, test } from 'vitest'
import { texts as english } from '../../i18n/en/voice-campaigns.ts'
import { texts as nepali } from '../../i18n/ne/voice-campaigns.ts'
import { causeText } from './cause.ts'

test.each([
  {
    why: 'in words',
    wire: 'SIP 486, cause 17, ended by the network',
    text: 'SIP 486, busy (17), ended by the network',
  },
  { why: 'a number that nobody knows stays', wire: 'cause 99, ended by us', text: 'cause 99, ended by us' },
  { why: 'nothing is known', wire: '', text: '' },
])('the cause of an attempt: $why', ({ wire, text }) => expect(causeText(wire, english.attempts)).toBe(text))

test('in Nepali too', () =>
  expect(causeText('SIP 480, cause 20, hung up by the customer', nepali.attempts)).toBe(
    'SIP 480, फोन बन्द छ (20), ग्राहकले राखे',
  ))

test('both languages know the same causes', () =>
  expect(Object.keys(nepali.attempts.causes)).toEqual(Object.keys(english.attempts.causes)))
