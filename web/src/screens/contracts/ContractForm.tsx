import { contractRoutes, type ContractRow } from '@ghanti/contract/contracts.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { useForm } from '@mantine/form'
import { call } from '../../api/client.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { refreshContracts } from './refresh.ts'

/** Numbers are kept as typed. */
type ContractValues = { contractName: string; channels: string; cps: string }

const valuesOf = (row: ContractRow | null): ContractValues =>
  row
    ? { contractName: row.contractName, channels: String(row.channels), cps: String(row.cps) }
    : { contractName: '', channels: '', cps: '' }

const required = (value: string) => (value.trim() ? null : 'is required')

/** Without a row: a new contract. */
export default function ContractForm({ row, close }: { row: ContractRow | null; close: () => void }) {
  const t = useTexts('contracts')
  const form = useForm<ContractValues>({
    mode: 'uncontrolled',
    initialValues: valuesOf(row),
    validate: { contractName: required, channels: required, cps: required },
  })
  const save = async ({ contractName, channels, cps }: ContractValues) => {
    const contract = { contractName: contractName.trim(), channels: channels.trim(), cps: cps.trim() }
    if (row) await call(contractRoutes.update, { contractId: row.contractId, ...contract })
    else await call(contractRoutes.create, contract)
    await refreshContracts()
    close()
    showDone(row ? t.updated : t.created)
  }
  return (
    <DialogForm
      form={form}
      save={save}
      submit={row ? t.update : t.create}
      cancel={t.cancel}
      close={close}
      labels={t.fields}
    >
      <TextField
        form={form}
        name="contractName"
        label={t.fields.contractName}
        required
        maxLength={nameMax}
        autoComplete="off"
      />
      <TextField
        form={form}
        name="channels"
        label={t.fields.channels}
        description={t.hints.channels}
        required
        {...wholeNumber}
      />
      <TextField form={form} name="cps" label={t.fields.cps} description={t.hints.cps} required {...wholeNumber} />
    </DialogForm>
  )
}
