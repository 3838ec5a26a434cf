import type { GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link } from 'react-router'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import layout from '../../components/form/Form.module.css'
import { saving } from '../../components/form/server-errors.ts'
import { formNames, labelsFor } from '../../components/form/typed/typed-fields.ts'
import { useTexts } from '../../i18n/language.ts'
import { gatewayFields, gatewayRules, valuesOfPreset, type GatewayValues } from './gateway-form.ts'
import { GatewayPart, GatewayRows } from './GatewayRows.tsx'

type GatewayFormProps = {
  initial: GatewayValues
  /** Null while it is being created. */
  gateway: GatewayDetail | null
  submit: string
  /** Rejects with the server's error. */
  onSave: (values: GatewayValues) => Promise<unknown>
}

export default function GatewayForm({ initial, gateway, submit, onSave }: GatewayFormProps) {
  const { fields, hints, cancel } = useTexts('gatewayForms')
  const [driver, setDriver] = useState(initial.driver)
  const form = useForm<GatewayValues>({ mode: 'uncontrolled', initialValues: initial, validate: gatewayRules })
  form.watch('driver', ({ value }) => setDriver(value))
  const labels = labelsFor(gatewayFields, fields)
  const rows = { form, gateway }
  return (
    <form
      className={layout.form}
      onSubmit={saving(form, onSave, { labels, fields: formNames(gatewayFields), summed: true })}
      noValidate
    >
      <GatewayRows {...rows} />
      {driver === 'smpp' && <GatewayPart part="smpp" {...rows} />}
      {driver === 'http' && (
        <>
          <GatewayPart part="http" {...rows}>
            <div className={layout.choices}>
              <Button variant="default" onClick={() => form.setValues(valuesOfPreset('form'))}>
                {hints.preset}
              </Button>
              <Button variant="default" onClick={() => form.setValues(valuesOfPreset('kannel'))}>
                {hints.kannel}
              </Button>
            </div>
          </GatewayPart>
          <GatewayPart part="callback" hint={hints.callback(gateway ? String(gateway.gatewayId) : '…')} {...rows}>
            <p className={layout.hint}>{hints.parameters}</p>
          </GatewayPart>
        </>
      )}
      <ErrorSummary form={form} labels={labels} />
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
