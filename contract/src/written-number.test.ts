import { expect, test } from 'vitest'
import { RechargeAmount } from './recharge-amount.ts'
import { Id, wireInt } from './values.ts'
import { plainNumber } from './written-number.ts'

test.each([
  { why: 'grouped in lakhs, as in Nepal', written: '1,25,000', plain: '125000' },
  { why: 'grouped in crores and lakhs, with paisa', written: '12,34,56,789.50', plain: '123456789.50' },
  { why: 'grouped in thousands', written: '125,000', plain: '125000' },
  { why: 'grouped in millions', written: '1,250,000.5', plain: '1250000.5' },
  { why: 'in Devanagari digits', written: '१२५०००', plain: '125000' },
  { why: 'in Devanagari digits, grouped', written: '१,२५,०००', plain: '125000' },
  { why: 'below zero', written: '-1,000', plain: '-1000' },
  { why: 'with no group', written: '125000', plain: '125000' },
])('a number $why is read: $written', ({ written, plain }) => {
  expect(plainNumber(written)).toBe(plain)
})

test.each(['12,50', '1,25,00', ',125', '1,,000', '1250,000', '1,25,000,', '1,2,500', '1.000,50'])(
  'commas that group nothing stay, so that no other number is taken: %s',
  (written) => {
    expect(plainNumber(written)).toBe(written)
  },
)

test('money and whole numbers in requests may be grouped; ids may not', () => {
  expect(RechargeAmount.parse('1,25,000.50')).toBe(12_500_050)
  expect(RechargeAmount.parse('१,२५,०००')).toBe(12_500_000)
  expect(RechargeAmount.safeParse('12,50').success).toBe(false)
  expect(RechargeAmount.safeParse('-1,000').error?.issues[0]?.message).toBe(
    'Recharge Amount cannot be less than or equal to 0',
  )
  const count = wireInt(1, 1_000_000)
  expect([count.parse('1,25,000'), count.parse('१२'), count.parse('125,000'), count.parse(7)]).toEqual([
    125_000, 12, 125_000, 7,
  ])
  expect([count.safeParse('12,50').success, count.safeParse('10,00,001').success]).toEqual([false, false])
  expect(Id.safeParse('1,000').success).toBe(false)
})
