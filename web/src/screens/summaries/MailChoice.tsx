import type { ReplyOf } from '@ghanti/contract/route.ts'
import { summaryFormats, summaryMailRoutes } from '@ghanti/contract/summary-mails.ts'
import { calendars, languages } from '@ghanti/contract/templates.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite, type Sent } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useCalendar } from '../../i18n/chosen-calendar.ts'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import classes from './ReportsByMail.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
type Choice = Sent<typeof summaryMailRoutes.save>['input']
type Values = Pick<Choice, 'onCompletion' | 'formats' | 'language' | 'calendar'> & { dailyHour: string }

/** When summaries are mailed, and in which form. Until something is saved, language and calendar are the viewer's own. */
export function MailChoice({ stored }: { stored: ReplyOf<typeof summaryMailRoutes.read> }) {
  const { choice: t, fields } = useTexts('summaryMails')
  const format = useFormat()
  const reading = { language: useLanguage(), calendar: useCalendar() }
  const save = useWrite(summaryMailRoutes.save, [summaryMailRoutes.read])
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: {
      dailyHour: stored.dailyHour === null ? '' : String(stored.dailyHour),
      onCompletion: stored.onCompletion,
      formats: stored.formats,
      language: stored.language ?? reading.language,
      calendar: stored.calendar ?? reading.calendar,
    },
  })
  const saveIt = async ({ dailyHour, ...chosen }: Values) => {
    await save.mutateAsync({ input: { ...chosen, ...(dailyHour !== '' && { dailyHour }) } })
    showDone(t.saved)
  }
  const select = (name: 'dailyHour' | 'formats' | 'language' | 'calendar') => ({
    ...form.getInputProps(name),
    name,
  })
  return (
    <section className={classes.section} aria-labelledby="mail-choice">
      <h2 id="mail-choice">{t.title}</h2>
      <form className={layout.form} onSubmit={saving(form, saveIt, { labels: fields })} noValidate>
        <CheckboxField form={form} name="onCompletion" label={t.onCompletion} />
        <NativeSelect
          key={form.key('dailyHour')}
          {...select('dailyHour')}
          label={t.daily}
          description={t.dailyHint}
          data={[
            { value: '', label: t.never },
            ...hours.map((hour) => ({
              value: String(hour),
              label: t.at(format.digits(`${String(hour).padStart(2, '0')}:00`)),
            })),
          ]}
        />
        <NativeSelect
          key={form.key('formats')}
          {...select('formats')}
          label={t.formats}
          data={summaryFormats.map((value) => ({ value, label: t.formatsOf[value] }))}
        />
        <NativeSelect
          key={form.key('language')}
          {...select('language')}
          label={t.language}
          data={languages.map((value) => ({ value, label: t.languages[value] }))}
        />
        <NativeSelect
          key={form.key('calendar')}
          {...select('calendar')}
          label={t.calendar}
          data={calendars.map((value) => ({ value, label: t.calendars[value] }))}
        />
        <div className={layout.buttons}>
          <Button type="submit" loading={form.submitting}>
            {t.save}
          </Button>
        </div>
      </form>
    </section>
  )
}
