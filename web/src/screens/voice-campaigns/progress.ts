import { campaignStatusOf, finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'

/** Rows without a final outcome (specification 1 §3). */
export function pendingCalls(row: CampaignRow): number {
  return row.numbersUploaded - row.dndCount - row.numbersProcessed
}

export function isFinished(row: CampaignRow): boolean {
  const status = campaignStatusOf(row.campaignStatus)
  return finishedStatuses.some((finished) => finished === status)
}

/** Rows that need at least one more attempt; while Retry queues rows, all that did not answer, which may be too many but never too few. */
function dueCalls(row: CampaignRow): number {
  return row.retryQueuing ? row.numbersProcessed - row.callsConnected : pendingCalls(row)
}

/** From 0 to 1: attempts made out of attempts made and due. It only grows until a retry, and is 1 when nobody is due. */
export function progressShare(row: CampaignRow): number {
  const pending = dueCalls(row)
  if (pending <= 0) return row.attempts > 0 || campaignStatusOf(row.campaignStatus) === 'complete' ? 1 : 0
  return row.attempts / (row.attempts + pending)
}

export type Sample = { atMs: number; attempts: number }
const windowMs = 60_000
const apartMs = 1_000
const knownAfterMs = 4_000

/** The last minute's samples, a second apart, with the new one; starts again when the campaign does (Retry). */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && sample.attempts < last.attempts) return [sample]
  const recent = samples.filter(({ atMs }) => sample.atMs - atMs <= windowMs)
  const beforeLast = recent.at(-2)
  if (beforeLast && last && last.atMs - beforeLast.atMs < apartMs) recent.pop()
  return [...recent, sample]
}

/** Attempts per millisecond; null while too few were seen. */
function speedOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs - first.atMs < knownAfterMs) return null
  const speed = (last.attempts - first.attempts) / (last.atMs - first.atMs)
  return speed > 0 ? speed : null
}

export type TimeLeft = {
  ms: number
  /** An unknown number of retries will take longer. */
  atLeast: boolean
}

/** Until the campaign ends at the measured speed; null when it does not dial or nothing can be said yet. */
export function timeLeft(row: CampaignRow, samples: readonly Sample[], now: Date): TimeLeft | null {
  const speed = speedOf(samples)
  if (campaignStatusOf(row.campaignStatus) !== 'running' || speed === null) return null
  const { fresh, inCall, waiting, retry, retries, nextDue } = row.pending
  if (fresh + inCall + waiting === 0) return null
  const share = againShare(row)
  const retriesLeft = Math.max(0, retries - retry)
  const attempts = (fresh + inCall) * seriesOf(share, retries) + waiting * seriesOf(share, retriesLeft)
  const dueAt = waiting > 0 && nextDue !== null ? instantOfNepalTime(nextDue) : null
  return {
    ms: Math.max(attempts / speed, (dueAt?.getTime() ?? 0) - now.getTime()),
    atLeast: fresh + inCall > 0 ? retries > 0 : retriesLeft > 0,
  }
}

/** The share of attempts that reached nobody and will be repeated. */
function againShare({ attempts, outcomes }: CampaignRow): number {
  if (attempts === 0) return 0
  return Math.min(1, ((outcomes['NO ANSWER'] ?? 0) + (outcomes.BUSY ?? 0)) / attempts)
}

/** 1 + s + s² + … over `retries`: the average number of attempts per row. */
function seriesOf(share: number, retries: number): number {
  let sum = 0
  for (let power = 0; power <= retries; power += 1) sum += share ** power
  return sum
}

/** What the tab shows while something runs; null when nothing does. */
export function runningShare(rows: readonly CampaignRow[]): { running: number; share: number } | null {
  const running = rows.filter((row) => campaignStatusOf(row.campaignStatus) === 'running')
  const made = running.reduce((sum, row) => sum + row.attempts, 0)
  const due = running.reduce((sum, row) => sum + row.attempts + dueCalls(row), 0)
  return running.length === 0 ? null : { running: running.length, share: due === 0 ? 0 : made / due }
}
