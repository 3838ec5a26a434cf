import { smsSenderRoutes, type SenderRow } from '@ghanti/contract/sms-senders.ts'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import layout from '../../components/form/Form.module.css'
import { TextField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import {
  allOperators,
  chosenOperators,
  OperatorChoice,
  operatorsMissing,
  valuesOfOperators,
  type OperatorValues,
} from './OperatorChoice.tsx'
import { againSenders } from './sender-actions.tsx'

type ApproveProps = { rows: readonly SenderRow[]; close: () => void; keep: (ids: readonly number[]) => void }
type Refused = { row: SenderRow; why: string }

export default function ApproveSenders({ rows, close, keep }: ApproveProps) {
  const { senders: t, actions, cancel } = useTexts('smsApprovals')
  const format = useFormat()
  const [refused, setRefused] = useState<Refused[]>([])
  const [first] = rows
  const form = useForm<OperatorValues & { tps: string }>({
    mode: 'uncontrolled',
    initialValues:
      rows.length === 1 && first?.cliStatus === 1
        ? { ...valuesOfOperators(first.operators), tps: first.tps === null ? '' : String(first.tps) }
        : { ...allOperators, tps: '' },
    validate: operatorsMissing,
  })
  const approve = async (values: typeof form.values) => {
    const cliIds = rows.map(({ cliId }) => cliId)
    const { results } = await call(smsSenderRoutes.approveMany, {
      cliIds,
      operators: chosenOperators(values),
      tps: values.tps.trim() || undefined,
    }).finally(againSenders)
    const failed = rows.flatMap((row, at) => {
      const one = results[at]
      if (!one || one.status === 200) return []
      const { helps } = failureTexts(new ApiError(one.status, one.message, one.errors), t.fields)
      return [{ row, why: helps.join(' ') }]
    })
    keep(failed.map(({ row }) => row.cliId))
    setRefused(failed)
    if (failed.length > 0) return
    close()
    showDone(first && rows.length === 1 ? t.approved(first.cliName) : t.approvedMany(format.count(rows.length)))
  }
  return (
    <DialogForm
      form={form}
      save={approve}
      submit={actions.approve}
      cancel={cancel}
      close={close}
      failed={t.approveFailed}
      fields={{ operators: 'ntc' }}
    >
      <p className={layout.hint}>{t.approveHint}</p>
      <OperatorChoice form={form} label={t.fields.operators} />
      <TextField form={form} name="tps" label={t.fields.tps} description={t.tpsHint} inputMode="numeric" />
      {refused.length > 0 && (
        <ul role="alert">
          {refused.map(({ row, why }) => (
            <li key={row.cliId}>
              <strong>{row.cliName}</strong> {why}
            </li>
          ))}
        </ul>
      )}
    </DialogForm>
  )
}
