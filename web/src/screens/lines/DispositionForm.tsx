import layout from '../../components/form/Form.module.css'
import { codeMeanings, trunkDispositionRoutes, trunkSigns } from '@ghanti/contract/trunk-dispositions.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import { wholeNumber } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'

type Values = {
  sipStatus: string
  q850Cause: string
  disposition: (typeof codeMeanings)[number]
  sign: (typeof trunkSigns)[number]
}
const blank: Values = { sipStatus: '', q850Cause: '', disposition: 'INVALID', sign: 'good' }
const orNone = (text: string) => text.trim() || undefined

export default function DispositionForm({ trunkId }: { trunkId: number }) {
  const { codes } = useTexts('lineForms')
  const common = useTexts('common')
  const emptyText = common.form.nothingFound
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues: blank })
  const save = async ({ sipStatus, q850Cause, ...means }: Values) => {
    await call(trunkDispositionRoutes.add, {
      trunkId,
      sipStatus: orNone(sipStatus),
      q850Cause: orNone(q850Cause),
      ...means,
    })
    await refresh(trunkDispositionRoutes.list)
    form.reset()
  }
  const { sipStatus, q850Cause, disposition, sign } = codes.fields
  const labels = { sipStatus, q850Cause, disposition, sign }
  return (
    <form className={layout.form} onSubmit={saving(form, save, { labels, summed: true })} noValidate>
      <div className={layout.fields}>
        <TextField form={form} name="sipStatus" label={sipStatus} description={codes.sipStatusHint} {...wholeNumber} />
        <TextField form={form} name="q850Cause" label={q850Cause} description={codes.q850CauseHint} {...wholeNumber} />
      </div>
      <div className={layout.fields}>
        <SelectField
          form={form}
          name="disposition"
          label={disposition}
          data={codeMeanings.map((value) => ({ value, label: codes.meanings[value] }))}
          emptyText={emptyText}
        />
        <SelectField
          form={form}
          name="sign"
          label={sign}
          data={trunkSigns.map((value) => ({ value, label: codes.signs[value] }))}
          emptyText={emptyText}
        />
      </div>
      <ErrorSummary form={form} labels={labels} />
      <div className={layout.buttons}>
        <Button type="submit" loading={form.submitting}>
          {codes.add}
        </Button>
      </div>
    </form>
  )
}
