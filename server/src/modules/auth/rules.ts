/** docs/design.md#sessions: 12 hours after the last request, 7 days at most. */
export const sessionSlidingMs = 12 * 3600_000
export const sessionMaxMs = 7 * 24 * 3600_000
/** How long after it was opened an ended session still answers 'Token Expired'. */
export const sessionKeptMs = 2 * sessionMaxMs
/** How stale last_seen_at may get, so that not every request writes. */
export const touchEveryMs = 60_000

/** When sessions were opened and last used that a request would still find. */
export function openSessionTimes(now: Date): { openedAfter: Date; seenAfter: Date } {
  return {
    openedAfter: new Date(now.getTime() - sessionMaxMs),
    seenAfter: new Date(now.getTime() - sessionSlidingMs),
  }
}

export type SessionTimes = { createdAt: Date; lastSeenAt: Date; userExpiresAt: Date | null }

export function sessionEnded(session: SessionTimes, now: Date): boolean {
  return (
    now.getTime() - session.lastSeenAt.getTime() >= sessionSlidingMs ||
    now.getTime() - session.createdAt.getTime() >= sessionMaxMs ||
    accountExpired(session.userExpiresAt, now)
  )
}

export function accountExpired(expiresAt: Date | null, now: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now.getTime()
}

export const disabledAbove = 'an account above it is disabled'

/** docs/design.md#passwords */
export const resetLinkMs = 30 * 60_000
