import type { SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { expect, test } from 'vitest'
import { deliverySegments } from './delivery.ts'

const none = {
  numbersUploaded: 100,
  smsDelivered: 0,
  smsFailed: 0,
  smsExpired: 0,
  smsUnknown: 0,
  dndCount: 0,
  unreachable: 0,
  pending: { fresh: 0, inFlight: 0, waiting: 0, nextDue: null },
}
const shown = (row: Partial<SmsCampaignRow>) =>
  deliverySegments({ ...none, ...row } as SmsCampaignRow).map(({ name, count }) => `${name} ${count}`)

test.each([
  {
    why: 'what is neither waiting nor known waits for its receipt',
    row: { smsDelivered: 60, smsFailed: 5, dndCount: 5, pending: { ...none.pending, fresh: 10, inFlight: 5 } },
    parts: ['Delivered 60', 'Submitted 15', 'Failed 5', 'DND 5', 'Waiting 15'],
  },
  { why: 'all are delivered', row: { smsDelivered: 100 }, parts: ['Delivered 100'] },
  {
    why: 'nothing is below none, whatever the figures',
    row: { smsDelivered: 90, smsFailed: 20 },
    parts: ['Delivered 90', 'Failed 20'],
  },
])('delivery: $why', ({ row, parts }) => expect(shown(row)).toEqual(parts))

test('the parts fill the bar from its beginning to its end', () => {
  const parts = deliverySegments({ ...none, smsDelivered: 30, smsFailed: 20 } as unknown as SmsCampaignRow)
  expect(parts.map(({ start, percent }) => [start, percent])).toEqual([
    [0, 30],
    [30, 50],
    [80, 20],
  ])
})
