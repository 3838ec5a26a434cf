import { WaitingEvent } from '@ghanti/contract/notice-events.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { MenuLabel } from '../i18n/en/common.ts'
import { queryClient } from './query.ts'

const waitingKey = ['waiting-work']

/** Set by live events; empty until the first one. */
const waitingQuery = queryOptions({
  queryKey: waitingKey,
  queryFn: (): WaitingEvent => ({ prompts: 0, alerts: 0, senders: 0, texts: 0, values: 0 }),
  enabled: false,
  staleTime: Infinity,
})

const countOf: Partial<Record<MenuLabel, keyof WaitingEvent>> = {
  promptsForApproval: 'prompts',
  alerts: 'alerts',
  senderIds: 'senders',
  smsTexts: 'texts',
  smsCampaignSummary: 'values',
}

/** How to show only what waits, in lists that contain more. */
export const waitingView: Partial<Record<MenuLabel, string>> = { smsCampaignSummary: '?values=waiting' }

/** How much waits for the viewer behind entries of the sidebar, each counted up to 100. */
export function useWaiting(...entries: MenuLabel[]): number {
  const { data } = useQuery(waitingQuery)
  return entries.reduce((sum, entry) => {
    const count = countOf[entry]
    return sum + ((count && data?.[count]) ?? 0)
  }, 0)
}

/** What waits for the viewer's decision, by sidebar entry. Open alerts are not decided on. */
export function useDecisions(): { entry: MenuLabel; count: number }[] {
  const { data } = useQuery(waitingQuery)
  const entries = Object.entries(countOf) as [MenuLabel, keyof WaitingEvent][]
  return entries.flatMap(([entry, of]) => {
    const count = of === 'alerts' ? 0 : (data?.[of] ?? 0)
    return count > 0 ? [{ entry, count }] : []
  })
}

export function takeWaiting(data: string): void {
  queryClient.setQueryData(waitingKey, WaitingEvent.parse(JSON.parse(data)))
}
