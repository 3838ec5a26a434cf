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
import { readSmsDraft, smsDraftKey, type OpenedWith } from './compose/draft.ts'
import { blankStart, startOfCopy, startWith } from './compose/message.ts'
import { sendersQuery } from './queries.ts'

export const loader = screenLoader(({ userId, prefetch }) => {
  void prefetch(sendersQuery(userId))
  void prefetch(basesQuery(userId))
})

const idIn = (value: string | null) => (/^[1-9]\d{0,8}$/.test(value ?? '') ? Number(value) : null)

/** /add-sms-campaign, or ?duplicate={campaignId}, or with the contact file of ?base={baseId}; each has its own draft. */
export default function AddSmsCampaignScreen() {
  const { userId } = useSession()
  const [search] = useSearchParams()
  const openedWith = { duplicateOf: idIn(search.get('duplicate')), baseId: idIn(search.get('base')) }
  const draft = smsDraftKey(userId, openedWith)
  return <Opened key={draft} draft={draft} {...openedWith} />
}

function Opened({ draft, duplicateOf, baseId }: OpenedWith & { draft: string }) {
  const { draft: t } = useTexts('compose')
  const [restored, setRestored] = useState(() => readSmsDraft(tabStorage(), draft))
  // A new round discards what the fields hold.
  const [round, setRound] = useState(0)
  const discard = () => {
    dropDraft(tabStorage(), draft)
    setRestored(null)
    setRound(round + 1)
  }
  const blank = baseId === null ? blankStart : startWith(baseId)
  if (restored) {
    return (
      <ComposeSms key={round} draft={draft} start={restored} blank={blank}>
        <OpenedAs title={t.restored} hint={t.restoredHint} onDiscard={discard} />
      </ComposeSms>
    )
  }
  return duplicateOf === null ? (
    <ComposeSms key={round} draft={draft} start={blank} blank={blank} />
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
