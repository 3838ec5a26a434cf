import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { Followup, followupRoutes } from '@ghanti/contract/followups.ts'
import { showFollowup } from './followup-state.ts'
import { jsonQuery, queryClient, refresh } from './query.ts'

/** Opens the drawer in every tab of the account, and reads the report again once the call has ended. */
export async function takeFollowup(data: string): Promise<void> {
  const followup = Followup.parse(JSON.parse(data))
  const { followupId, state } = followup
  const { queryKey } = jsonQuery(followupRoutes.detail, { followupId })
  const isKnown = queryClient.getQueryData(queryKey) !== undefined
  await queryClient.cancelQueries({ queryKey }) // a reply under way may be older
  queryClient.setQueryData(queryKey, followup)
  if (state !== 'ended') showFollowup(followupId)
  else if (isKnown) await refresh(callReportRoutes.list, callReportRoutes.ofCampaign)
}
