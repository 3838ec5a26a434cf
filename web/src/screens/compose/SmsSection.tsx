import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { SmsOccasionFields } from './SmsOccasionFields.tsx'
import { composeTemplateOf } from './templates/table.ts'
import { useWatched } from './watched.ts'

/** The messages after a call (spec 1 §5), one of each occasion. */
export default function SmsSection({ form }: { form: FormOfCompose }) {
  const { sms: t } = useTexts('compose')
  const template = composeTemplateOf(useWatched(form, 'template'))
  const hasKeys = template === undefined || template.keys(form.getValues()) !== null
  return (
    <section className={classes.section} aria-labelledby="sms-title">
      <h2 id="sms-title">{t.title}</h2>
      <p className={classes.hint}>{t.hint}</p>
      <SmsOccasionFields form={form} occasion="success" />
      <SmsOccasionFields form={form} occasion="fail" />
      <SmsOccasionFields form={form} occasion="dtmf" disabledReason={hasKeys ? undefined : t.noKeys} />
    </section>
  )
}
