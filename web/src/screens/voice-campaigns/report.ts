import { reportRoutes, voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { QueryObserver } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call, fileAddress } from '../../api/client.ts'
import { download } from '../../api/follow-download.ts'
import { jsonQuery, queryClient } from '../../api/query.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { serverText, textsOf } from '../../i18n/language.ts'

/** 'both' is one zip with both files. */
export type ReportType = 'cc' | 'dtmf' | 'both'
type Wanted = { campaignId: number; campaignName: string; type: ReportType }

const timeoutMs = 10 * 60_000
const askEveryMs = 5_000

let awaited: readonly Wanted[] = []
const listeners = new Set<() => void>()
function setAwaited(next: readonly Wanted[]): void {
  awaited = next
  listeners.forEach((listener) => listener())
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Downloads that wait for their report; they continue when the screen is left. */
export function useAwaitedReports(): readonly Wanted[] {
  return useSyncExternalStore(subscribe, () => awaited)
}

export function useIsAwaited(campaignId: number, type: ReportType): boolean {
  return useSyncExternalStore(subscribe, () => isAwaited(campaignId, type))
}

function isAwaited(campaignId: number, type: ReportType): boolean {
  return awaited.some((other) => other.campaignId === campaignId && other.type === type)
}

/** Downloads a report now, or once it is made; shows failures. Does nothing while it already waits. */
export async function downloadReport(wanted: Wanted): Promise<void> {
  const { campaignId, type } = wanted
  if (isAwaited(campaignId, type)) return
  setAwaited([...awaited, wanted])
  try {
    const reportType = type === 'both' ? {} : { reprtType: type }
    const { reportStatus } = await call(reportRoutes.download, { campaignId, ...reportType })
    if (reportStatus !== '2') await untilMade(campaignId)
    openZip(campaignId, type)
  } catch (error) {
    showFailure(error)
  } finally {
    setAwaited(awaited.filter((other) => other !== wanted))
  }
}

/** Live events update the campaign's query; polling covers an interrupted stream. */
async function untilMade(campaignId: number): Promise<void> {
  const query = jsonQuery(voiceCampaignRoutes.detail, { campaignId })
  // The cached campaign may be older than the request.
  await queryClient.fetchQuery({ ...query, staleTime: 0 })
  const observer = new QueryObserver(queryClient, {
    ...query,
    refetchInterval: askEveryMs,
    refetchIntervalInBackground: true,
  })
  await new Promise<void>((resolve, reject) => {
    const look = ({ data, error }: { data?: CampaignRow | undefined; error: Error | null }) => {
      const outcome = error ?? (data ? outcomeOf(data) : 'waiting')
      if (outcome === 'waiting') return
      clearTimeout(timer)
      unsubscribe()
      if (outcome === 'made') resolve()
      else reject(outcome)
    }
    const timer = setTimeout(() => look({ error: new Error(textsOf('voiceCampaigns').report.late) }), timeoutMs)
    const unsubscribe = observer.subscribe(look)
    look(observer.getCurrentResult())
  })
}

/** Neither status nor reason: the row was read before the report was requested. */
function outcomeOf({ reportStatus, reportReason }: CampaignRow): 'waiting' | 'made' | Error {
  if (reportStatus === '2') return 'made'
  if (reportStatus !== undefined || reportReason === null) return 'waiting'
  return new Error(textsOf('voiceCampaigns').report.failed(serverText(reportReason)))
}

function openZip(campaignId: number, type: ReportType): void {
  const part = type === 'both' ? {} : { type }
  download(fileAddress(reportRoutes.zip, { campaignZip: `${campaignId}.zip`, ...part }))
}
