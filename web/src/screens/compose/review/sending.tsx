import { composeRoutes } from '@ghanti/contract/compose.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useWrite } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { placeErrors } from '../../../components/form/server-errors.ts'
import { showDialog, showFailure, showSuccess } from '../../../components/ui/dialogs/dialogs.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { toComposeBody } from '../compose-body.ts'
import type { ComposeForm, FormOfCompose } from '../form.ts'
import { atFields, fieldsOf, labelsOf } from '../wire-fields.ts'
import { late } from '../../../components/ui/loading/late.tsx'
import { useEarlyParts } from './use-early-parts.ts'

const importReview = () => import('./Review.tsx')
const Review = late(importReview)

/** Opens the review step and carries out its button. `done` runs once the server has accepted the campaign. */
export function useSending(form: FormOfCompose, done: () => void): (baseId: number) => void {
  const t = useTexts('compose')
  const format = useFormat()
  const { userId } = useSession()
  const navigate = useNavigate()
  useEarlyParts(importReview)
  const compose = useWrite(composeRoutes.compose, [voiceCampaignRoutes.list])

  const send = async (values: ComposeForm, baseId: number, closeReview: () => void) => {
    try {
      const { start } = await compose.mutateAsync({ input: toComposeBody(values, baseId) })
      done()
      const name = values.campaignName.trim()
      const atOnce = !values.scheduled && start.reasons.length === 0
      const later = start.at === null ? t.sent.waits(name) : t.sent.later(name, format.time(start.at))
      const said = atOnce ? t.sent.now(name) : later
      showSuccess(said, () => void navigate('/voice-campaign-summary'))
    } catch (error) {
      // The field gets the focus before the modal opens, and again when it closes.
      closeReview()
      placeErrors(form, atFields(error), fieldsOf(values))
      requestAnimationFrame(() => showFailure(atFields(error), labelsOf(t, values), true))
    }
  }

  return (baseId) => {
    const values = form.getValues()
    showDialog({
      title: t.review.title,
      size: 'lg',
      render: (close) => (
        <Suspense fallback={null}>
          <Review
            values={values}
            baseId={baseId}
            userId={userId}
            onBack={close}
            onSend={(on) => send(on ? { ...values, ...on, scheduled: true } : values, baseId, close)}
          />
        </Suspense>
      ),
    })
  }
}
