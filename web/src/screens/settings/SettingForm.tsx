import layout from '../../components/form/Form.module.css'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { SentOf } from '../../api/client.ts'
import { useWrite } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import classes from './Settings.module.css'

type SettingFormProps<Values extends Record<string, string | boolean>> = {
  texts: { title: string; note: string; save: string; saved: string }
  initial: Values
  /** The screen's labels and the form's fields, by wire name. */
  labels: Readonly<Record<string, string>>
  fields: Readonly<Record<string, keyof Values & string>>
  inputOf: (values: Values) => SentOf<typeof settingRoutes.save>
  beyond?: ReactNode
  children: (form: Form<Values>) => ReactNode
}

/** One platform setting, saved on its own. The parent passes a key derived from what was loaded. */
export function SettingForm<Values extends Record<string, string | boolean>>(props: SettingFormProps<Values>) {
  const { texts: t, initial, labels, fields, inputOf, beyond, children } = props
  const save = useWrite(settingRoutes.save, [settingRoutes.read])
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues: initial })
  const saveIt = async (values: Values) => {
    await save.mutateAsync({ input: inputOf(values) })
    showDone(t.saved)
  }
  return (
    <form className={layout.form} onSubmit={saving(form, saveIt, { labels, fields })} noValidate>
      <h2 className={layout.heading}>{t.title}</h2>
      <p className={classes.note}>{t.note}</p>
      {beyond}
      {children(form)}
      <div>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
