import type { SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'

/** From 0 to 1: messages whose submission came to an end, of those that are to be sent. */
export function sentShare({ numbersUploaded, dndCount, unreachable, pending }: SmsCampaignRow): number {
  const toSend = numbersUploaded - dndCount - unreachable
  if (toSend <= 0) return 0
  const left = Math.min(toSend, pending.fresh + pending.inFlight + pending.waiting)
  return 1 - left / toSend
}
