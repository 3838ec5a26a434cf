import { smsDrivers, type GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link } from 'react-router'
import { wholeNumber } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { CallbackFields } from './CallbackFields.tsx'
import { gatewayFields, unknownCharges, type GatewayValues } from './gateway-form.ts'
import { HttpFields } from './HttpFields.tsx'
import { SmppFields } from './SmppFields.tsx'

type GatewayFormProps = {
  initial: GatewayValues
  /** Null while it is being created. */
  gateway: GatewayDetail | null
  submit: string
  /** Rejects with the server's error. */
  onSave: (values: GatewayValues) => Promise<unknown>
}
const required = (value: string | null) => (value?.trim() ? null : 'is required')

export default function GatewayForm({ initial, gateway, submit, onSave }: GatewayFormProps) {
  const { drivers } = useTexts('gateways')
  const { fields, charges, cancel } = useTexts('gatewayForms')
  const common = useTexts('common')
  const [driver, setDriver] = useState(initial.driver)
  const form = useForm<GatewayValues>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: { gatewayName: required, driver: required, tps: required },
  })
  form.watch('driver', ({ value }) => setDriver(value))
  const hasSecret = gateway?.hasSecret ?? false
  const wireLabels = Object.fromEntries(Object.entries(gatewayFields).map(([wire, field]) => [wire, fields[field]]))
  return (
    <form
      className={layout.form}
      onSubmit={saving(form, onSave, { labels: { ...fields, ...wireLabels }, fields: gatewayFields })}
      noValidate
    >
      <TextField
        form={form}
        name="gatewayName"
        label={fields.gatewayName}
        required
        maxLength={100}
        autoComplete="off"
      />
      <SelectField
        form={form}
        name="driver"
        label={fields.driver}
        required
        data={smsDrivers.map((value) => ({ value, label: drivers[value] }))}
        emptyText={common.form.nothingFound}
      />
      <TextField form={form} name="tps" label={fields.tps} required {...wholeNumber} />
      <TextField form={form} name="window" label={fields.window} {...wholeNumber} />
      <SelectField
        form={form}
        name="unknownCharged"
        label={fields.unknownCharged}
        data={unknownCharges.map((value) => ({ value, label: charges[value] }))}
        emptyText={common.form.nothingFound}
      />
      {driver === 'smpp' && <SmppFields form={form} hasSecret={hasSecret} />}
      {driver === 'http' && <HttpFields form={form} hasSecret={hasSecret} />}
      {driver === 'http' && <CallbackFields form={form} gateway={gateway} />}
      <div className={layout.buttons}>
        <Button variant="default" component={Link} to="/gateway-list">
          {cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
