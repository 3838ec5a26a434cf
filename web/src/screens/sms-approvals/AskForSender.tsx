import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import layout from '../../components/form/Form.module.css'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/Failure.tsx'
import { showDone } from '../../components/ui/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { againSenders } from './sender-actions.tsx'

export default function AskForSender({ close }: { close: () => void }) {
  const { senders: t, cancel } = useTexts('smsApprovals')
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { cliName: '' },
    validate: { cliName: (name) => (name.trim() ? null : 'is required') },
  })
  const ask = form.onSubmit(async ({ cliName }) => {
    setFailure(null)
    try {
      await call(smsSenderRoutes.ask, { cliName: cliName.trim() })
      await againSenders()
      close()
      showDone(t.asked(cliName.trim()))
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={ask} noValidate>
      <TextField
        form={form}
        name="cliName"
        label={t.fields.cliName}
        description={t.hint}
        required
        maxLength={40}
        autoComplete="off"
        autoFocus
      />
      {failure !== null && <Failure error={failure} />}
      <div className={layout.buttons}>
        <Button type="submit" loading={form.submitting}>
          {t.submit}
        </Button>
        <Button variant="default" onClick={close}>
          {cancel}
        </Button>
      </div>
    </form>
  )
}
