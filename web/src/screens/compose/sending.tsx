import { composeRoutes } from '@ghanti/contract/compose.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { placeErrors } from '../../components/form/server-errors.ts'
import { showDialog, showFailure, showSuccess } from '../../components/ui/dialogs.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { toComposeBody } from './compose-body.ts'
import type { ComposeForm, FormOfCompose } from './form.ts'
import { atFields, fieldsOf, labelsOf } from './wire-fields.ts'

const Review = lazy(() => import('./Review.tsx'))

/** Opens the one review step before a campaign is composed, and does what its button says. `done` runs once the server took it. */
export function useSending(form: FormOfCompose, done: () => void): (baseId: number) => void {
  const t = useTexts('compose')
  const format = useFormat()
  const { userId } = useSession()
  const navigate = useNavigate()
  const compose = useWrite(composeRoutes.compose, [voiceCampaignRoutes.list])

  const send = async (values: ComposeForm, baseId: number, closeReview: () => void) => {
    try {
      await compose.mutateAsync({ input: toComposeBody(values, baseId) })
      done()
      const name = values.campaignName.trim()
      const said = values.scheduled
        ? t.sent.later(name, format.digits(`${values.day} ${values.time}`))
        : t.sent.now(name)
      showSuccess(said, () => void navigate('/voice-campaign-summary'))
    } catch (error) {
      // The field in question gets the focus before the modal opens, and has it again when the modal is closed.
      closeReview()
      placeErrors(form, atFields(error), fieldsOf(values))
      requestAnimationFrame(() => showFailure(atFields(error), labelsOf(t, values)))
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
            onSend={() => send(values, baseId, close)}
          />
        </Suspense>
      ),
    })
  }
}
