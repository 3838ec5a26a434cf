import { lineRoutes, type CliRow } from '@ghanti/contract/lines.ts'
import { useForm } from '@mantine/form'
import { call } from '../../api/client.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { refreshClis } from './actions.tsx'
import { TrunkPicker } from './TrunkPicker.tsx'

type Values = { trunkName: string | null; channels: string }

export default function ChangeCli({ row, close }: { row: CliRow; close: () => void }) {
  const { change: t, fields, cancel } = useTexts('clis')
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { trunkName: row.trunkName, channels: String(row.channels) },
    validate: { channels: (channels) => (channels.trim() ? null : 'is required') },
  })
  const save = async ({ trunkName, channels }: Values) => {
    await call(lineRoutes.update, { cliId: row.cliId, trunkName: trunkName ?? undefined, channels: channels.trim() })
    await refreshClis()
    close()
  }
  return (
    <DialogForm form={form} save={save} submit={t.submit} cancel={cancel} close={close} failed={t.failed}>
      <TrunkPicker form={form} name="trunkName" label={fields.trunkName} description={t.trunkHint} clearable />
      <TextField form={form} name="channels" label={fields.channels} required {...wholeNumber} />
    </DialogForm>
  )
}
