import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { ComposeCampaign } from './ComposeCampaign.tsx'
import { draftKey, dropDraft, readDraft, tabStorage, type OpenedWith } from './opened/draft.ts'
import { blankForm, type ComposeForm } from './form.ts'
import { OpenedAs } from './opened/OpenedAs.tsx'
import { basesQuery, clisQuery, promptsQuery } from './queries.ts'
import { late } from '../../components/ui/loading/late.tsx'

const Duplicate = late(() => import('./opened/Duplicate.tsx'))
const FromSetup = late(async () => {
  const [part] = await Promise.all([import('./opened/FromSetup.tsx'), loadTexts('setups')])
  return part
})

export const loader = screenLoader(({ userId, prefetch }) => {
  void prefetch(clisQuery(userId))
  void prefetch(promptsQuery(userId))
  void prefetch(basesQuery(userId))
})

const idIn = (value: string | null) => (/^\d{1,9}$/.test(value ?? '') ? Number(value) : null)

/** /add-voice-campaign, or ?duplicate={campaignId}, ?setup={setupId}, or with the contact file of ?base={baseId}; each has its own draft. */
export default function ComposeScreen() {
  const { userId } = useSession()
  const [search] = useSearchParams()
  const duplicateOf = idIn(search.get('duplicate'))
  const openedWith = { duplicateOf, baseId: idIn(search.get('base')), setupId: idIn(search.get('setup')) }
  const draft = draftKey(userId, openedWith)
  return <Opened key={draft} draft={draft} {...openedWith} />
}

function Opened({ draft, duplicateOf, baseId, setupId }: OpenedWith & { draft: string }) {
  const t = useTexts('compose')
  const [restored, setRestored] = useState(() => readDraft(tabStorage(), draft))
  // A new round discards what the fields hold.
  const [round, setRound] = useState(0)
  const detail = useQuery({
    ...jsonQuery(campaignDetailRoutes.detail, { campaignId: duplicateOf ?? 0 }),
    enabled: duplicateOf !== null && restored === null,
  })
  const discard = () => {
    dropDraft(tabStorage(), draft)
    setRestored(null)
    setRound(round + 1)
  }
  const blank: ComposeForm =
    baseId === null ? blankForm : { ...blankForm, contactsFrom: 'stored', storedBase: String(baseId) }
  if (restored) {
    return (
      <ComposeCampaign key={round} draft={draft} start={restored} blank={blank}>
        <OpenedAs title={t.draft.restored} hint={t.draft.restoredHint} onDiscard={discard} />
      </ComposeCampaign>
    )
  }
  if (setupId !== null && duplicateOf === null) {
    return (
      <Suspense fallback={null}>
        <FromSetup key={round} draft={draft} setupId={setupId} />
      </Suspense>
    )
  }
  if (duplicateOf === null) return <ComposeCampaign key={round} draft={draft} start={blank} blank={blank} />
  if (detail.data) {
    return (
      <Suspense fallback={null}>
        <Duplicate key={round} draft={draft} detail={detail.data} />
      </Suspense>
    )
  }
  return (
    <Page title={t.title}>
      {detail.error && <Failure error={detail.error} onRetry={() => void detail.refetch()} />}
    </Page>
  )
}
