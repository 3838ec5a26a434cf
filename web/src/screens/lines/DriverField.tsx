import { dialerDrivers } from '@ghanti/contract/dialers.ts'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { useTexts } from '../../i18n/language.ts'
import type { DialerValues } from './dialer-form.ts'

export default function DriverField({ form }: { form: Form<DialerValues> }) {
  const { fields } = useTexts('lineForms')
  const common = useTexts('common')
  return (
    <SelectField
      form={form}
      name="driver"
      label={fields.driver}
      data={dialerDrivers.map((value) => ({ value, label: fields.drivers[value] }))}
      emptyText={common.form.noIdFound}
    />
  )
}
