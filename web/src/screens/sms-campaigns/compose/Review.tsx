import { Button, Loader } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import type { TextsOf } from '../../../i18n/areas.ts'
import { useFormat, type Format } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../../compose/Compose.module.css'
import type { ComposeForm } from '../../compose/form.ts'
import { endOf, scheduleTimeOf } from '../../compose/schedule/schedule.ts'
import { labelled } from '../labels.ts'
import type { MessageText } from './message.ts'
import { useSmsPreview } from '../queries.ts'
import sms from './SmsCompose.module.css'

type ReviewProps = {
  values: ComposeForm
  baseId: number
  message: MessageText
  onBack: () => void
  onSend: () => Promise<void>
}

type Preview = NonNullable<ReturnType<typeof useSmsPreview>['data']>

/** When the first message is sent, and the earliest time for the last. */
function whenSent(data: Preview | undefined, t: TextsOf<'smsCompose'>, format: Format): [string, ReactNode][] {
  if (!data?.estimate) return []
  const { beginsAt, endsAt, perSecond, outsideHours } = data.estimate
  if (beginsAt === null) return [[t.review.begins, t.review.never]]
  const rate = format.count(perSecond)
  const late = perSecond === 0 ? t.review.noWay : t.review.tooMany(rate)
  return [
    [t.review.begins, t.review.beginsText(format.time(beginsAt), outsideHours)],
    [t.review.ends, endsAt === null ? late : t.review.endsText(format.time(endsAt), rate)],
  ]
}

/** The last look before sending: how many, from whom, what they say, what they cost, until when. */
export default function Review({ values, baseId, message, onBack, onSend }: ReviewProps) {
  const t = useTexts('smsCompose')
  const compose = useTexts('compose')
  const format = useFormat()
  const [sending, setSending] = useState(false)
  const { templateId, text: smsText } = message
  const scheduleTime = values.scheduled ? scheduleTimeOf(values.day, values.time) : undefined
  const notAfter = endOf(values) || undefined
  const preview = useSmsPreview({ baseId, templateId, smsText, cli: values.cli ?? '', scheduleTime, notAfter })
  const { data } = preview
  const nobody = data?.accepted === 0
  const send = async () => {
    setSending(true)
    await onSend()
    setSending(false)
  }
  const facts: [string, ReactNode][] = [
    [compose.campaignName, values.campaignName],
    [
      t.text,
      <q key="text" className={sms.quote}>
        {data?.text ?? smsText}
      </q>,
    ],
    [
      t.review.contacts,
      data && t.review.contactsText(format.count(data.accepted), format.count(data.rows - data.accepted)),
    ],
    [t.review.when, values.scheduled ? format.moment(`${values.day ?? ''} ${values.time ?? ''}`) : t.review.now],
    ...whenSent(data, t, format),
    [t.review.until, data?.estimate && t.review.untilText(format.time(data.estimate.sendUntil))],
  ]
  return (
    <div className={classes.review}>
      {preview.error && (
        <Failure error={labelled(preview.error, t, compose.contacts.title)} onRetry={() => void preview.refetch()} />
      )}
      {!preview.error && !data && <Loader size="sm" />}
      {data && (
        <p className={classes.sentence}>
          {[
            t.review.sentence(format.count(data.accepted), values.cli ?? ''),
            ...(data.estimate
              ? [t.review.cost(format.rupees(data.estimate.cost), format.count(data.estimate.segments))]
              : []),
          ].join(', ')}
          {compose.review.end}
        </p>
      )}
      {data?.estimate && data.estimate.cost > data.estimate.balance && (
        <p className={classes.warning}>{t.estimate.short(format.rupees(data.estimate.balance))}</p>
      )}
      {nobody && (
        <p role="alert" className={classes.error}>
          {t.review.nobody}
        </p>
      )}
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onBack} disabled={sending}>
          {t.review.back}
        </Button>
        <Button onClick={() => void send()} loading={sending} disabled={nobody || !data} data-autofocus>
          {values.scheduled ? t.send.later : t.send.now}
        </Button>
      </div>
    </div>
  )
}
