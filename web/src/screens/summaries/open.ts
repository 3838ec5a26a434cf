import { whenLoaded } from '../../components/ui/when-loaded.ts'
import type * as actions from './actions.tsx'

/** Loaded with the first use. */
export function withSummary(use: (does: typeof actions) => unknown): Promise<void> {
  return whenLoaded(() => import('./actions.tsx'), use)
}
