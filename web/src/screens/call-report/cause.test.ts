import { expect, test } from 'vitest'
import { texts as english } from '../../i18n/en/call-report.ts'
import { texts as nepali } from '../../i18n/ne/call-report.ts'
import { causeText } from './cause.ts'

test.each([
  {
    why: 'in words',
    disposition: 'BUSY',
    wire: 'SIP 486, cause 17, ended by the network',
    text: 'SIP 486, busy (17), ended by the network',
  },
  {
    why: 'a number that nobody knows stays',
    disposition: 'FAILED',
    wire: 'cause 99, ended by us',
    text: 'cause 99, ended by us',
  },
  {
    why: 'a telephone that rang',
    disposition: 'NO ANSWER',
    wire: 'cause 19, ended by us',
    text: 'nobody picked up (19), ended by us',
  },
  {
    why: 'one that never rang',
    disposition: 'CONGESTION',
    wire: 'cause 19, ended by us',
    text: 'nothing was heard of the call (19), ended by us',
  },
  {
    why: 'another congestion',
    disposition: 'CONGESTION',
    wire: 'SIP 503, cause 34, ended by the network',
    text: 'SIP 503, no line free (34), ended by the network',
  },
  { why: 'nothing is known', disposition: 'LOST', wire: '', text: '' },
])('the cause of an attempt: $why', ({ disposition, wire, text }) =>
  expect(causeText({ disposition, cause: wire }, english.attempts)).toBe(text),
)

test('in Nepali too', () =>
  expect(
    causeText({ disposition: 'NO ANSWER', cause: 'SIP 480, cause 20, hung up by the customer' }, nepali.attempts),
  ).toBe('SIP 480, फोन बन्द छ (20), ग्राहकले काटे'))

test('both languages know the same causes', () =>
  expect(Object.keys(nepali.attempts.causes)).toEqual(Object.keys(english.attempts.causes)))
