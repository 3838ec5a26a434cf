import { setupRoutes } from '@ghanti/contract/setups.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'

type RenameSetupProps = { setup: { setupId: number; setupName: string }; close: () => void }

const required = (value: string) => (value.trim() ? null : 'is required')

export default function RenameSetup({ setup: { setupId, setupName: before }, close }: RenameSetupProps) {
  const t = useTexts('setups')
  const [failure, setFailure] = useState<unknown>(null)
  const write = useWrite(setupRoutes.rename, [setupRoutes.list])
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { setupName: before },
    validate: { setupName: required },
  })
  const save = form.onSubmit(async ({ setupName }) => {
    setFailure(null)
    try {
      await write.mutateAsync({ input: { setupId, setupName } })
      close()
      const undo = () => write.mutateAsync({ input: { setupId, setupName: before } })
      showDone(t.renamed(setupName.trim()), undo)
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <TextField form={form} name="setupName" label={t.fields.setupName} required maxLength={100} autoComplete="off" />
      {failure !== null && <Failed error={failure} labels={t.fields} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.save.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.save.submit}
        </Button>
      </div>
    </form>
  )
}
