import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import type * as actions from './actions.tsx'

/** Actions on a campaign's summary, loaded when they are first used. */
export function withSummary(use: (does: typeof actions) => unknown): Promise<void> {
  return whenLoaded(() => import('./actions.tsx'), use)
}
