import { showFailure } from '../../components/ui/dialogs.ts'
import type * as actions from './actions.tsx'

/** Actions on a campaign's summary, loaded when they are first used. */
export async function withSummary(use: (does: typeof actions) => unknown): Promise<void> {
  try {
    await use(await import('./actions.tsx'))
  } catch (error) {
    showFailure(error)
  }
}
