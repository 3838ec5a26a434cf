import { settingRoutes } from '@ghanti/contract/settings.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite } from '../../api/query.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showSuccess } from '../../components/ui/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Settings.module.css'

type Caps = ReplyOf<typeof settingRoutes.read>['numberCaps']
const names = ['answered', 'attempted', 'platform'] as const satisfies readonly (keyof Caps)[]
const fields = {
  'numberCaps.answered': 'answered',
  'numberCaps.attempted': 'attempted',
  'numberCaps.platform': 'platform',
} as const

/** How often one number may be called on one day. */
export function NumberCaps({ opened }: { opened: Caps }) {
  const t = useTexts('settings').numberCaps
  const save = useWrite(settingRoutes.save, [settingRoutes.read])
  const { answered, attempted, platform } = opened
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { answered: String(answered), attempted: String(attempted), platform: String(platform) },
  })
  const labels = {
    'numberCaps.answered': t.fields.answered,
    'numberCaps.attempted': t.fields.attempted,
    'numberCaps.platform': t.fields.platform,
  }
  const saveIt = async (values: Record<keyof Caps, string>) => {
    await save.mutateAsync({ input: { numberCaps: values } })
    showSuccess(t.saved)
  }
  return (
    <form className={classes.form} onSubmit={saving(form, saveIt, { labels, fields })} noValidate>
      <Title order={2} size="h4">
        {t.title}
      </Title>
      <p className={classes.note}>{t.note}</p>
      {names.map((name) => (
        <TextField key={name} form={form} name={name} label={t.fields[name]} required {...wholeNumber} />
      ))}
      <div>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
