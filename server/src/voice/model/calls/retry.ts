import type { Disposition } from '@ghanti/contract/campaign-status.ts'

export type RetryPolicy = {
  /** Re-attempts after the first attempt; 0 in the round of Retry. */
  retries: number
  /** Counted from the end of the attempt before. */
  retryMs: number
  /** One factor for every wait of the engine: 1/30 in the demo. */
  timeScale: number
}

/** An attempt that has ended, and what its row met before. */
export type EndedAttempt = {
  disposition: Disposition
  /** 1 for the first. */
  attemptNo: number
  /** Times the row met CONGESTION before this attempt. */
  congestions: number
  /** Times the row met FAILED or REJECTED before this attempt. */
  failures: number
}

export const congestionWaitMs = 30_000
const congestionWaitMsMax = 600_000
const congestionWaitsMax = 6

/** After how many ms the row may be dialled again. Null: its outcome is final. */
export function retryInMs(attempt: EndedAttempt, policy: RetryPolicy): number | null {
  switch (attempt.disposition) {
    case 'ANSWER':
    case 'INVALID':
    case 'LOST':
      return null
    case 'CANCEL':
      return 0
    case 'CONGESTION':
      return attempt.congestions < congestionWaitsMax
        ? Math.round(doubled(congestionWaitMs, attempt.congestions) * policy.timeScale)
        : null
    case 'BUSY':
    case 'NO ANSWER':
      return again(attempt, policy)
    case 'FAILED':
    case 'REJECTED':
      return attempt.failures === 0 ? again(attempt, policy) : null
  }
}

function again(attempt: EndedAttempt, policy: RetryPolicy): number | null {
  return attempt.attemptNo <= policy.retries ? Math.round(policy.retryMs * policy.timeScale) : null
}

/** 30 s × 2ⁿ, at most 10 min: the waits of a congested row, and of the probes of a trunk on hold. */
export function doubled(firstMs: number, n: number): number {
  return Math.min(congestionWaitMsMax, firstMs * 2 ** n)
}
