import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../../api/error.ts'
import { useWrite } from '../../../api/query.ts'
import { placeErrors } from '../../../components/form/server-errors.ts'
import { showDialog, showFailure } from '../../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../../components/ui/toasts/toasts.ts'
import { late } from '../../../components/ui/loading/late.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useEarlyParts } from '../../compose/review/use-early-parts.ts'
import type { ComposeForm, FormOfCompose } from '../../compose/form.ts'
import { endOf, scheduleTimeOf } from '../../compose/schedule/schedule.ts'
import { labelled } from '../labels.ts'
import type { MessageText } from './message.ts'

const importReview = () => import('./Review.tsx')
const Review = late(importReview)

const fieldOfContacts = { paste: 'numbers', upload: 'file', stored: 'storedBase' } as const

type Heard = {
  onText: (problem: string) => void
  onSent: () => void
}

export function useSending(form: FormOfCompose, { onText, onSent }: Heard) {
  const t = useTexts('smsCompose')
  const compose = useTexts('compose')
  const format = useFormat()
  const navigate = useNavigate()
  useEarlyParts(importReview)
  const create = useWrite(smsComposeRoutes.create, [smsCampaignRoutes.list])

  const send = async (values: ComposeForm, baseId: number, message: MessageText, closeReview: () => void) => {
    const campaignName = values.campaignName.trim()
    const scheduleTime = values.scheduled ? scheduleTimeOf(values.day, values.time) : ''
    const { templateId, text: smsText } = message
    const input = {
      campaignName,
      templateId,
      baseId,
      cli: values.cli ?? '',
      smsText,
      scheduleTime,
      notAfter: endOf(values),
    }
    try {
      await create.mutateAsync({ input })
      onSent()
      const said = values.scheduled ? t.sent.later(campaignName, format.time(scheduleTime)) : t.sent.now(campaignName)
      closeReview()
      showDone(said)
      void navigate('/sms-campaign-summary')
    } catch (error) {
      closeReview()
      const ofText = error instanceof ApiError ? error.errors.find(({ field }) => field === 'smsText') : undefined
      if (ofText) onText(ofText.text)
      placeErrors(form, error, {
        baseId: fieldOfContacts[values.contactsFrom],
        scheduleTime: 'time',
        notAfter: 'endTime',
      })
      requestAnimationFrame(() =>
        showFailure(
          labelled(error, t, compose.contacts.title),
          {
            campaignName: compose.campaignName,
            scheduleTime: compose.schedule.time,
            notAfter: compose.schedule.ends.messages.time,
          },
          true,
        ),
      )
    }
  }

  return (baseId: number, message: MessageText) => {
    const values = form.getValues()
    showDialog({
      title: t.review.title,
      size: 'lg',
      render: (close) => (
        <Suspense fallback={null}>
          <Review
            values={values}
            baseId={baseId}
            message={message}
            onBack={close}
            onSend={() => send(values, baseId, message, close)}
          />
        </Suspense>
      ),
    })
  }
}
