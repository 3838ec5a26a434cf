import { expect, test } from 'vitest'
import { texts } from '../../../i18n/en/overview.ts'
import { answeredShare, calledOf, menuShown, saidOf } from './hero.ts'

const pending = { fresh: 4, inCall: 2, waiting: 3, retry: 1, retries: 2, nextDue: null }

test('people who wait for a retry were called, those who are called for the first time are not counted yet', () => {
  expect(calledOf({ numbersProcessed: 10, pending })).toBe(13)
})

test.each([
  { why: 'nobody was called', answered: 0, called: 0, is: null },
  { why: 'in whole per cents', answered: 44, called: 53, is: 83 },
  { why: 'an answer that is counted before its row is never more than all', answered: 5, called: 4, is: 100 },
])('$why', ({ answered, called, is }) => expect(answeredShare(answered, called)).toBe(is))

test.each([
  { why: 'nobody yet', answered: 0, called: 0, outcomes: {}, is: 'No call has ended yet.' },
  {
    why: 'as many calls as people',
    answered: 1,
    called: 2,
    outcomes: { ANSWER: 1, BUSY: 1 },
    is: 'answered: 1 of 2 people.',
  },
  {
    why: 'the bar below has more calls than people were called',
    answered: 1,
    called: 2,
    outcomes: { ANSWER: 1, BUSY: 3 },
    is: 'answered: 1 of 2 people, in 4 calls.',
  },
])('who answered: $why', ({ is, ...of }) => expect(saidOf(of, texts.now, String)).toBe(is))

const menu = (name: string, ...counts: number[]) => ({
  menu: name,
  asked: 10,
  keys: counts.map((count, n) => ({ key: `${n + 1}`, label: null, meaning: 'recorded' as const, agent: null, count })),
  wrong: 0,
  none: 0,
  left: 0,
})

test('of several menus the one with most keys is shown, and none where nobody pressed', () => {
  expect(menuShown([menu('menu1', 1, 1), menu('menu2', 0, 5), menu('menu3', 5)])?.menu).toBe('menu2')
  expect(menuShown([menu('menu1', 0, 0)])).toBeUndefined()
  expect(menuShown([])).toBeUndefined()
})
