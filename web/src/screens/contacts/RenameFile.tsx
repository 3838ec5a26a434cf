import layout from '../../components/form/Form.module.css'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './ContactFiles.module.css'

type RenameFileProps = { file: { baseId: number; baseName: string }; close: () => void }

const required = (value: string) => (value.trim() ? null : 'is required')

export default function RenameFile({ file, close }: RenameFileProps) {
  const t = useTexts('contactFiles')
  const [failure, setFailure] = useState<unknown>(null)
  const write = useWrite(contactRoutes.update, [contactRoutes.bases, contactRoutes.detail])
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { baseName: file.baseName },
    validate: { baseName: required },
  })
  const save = form.onSubmit(async ({ baseName }) => {
    setFailure(null)
    try {
      await write.mutateAsync({ input: { baseId: file.baseId, baseName } })
      close()
      const undo = () => write.mutateAsync({ input: { baseId: file.baseId, baseName: file.baseName } })
      showDone(t.renamed(baseName.trim()), undo)
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <TextField form={form} name="baseName" label={t.fields.baseName} required maxLength={100} autoComplete="off" />
      {failure !== null && (
        <p className={classes.bad} role="alert">
          {failureTexts(failure, t.fields).helps.join(' ')}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
