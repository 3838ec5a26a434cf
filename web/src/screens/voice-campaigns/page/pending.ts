import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { isFinished, pendingCalls } from '../progress.ts'

export type PendingPart =
  | { kind: 'fresh' | 'inCall' | 'retryLater'; count: number }
  | { kind: 'stopped' }
  | { kind: 'retry'; count: number; retry: number; retries: number }
  /** 'HH:mm' today, else with the day; null: due now. */
  | { kind: 'next'; at: string | null }

/**
 * 'never tried 0, in call 24, retry 2 of 3: 6,976, next 14:32', or only 'never tried 3,000'. Empty when nobody is pending; `now` is a time
 * of the wire.
 */
export function pendingParts(row: CampaignRow, now: string): PendingPart[] {
  if (pendingCalls(row) <= 0) return []
  const { fresh, inCall, waiting, retry, retries, nextDue } = row.pending
  const status = campaignStatusOf(row.campaignStatus)
  if (status === 'cancelled') return [{ kind: 'stopped' }]
  const parts: PendingPart[] = [{ kind: 'fresh', count: fresh }]
  if (inCall > 0 && !isFinished(row)) parts.push({ kind: 'inCall', count: inCall })
  if (waiting > 0) {
    parts.push(
      retry >= 1 && retry <= retries
        ? { kind: 'retry', count: waiting, retry, retries }
        : { kind: 'retryLater', count: waiting },
    )
  }
  if (waiting > 0 && nextDue !== null && status === 'running') {
    const at = clockOf(nextDue, now)
    // Rows that are due but held up are not being dialled. The reason is shown beside the text.
    if (at !== null || row.reason === null) parts.push({ kind: 'next', at })
  }
  return parts
}

function clockOf(time: string, now: string): string | null {
  if (time <= now) return null
  return time.slice(0, 10) === now.slice(0, 10) ? time.slice(11, 16) : time.slice(0, 16)
}
