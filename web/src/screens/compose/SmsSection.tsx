import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'

/** The messages after a call (spec 1 §5), shown with the reason why none can be asked for yet: the server would refuse them. */
export function SmsSection() {
  const { sms: t } = useTexts('compose')
  return (
    <section className={classes.section} aria-labelledby="sms-title">
      <h2 id="sms-title">{t.title}</h2>
      <p id="sms-reason" className={classes.hint}>
        {t.notYet}
      </p>
      {[t.success, t.fail, t.dtmf].map((occasion) => (
        <Checkbox key={occasion} label={occasion} disabled aria-describedby="sms-reason" />
      ))}
    </section>
  )
}
