import { expect, test } from 'vitest'
import { texts } from '../../../i18n/en/campaign-detail.ts'
import { texts as nepali } from '../../../i18n/ne/campaign-detail.ts'
import { campaign, detailOf } from '../fixtures.ts'
import { saidOf } from './said.ts'

const format = { count: String, rupees: (rupees: number) => rupees.toFixed(2) }
const over = { numbersUploaded: 53, callsConnected: 44, attempts: 70, cost: 39.6 }

test.each([
  {
    why: 'a campaign with keys',
    of: { ...over, dtmfCount: 21 },
    said: '44 of 53 answered, 21 pressed a key, Rs 39.60',
  },
  {
    why: 'keys that nobody pressed',
    of: { ...over, dtmfCount: 0, composed: { dtmf: '1,2' } },
    said: '44 of 53 answered, 0 pressed a key, Rs 39.60',
  },
  { why: 'a campaign without keys', of: { ...over, dtmfCount: 0 }, said: '44 of 53 answered, Rs 39.60' },
  { why: 'one that has not begun', of: { ...over, attempts: 0 }, said: '53 numbers, none called yet' },
  { why: 'a file that is being read', of: campaign('processing'), said: 'The contact file is being read.' },
])('the first sentence tells $why', ({ of, said }) => expect(saidOf(detailOf(of), texts, format)).toBe(said))

test('in Nepali all come before those who answered', () => {
  expect(saidOf(detailOf({ ...over, dtmfCount: 21 }), nepali, format)).toBe(
    '53 मध्ये 44 ले फोन उठाए, 21 ले बटन थिचे, रु 39.60',
  )
})
