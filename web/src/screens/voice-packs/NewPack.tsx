import { languages, type Language } from '@ghanti/contract/templates.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { voiceRoutes } from '@ghanti/contract/voices.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { call } from '../../api/client.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import { readAgain } from './actions.ts'
import classes from './VoicePacks.module.css'

type PackForm = { name: string; language: Language }

export default function NewPack({ onMade }: { onMade: (packId: number) => void }) {
  const t = useTexts('voicePacks')
  const common = useTexts('common')
  const form = useForm<PackForm>({
    mode: 'uncontrolled',
    initialValues: { name: '', language: 'ne' },
    validate: { name: (name) => (name.trim() ? null : 'is required') },
  })
  const save = form.onSubmit(async ({ name, language }) => {
    try {
      const { packId } = await call(voiceRoutes.create, { name: name.trim(), language })
      void readAgain()
      onMade(packId)
    } catch (error) {
      const rest = placeErrors(form, error)
      if (rest !== null) showFailure(rest)
    }
  }, focusInvalid(form))
  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <TextField
        form={form}
        name="name"
        label={t.fields.name}
        required
        maxLength={nameMax}
        autoComplete="off"
        autoFocus
      />
      <SelectField
        form={form}
        name="language"
        label={t.fields.language}
        required
        emptyText={common.form.nothingFound}
        data={languages.map((value) => ({ value, label: t.languages[value] }))}
      />
      <div>
        <Button type="submit" loading={form.submitting}>
          {t.createSubmit}
        </Button>
      </div>
    </form>
  )
}
