import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { setupRoutes } from '@ghanti/contract/setups.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { jsonQuery } from '../../../api/query.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { fieldText } from '../../../components/ui/failures/failure-texts.ts'
import { Page } from '../../../components/ui/Page.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { ComposeCampaign } from '../ComposeCampaign.tsx'
import { formOfComposed } from './composed-form.ts'
import { blankForm, type ComposeForm } from '../form.ts'
import { labelsOf } from '../wire-fields.ts'
import { OpenedAs } from './OpenedAs.tsx'

type FromSetupProps = { draft: string; setupId: number }
type Setup = ReplyOf<typeof setupRoutes.detail>

/** The form as a set-up fills it. What is gone since is said by name, and what cannot be read by its field. */
export default function FromSetup({ draft, setupId }: FromSetupProps) {
  const t = useTexts('compose')
  const setup = useQuery(jsonQuery(setupRoutes.detail, { setupId }))
  if (setup.data) return <Filled draft={draft} setup={setup.data} />
  return (
    <Page title={t.title}>{setup.error && <Failure error={setup.error} onRetry={() => void setup.refetch()} />}</Page>
  )
}

function Filled({ draft, setup }: { draft: string; setup: Setup }) {
  const t = useTexts('setups')
  const labels = useTexts('compose')
  const format = useFormat()
  // As it was when the form opened: the query may be asked again.
  const [start] = useState(() => formOf(setup, new Date()))
  const gone = setup.gone.map(({ what, name }) => t.goneOnes[what](what === 'cli' ? format.phone(name) : name))
  const named = labelsOf(labels, start)
  const unread = setup.faults.map(({ field, text }) => fieldText(ownValue(named, field) ?? field, text))
  const lacks = [gone.length > 0 && t.gone(gone), unread.length > 0 && t.unread(unread)].filter(Boolean).join(' ')
  return (
    <ComposeCampaign draft={draft} start={start} blank={start}>
      <OpenedAs title={t.opened(setup.setupName)} hint={lacks || (isBare(setup) ? t.openedBare : t.openedHint)} />
    </ComposeCampaign>
  )
}

/** Without a caller ID or any voice file, which every campaign has. */
function isBare({ composed }: Setup): boolean {
  const isSaid = Object.entries(composed).some(([field, value]) => field.endsWith('PId') && value !== undefined)
  return composed.cli === undefined || !isSaid
}

/** The campaign is named after the set-up and the day. */
function formOf({ setupName, composed }: Setup, now: Date): ComposeForm {
  const form = formOfComposed(composed)
  const ending = ` ${nepalDayOf(now)}`
  return {
    ...form,
    campaignName: setupName.slice(0, nameMax - ending.length) + ending,
    contactsFrom: form.storedBase === null ? blankForm.contactsFrom : 'stored',
  }
}
