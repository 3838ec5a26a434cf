import type { PlatformOverview } from '@ghanti/contract/overview.ts'

type Trunk = Pick<PlatformOverview['trunks'][number], 'now'>

/** According to the engine that holds its dialer. */
export function stateOf({ now }: Trunk): 'noEngine' | 'held' | 'unknown' | 'up' | 'unreachable' {
  if (!now) return 'noEngine'
  if (now.held !== null) return 'held'
  if (now.reachable === null) return 'unknown'
  return now.reachable ? 'up' : 'unreachable'
}

/** It carries no calls now, and somebody should look. */
export function isInTrouble(trunk: Trunk): boolean {
  const state = stateOf(trunk)
  return state === 'held' || state === 'unreachable'
}
