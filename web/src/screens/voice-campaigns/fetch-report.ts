import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { reportRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { QueryObserver } from '@tanstack/react-query'
import { call, fileAddress } from '../../api/client.ts'
import { download } from '../../api/follow-download.ts'
import { jsonQuery, queryClient } from '../../api/query.ts'
import { serverText, textsOf } from '../../i18n/language.ts'
import type { Wanted } from './report.ts'

const timeoutMs = 10 * 60_000
const askEveryMs = 5_000

/** Asks for a report, waits until it is made and downloads it. Rejects with the reason why it cannot be made. */
export async function fetchReport({ campaignId, type }: Wanted): Promise<void> {
  const part = type === 'both' ? {} : { reprtType: type }
  const { reportStatus } = await call(reportRoutes.download, { campaignId, ...part })
  if (reportStatus !== '2') await untilMade(campaignId)
  openZip(campaignId, type)
}

/** Live events update the campaign's query; polling covers an interrupted stream. */
async function untilMade(campaignId: number): Promise<void> {
  const query = jsonQuery(campaignDetailRoutes.detail, { campaignId })
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

function openZip(campaignId: number, type: Wanted['type']): void {
  const part = type === 'both' ? {} : { type }
  download(fileAddress(reportRoutes.zip, { campaignZip: `${campaignId}.zip`, ...part }))
}
