import type { CallsNow } from '@ghanti/contract/overview.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { userRoutes } from '@ghanti/contract/users.ts'

export type Dashboard = ReplyOf<typeof userRoutes.dashboard>
export type PartProps = { dashboard: Dashboard }

/** How often it is asked again: figures follow calls by a second or two. The row of a user's campaign comes over the event stream. */
export function againMs(now: CallsNow | null | undefined): number {
  return now && now.running > 0 ? 5_000 : 15_000
}
