import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { Failure } from '../../components/ui/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { basesQuery } from '../compose/queries.ts'
import { ComposeSms } from './ComposeSms.tsx'
import { blankStart, startOfCopy } from './message.ts'
import { sendersQuery } from './queries.ts'

export const loader = screenLoader(({ userId, prefetch }) => {
  void prefetch(sendersQuery(userId))
  void prefetch(basesQuery(userId))
})

/** /add-sms-campaign, or ?duplicate={campaignId}. */
export default function AddSmsCampaignScreen() {
  const [search] = useSearchParams()
  const duplicate = search.get('duplicate') ?? ''
  return /^[1-9]\d{0,8}$/.test(duplicate) ? (
    <Copy key={duplicate} campaignId={Number(duplicate)} />
  ) : (
    <ComposeSms key="new" start={blankStart} />
  )
}

function Copy({ campaignId }: { campaignId: number }) {
  const t = useTexts('smsCompose')
  const summary = useQuery(jsonQuery(smsCampaignRoutes.summary, { campaignId }))
  const calls = summary.data?.callCampaign
  if (calls) {
    return (
      <Page title={t.title}>
        <p>
          {t.followsCalls(summary.data?.campaignName ?? '', calls.campaignName)}{' '}
          <Link to={`/add-voice-campaign?duplicate=${calls.campaignId}`}>{t.duplicateCalls}</Link>
        </p>
      </Page>
    )
  }
  if (summary.data) {
    return (
      <ComposeSms start={startOfCopy(summary.data)}>
        <p>{t.duplicated(summary.data.campaignName)}</p>
      </ComposeSms>
    )
  }
  return (
    <Page title={t.title}>
      {summary.error && <Failure error={summary.error} onRetry={() => void summary.refetch()} />}
    </Page>
  )
}
