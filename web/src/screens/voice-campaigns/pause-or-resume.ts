import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { actionOf, type ActionContext } from './actions.tsx'

/** What lets a campaign go on, if that is possible, otherwise what pauses it. An account above may do both to one that it holds. */
export function pauseOrResume(row: CampaignRow, context: ActionContext): MenuAction {
  const resume = actionOf('resume', row, context)
  return resume.disabledReason === undefined ? resume : actionOf('pause', row, context)
}
