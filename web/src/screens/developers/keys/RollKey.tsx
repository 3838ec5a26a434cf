import { keyRoutes, type KeyRow } from '@ghanti/contract/keys.ts'
import { useForm } from '@mantine/form'
import { call } from '../../../api/client.ts'
import { DialogForm } from '../../../components/form/DialogForm.tsx'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useKeyTexts } from './texts.ts'

const choices = [0, 1, 24, 72, 168]

type RollKeyProps = { row: Pick<KeyRow, 'keyId'>; made: (key: string) => void; close: () => void }

export function RollKey({ row: { keyId }, made, close }: RollKeyProps) {
  const t = useKeyTexts()
  const { nothingFound } = useTexts('common').form
  const format = useFormat()
  const form = useForm({ mode: 'uncontrolled', initialValues: { overlapHours: '24' } })
  const save = async ({ overlapHours }: { overlapHours: string }) => {
    const { key } = await call(keyRoutes.roll, { keyId, overlapHours: Number(overlapHours) })
    made(key)
  }
  return (
    <DialogForm form={form} save={save} submit={t.rollSubmit} cancel={t.cancel} close={close} failed={t.rollFailed}>
      <p>{t.rollHint}</p>
      <SelectField
        form={form}
        name="overlapHours"
        label={t.fields.overlapHours}
        required
        data={choices.map((hours) => ({ value: String(hours), label: t.hours(hours, format.count(hours)) }))}
        emptyText={nothingFound}
      />
    </DialogForm>
  )
}
