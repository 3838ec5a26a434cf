import type { CreditAccount } from '@ghanti/contract/credits.ts'
import { expect, test } from 'vitest'
import { afterwards, amountFault, doneAgo, toRecharge } from './recharge-form.ts'

const account: CreditAccount = {
  userId: 7,
  username: 'ram',
  credits: 10.1,
  reserved: 4,
  free: 6.1,
  ownFree: 5,
  last: { action: 'credit_add', credits: 0.1, secondsAgo: 59 },
}

test.each([
  { why: 'the same within a minute asks again', kind: 'add', credits: '0.10', ago: 59 },
  { why: 'another amount does not', kind: 'add', credits: '0.11', ago: null },
  { why: 'taking back what was given does not', kind: 'remove', credits: '0.10', ago: null },
  { why: 'what is no amount does not', kind: 'add', credits: 'x', ago: null },
] as const)('$why', ({ kind, credits, ago }) => expect(doneAgo(account, kind, credits)).toBe(ago))

test('after a minute the same recharge is no slip any more', () => {
  const last = { action: 'credit_add' as const, credits: 0.1, secondsAgo: 60 }
  expect(doneAgo({ ...account, last }, 'add', '0.1')).toBeNull()
})

test('both balances afterwards are exact, and too large an amount is noticed before it is sent', () => {
  expect(afterwards(account, 'add', 20)).toEqual({ child: 6.3, own: 4.8, short: false })
  expect(afterwards(account, 'add', 501)).toMatchObject({ short: true })
  expect(afterwards(account, 'remove', 610)).toEqual({ child: 0, own: 11.1, short: false })
  expect(afterwards(account, 'remove', 611)).toMatchObject({ short: true })
  expect(afterwards({ ...account, ownFree: null }, 'add', 100_000_00)).toMatchObject({ own: null, short: false })
})

test('an invalid amount is refused in the server’s words; blanks are not sent', () => {
  expect(amountFault(' ')).toBe('is required')
  expect(amountFault('0')).toBe('Recharge Amount cannot be less than or equal to 0')
  expect(amountFault('1.234')).toMatch(/at most two decimals/)
  expect(amountFault(' 12.50 ')).toBeNull()
  expect(toRecharge(7, { credits: ' 12.50 ', paymentMode: '', reference: ' ', note: ' thanks ' })).toEqual({
    userId: 7,
    credits: '12.50',
    note: 'thanks',
  })
})
