import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { useTexts } from '../../../i18n/language.ts'
import { ComposeCampaign } from '../ComposeCampaign.tsx'
import { formOfComposed, hadMessages } from './composed-form.ts'
import { OpenedAs } from './OpenedAs.tsx'

type DuplicateProps = { draft: string; detail: ReplyOf<typeof campaignDetailRoutes.detail> }

export default function Duplicate({ draft, detail }: DuplicateProps) {
  const t = useTexts('compose')
  const start = formOfComposed(detail.composed)
  const hint = hadMessages(detail.composed) ? t.draft.duplicatedWithoutSms : t.draft.duplicatedHint
  return (
    <ComposeCampaign draft={draft} start={start} blank={start}>
      <OpenedAs title={t.draft.duplicated(detail.campaignName)} hint={hint} />
    </ComposeCampaign>
  )
}
