import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { dropDraft, tabStorage } from '../compose/opened/draft.ts'
import { OpenedAs } from '../compose/opened/OpenedAs.tsx'
import { basesQuery } from '../compose/queries.ts'
import { ComposeSms } from './compose/ComposeSms.tsx'
import { readSmsDraft, smsDraftKey } from './compose/draft.ts'
import { blankStart, startOfCopy } from './compose/message.ts'
import { sendersQuery } from './queries.ts'

export const loader = screenLoader(({ userId, prefetch }) => {
  void prefetch(sendersQuery(userId))
  void prefetch(basesQuery(userId))
})

/** /add-sms-campaign, or ?duplicate={campaignId}; each has its own draft. */
export default function AddSmsCampaignScreen() {
  const { userId } = useSession()
  const [search] = useSearchParams()
  const duplicate = search.get('duplicate') ?? ''
  const duplicateOf = /^[1-9]\d{0,8}$/.test(duplicate) ? Number(duplicate) : null
  const draft = smsDraftKey(userId, duplicateOf)
  return <Opened key={draft} draft={draft} duplicateOf={duplicateOf} />
}

function Opened({ draft, duplicateOf }: { draft: string; duplicateOf: number | null }) {
  const { draft: t } = useTexts('compose')
  const [restored, setRestored] = useState(() => readSmsDraft(tabStorage(), draft))
  // A new round discards what the fields hold.
  const [round, setRound] = useState(0)
  const discard = () => {
    dropDraft(tabStorage(), draft)
    setRestored(null)
    setRound(round + 1)
  }
  if (restored) {
    return (
      <ComposeSms key={round} draft={draft} start={restored} blank={blankStart}>
        <OpenedAs title={t.restored} hint={t.restoredHint} onDiscard={discard} />
      </ComposeSms>
    )
  }
  return duplicateOf === null ? (
    <ComposeSms key={round} draft={draft} start={blankStart} blank={blankStart} />
  ) : (
    <Copy key={round} draft={draft} campaignId={duplicateOf} />
  )
}

function Copy({ draft, campaignId }: { draft: string; campaignId: number }) {
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
    const start = startOfCopy(summary.data)
    return (
      <ComposeSms draft={draft} start={start} blank={start}>
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
