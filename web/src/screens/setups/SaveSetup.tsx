import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import layout from '../../components/form/Form.module.css'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'

export type SaveSetupProps = {
  name: string
  /** What the choice to keep the contact file is called; null when there is none to keep. */
  contacts: string | null
  save: (setupName: string, withContacts: boolean) => Promise<unknown>
  labels?: Readonly<Record<string, string>>
  close: () => void
}

const required = (value: string) => (value.trim() ? null : 'is required')

export default function SaveSetup({ name, contacts, save, labels = {}, close }: SaveSetupProps) {
  const { save: t, fields } = useTexts('setups')
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { setupName: name, withContacts: false },
    validate: { setupName: required },
  })
  const submit = form.onSubmit(async ({ setupName, withContacts }) => {
    setFailure(null)
    try {
      await save(setupName.trim(), withContacts)
      close()
      showDone(t.saved(setupName.trim()))
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={submit} noValidate>
      <TextField form={form} name="setupName" label={fields.setupName} required maxLength={100} autoComplete="off" />
      {contacts !== null && <CheckboxField form={form} name="withContacts" label={contacts} />}
      <p className={layout.hint}>{t.hint}</p>
      {failure !== null && <Failed error={failure} labels={{ ...labels, ...fields }} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}
