import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { useForm } from '@mantine/form'
import { call } from '../../api/client.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { againSenders } from './sender-actions.tsx'

export default function AskForSender({ close }: { close: () => void }) {
  const { senders: t, cancel } = useTexts('smsApprovals')
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { cliName: '' },
    validate: { cliName: (name) => (name.trim() ? null : 'is required') },
  })
  const ask = async ({ cliName }: typeof form.values) => {
    await call(smsSenderRoutes.ask, { cliName: cliName.trim() })
    await againSenders()
    close()
    showDone(t.asked(cliName.trim()))
  }
  return (
    <DialogForm form={form} save={ask} submit={t.submit} cancel={cancel} close={close}>
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
    </DialogForm>
  )
}
