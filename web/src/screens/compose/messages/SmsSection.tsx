import { smsOccasions } from '@ghanti/contract/after-call.ts'
import { Suspense } from 'react'
import { late } from '../../../components/ui/loading/late.tsx'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import type { FormOfCompose } from '../form.ts'
import { wayOf } from './sms-form.ts'
import { SmsOccasionFields } from './SmsOccasionFields.tsx'
import { composeTemplateOf } from '../templates/table.ts'
import { useWatched } from '../use-watched.ts'

const SenderField = late(async () => {
  const [part] = await Promise.all([import('../../sms-campaigns/compose/SenderField.tsx'), loadTexts('smsCompose')])
  return part
})

type SmsSectionProps = {
  form: FormOfCompose
  /** The chosen file's; null without one. */
  columns: readonly string[] | null
  /** Rupees per segment, once the estimate has it. */
  perSegment: number | null
}

/** Messages after calls, one per occasion (specification 1 §5). */
export function SmsSection({ form, columns, perSegment }: SmsSectionProps) {
  const { sms: t } = useTexts('compose')
  const template = composeTemplateOf(useWatched(form, 'template'))
  const hasKeys = template === undefined || template.keys(form.getValues()) !== null
  const hasText = useHasText(form)
  const texts = { columns, perSegment }
  return (
    <section className={classes.section} aria-labelledby="sms-title">
      <h3 id="sms-title">{t.title}</h3>
      <p className={classes.hint}>{t.hint}</p>
      <SmsOccasionFields form={form} occasion="success" {...texts} />
      <SmsOccasionFields form={form} occasion="fail" {...texts} />
      <SmsOccasionFields form={form} occasion="dtmf" {...texts} disabledReason={hasKeys ? undefined : t.noKeys} />
      {hasText && (
        <Suspense fallback={<div className={classes.picker} aria-busy />}>
          <SenderField form={form} name="smsCli" />
          <p className={classes.hint}>{t.senderHint}</p>
        </Suspense>
      )}
    </section>
  )
}

function useHasText(form: FormOfCompose): boolean {
  useWatched(form, 'smsSuccess')
  useWatched(form, 'smsFail')
  useWatched(form, 'smsDtmf')
  useWatched(form, 'smsSuccessBy')
  useWatched(form, 'smsFailBy')
  useWatched(form, 'smsDtmfBy')
  const values = form.getValues()
  return smsOccasions.some((occasion) => wayOf(values, occasion) === 'text')
}
