import * as vm from 'node:vm'
import { expect, test } from 'vitest'
import { readValue } from './read.ts'

test.each([
  { text: '1234567.5', value: '1234567.50' },
  { text: '007', value: '7.00' },
  { text: '0.05', value: '0.05' },
  { text: '१२३४.५०', value: '1234.50' },
  { text: '999999999.99', value: '999999999.99' },
  { text: '99,99,99,999.99', value: '999999999.99' },
  { text: '1,250.00', value: '1250.00' },
  { text: '1,25,000', value: '125000.00' },
  { text: '12,34,567.5', value: '1234567.50' },
  { text: '1,234,567.50', value: '1234567.50' },
  { text: '१,२५,०००', value: '125000.00' },
  { text: '500.', value: '500.00' },
  { text: '500.0000', value: '500.00' },
  { text: 'Rs. 500', value: '500.00' },
  { text: 'Rs500', value: '500.00' },
  { text: 'rs.500', value: '500.00' },
  { text: 'RS 1,250.00', value: '1250.00' },
  { text: 'Rs: 500', value: '500.00' },
  { text: 'NPR 500', value: '500.00' },
  { text: 'NRs. 500', value: '500.00' },
  { text: 'N.Rs. 500', value: '500.00' },
  { text: 'Rs. : 500', value: '500.00' },
  { text: '₨500', value: '500.00' },
  { text: 'रु ५००', value: '500.00' },
  { text: 'रु. ५००।–', value: '500.00' },
  { text: 'रू. 1,25,000/-', value: '125000.00' },
  { text: 'ने.रु. ५००', value: '500.00' },
  { text: '५०० रुपैयाँ मात्र', value: '500.00' },
  { text: '500 rupees only', value: '500.00' },
  { text: '500 Rs.', value: '500.00' },
  { text: '1250 NPR', value: '1250.00' },
  { text: '1250/-', value: '1250.00' },
  { text: '1250.00/-', value: '1250.00' },
  { text: '1250/', value: '1250.00' },
  { text: '500.-', value: '500.00' },
  { text: '500 /=', value: '500.00' },
  { text: 'Rs. 1,25,000/- only', value: '125000.00' },
  { text: 'Rs.\u00a0500', value: '500.00' },
  { text: '\u00a01250.50\u00a0', value: '1250.50' },
  { text: '1\u00a0250.00', value: '1250.00' },
  { text: '12\u202f34\u202f567', value: '1234567.00' },
])('the amount “$text” reads $value', ({ text, value }) => {
  expect(readValue('amount', text)).toEqual({ ok: true, value })
})

const noAmount = 'is not an amount: write it like 1234567.50 or 12,34,567.50'
const wrongCommas = 'has commas where no amount has them: write it like 1234567.50 or 12,34,567.50'

test.each([
  { text: '', why: 'is missing' },
  { text: 'five hundred', why: noAmount },
  { text: 'Rs', why: noAmount },
  { text: 'Rs. .50', why: noAmount },
  { text: '1e5', why: noAmount },
  { text: '5 lakh', why: noAmount },
  { text: '10%', why: noAmount },
  { text: '500 / 600', why: noAmount },
  { text: '500-600', why: noAmount },
  { text: '1 250', why: noAmount },
  { text: '2026-12-01', why: noAmount },
  { text: '9841-000001', why: noAmount },
  { text: '1.250.000', why: noAmount },
  { text: 'USD 500', why: noAmount },
  { text: 'TRUE', why: noAmount },
  { text: '1.250,00', why: wrongCommas },
  { text: '1250,50', why: wrongCommas },
  { text: '12,50', why: wrongCommas },
  { text: '1,250,00', why: wrongCommas },
  { text: '0,250', why: wrongCommas },
  { text: '9,841,000,071,2', why: wrongCommas },
  { text: '1.250', why: 'has more than two decimals' },
  { text: '5.005', why: 'has more than two decimals' },
  { text: '-5', why: 'is negative' },
  { text: '−1,250.00', why: 'is negative' },
  { text: '(500)', why: 'is negative' },
  { text: '-Rs. 500', why: 'is negative' },
  { text: 'Rs. -500/-', why: 'is negative' },
  { text: '500-', why: 'is negative' },
  { text: '0', why: 'is zero' },
  { text: 'Rs. 0.00', why: 'is zero' },
  { text: '1000000000', why: 'is more than 99,99,99,999.99' },
  { text: 'Rs. 1,00,00,00,000/-', why: 'is more than 99,99,99,999.99' },
  { text: '9'.repeat(400), why: 'is more than 99,99,99,999.99' },
])('the amount “$text” is refused: it $why', ({ text, why }) => {
  expect(readValue('amount', text)).toEqual({ ok: false, why })
})

test.each([' ', '/', '-', '1,', '.-', 'only', 'rs'])('a cell of many “%s” is read or refused at once', (sign) => {
  const text = `1${sign.repeat(200_000)}1`
  const reading: unknown = vm.runInNewContext("readValue('amount', text)", { readValue, text }, { timeout: 5000 })
  expect(reading).toMatchObject({ ok: false })
})
