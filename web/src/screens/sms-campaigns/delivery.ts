import type { DeliveryStatus, SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'

type Segment = { name: DeliveryStatus; count: number; start: number; percent: number }

/** What has become of each row, with start and width in per cent; what is submitted waits for its receipt. */
export function deliverySegments(row: SmsCampaignRow): Segment[] {
  const { numbersUploaded, smsDelivered, smsFailed, smsExpired, smsUnknown, dndCount, unreachable, pending } = row
  const waiting = pending.fresh + pending.inFlight + pending.waiting
  const known = smsDelivered + smsFailed + smsExpired + smsUnknown + dndCount + unreachable
  const counts: [DeliveryStatus, number][] = [
    ['Delivered', smsDelivered],
    ['Submitted', Math.max(0, numbersUploaded - known - waiting)],
    ['Failed', smsFailed],
    ['Expired', smsExpired],
    ['Unknown', smsUnknown],
    ['DND', dndCount],
    ['Unreachable', unreachable],
    ['Waiting', waiting],
  ]
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  let start = 0
  return counts.flatMap(([name, count]) => {
    if (count === 0) return []
    const segment = { name, count, start, percent: (count / total) * 100 }
    start += segment.percent
    return [segment]
  })
}
