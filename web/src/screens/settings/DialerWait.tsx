import { settingRoutes } from '@ghanti/contract/settings.ts'
import { Button, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite } from '../../api/query.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showSuccess } from '../../components/ui/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Settings.module.css'

/** How long the calls of a dialer that does not answer are waited for. */
export function DialerWait({ opened }: { opened: number }) {
  const t = useTexts('settings').dialerWait
  const save = useWrite(settingRoutes.save, [settingRoutes.read])
  const form = useForm({ mode: 'uncontrolled', initialValues: { dialerWaitMinutes: String(opened) } })
  const saveIt = async ({ dialerWaitMinutes }: { dialerWaitMinutes: string }) => {
    await save.mutateAsync({ input: { dialerWaitMinutes } })
    showSuccess(t.saved)
  }
  return (
    <form
      className={classes.form}
      onSubmit={saving(form, saveIt, { labels: { dialerWaitMinutes: t.field } })}
      noValidate
    >
      <Title order={2} size="h4">
        {t.title}
      </Title>
      <p className={classes.note}>{t.note}</p>
      <TextField form={form} name="dialerWaitMinutes" label={t.field} required {...wholeNumber} />
      <div>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
