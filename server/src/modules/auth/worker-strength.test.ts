import { wordsAtHand } from '@ghanti/contract/passwords.ts'
import { describe, expect, test } from 'vitest'
import { strengthChecker } from './worker-strength.ts'
import { faultForAccount } from './worker.ts'

const maya = {
  username: 'maya7',
  name: 'Maya Lama',
  company: 'Everest Telecom Pvt. Ltd.',
  emailid: 'maya.lama@everest-tele.com.np',
  parentCompany: 'Himal Voice',
}
const words = wordsAtHand(maya)
const passwordFault = strengthChecker()

test('the names at hand are their words, and each name as one word, and the product’s', () => {
  expect(wordsAtHand({ username: 'राम थापा', name: 'Al' })).toEqual([
    'ghanti',
    'घण्टी',
    'ghanti-demo',
    'रामथापा',
    'राम',
    'थापा',
  ])
  expect(words).toContain('everesttelecompvtltd')
  expect(wordsAtHand({ name: 'one two '.repeat(100), company: 'x'.repeat(5000) }).length).toBeLessThanOrEqual(40)
})

describe('a new password', () => {
  test.each(
    [
      'password',
      'Passw0rd!',
      'qwertyuiop',
      '12345678',
      'iloveyou1',
      'aaaaaaaaaaaaaaaaaa',
      'abcabcabcabc',
      'letmein123',
      '2024-11-20',
    ].map((password) => ({ password })),
  )('$password is known: refused', ({ password }) => {
    expect(passwordFault(password, words)).toBe('guessable')
  })

  test.each(
    [
      'mayalama',
      'MayaLama7',
      'm@y@l4m4',
      'everest2026',
      'Everest Telecom',
      'himalvoice1',
      'ghanti123',
      'ghanti-demo',
      'amalayam12',
      'maya lama 77',
      'Lama-Maya-2026',
      'Ghanti@1',
      'maya7maya7',
    ].map((password) => ({ password })),
  )('$password is made of names: refused', ({ password }) => {
    expect(passwordFault(password, words)).toBe('names')
  })

  test.each(
    [
      'marigold tunnel 58 kite',
      'xk7Qp2!v',
      'maya eats seven grapes',
      'correct horse battery',
      'हिमाल चढ्ने बाटो',
      'a'.repeat(3) + 'zq8!Lr2',
    ].map((password) => ({ password })),
  )('$password is taken', ({ password }) => {
    expect(passwordFault(password, words)).toBe(null)
  })
})

test('the names of one account are nothing to the next', async () => {
  expect(passwordFault('rukmini7', ['rukmini'])).toBe('names')
  expect(passwordFault('rukmini-goes-up-7', [])).toBe(null)
  expect(passwordFault('maya eats seven grapes', ['grapes', 'seven'])).toBe(
    passwordFault('maya eats seven grapes', ['grapes', 'seven']),
  )
})

test('a crafted one of any length keeps nobody else waiting, and is rated in the end', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  const began = performance.now()
  const faults = await Promise.all(
    ['4@(/\\{3&6912!'.repeat(20), '2001-01-01'.repeat(20), 'il1|!'.repeat(40)].map((crafted) =>
      faultForAccount({ password: crafted.slice(0, 200), words }, 1),
    ),
  )
  clearInterval(timer)
  expect(faults).toHaveLength(3)
  expect(ticks, 'of those that had time').toBeGreaterThan((performance.now() - began) / 10 / 5)
})
