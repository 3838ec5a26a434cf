import type { GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
import type { Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import type { GatewayValues } from './gateway-form.ts'

type CallbackFieldsProps = { form: Form<GatewayValues>; gateway: GatewayDetail | null }

export function CallbackFields({ form, gateway }: CallbackFieldsProps) {
  const { fields, hints, sections } = useTexts('gatewayForms')
  const name = { form, autoComplete: 'off', maxLength: 200 } as const
  const values = { form, autoComplete: 'off', description: hints.values } as const
  return (
    <section className={layout.group} aria-labelledby="callback">
      <div>
        <h2 id="callback">{sections.callback}</h2>
        <p className={layout.hint}>{hints.callback(gateway === null ? '…' : String(gateway.gatewayId))}</p>
        <p className={layout.hint}>{hints.parameters}</p>
      </div>
      <TextField
        form={form}
        name="receiptSecret"
        label={fields.receiptSecret}
        description={gateway?.hasReceiptSecret ? hints.kept : hints.receiptSecret}
        type="password"
        maxLength={200}
        autoComplete="new-password"
      />
      <TextField {...name} name="receiptId" label={fields.receiptId} />
      <TextField {...name} name="receiptStatus" label={fields.receiptStatus} />
      <TextField {...values} name="receiptDelivered" label={fields.receiptDelivered} />
      <TextField {...values} name="receiptFailed" label={fields.receiptFailed} />
      <TextField {...values} name="receiptPending" label={fields.receiptPending} description={hints.pending} />
      <TextField {...name} name="incomingFrom" label={fields.incomingFrom} />
      <TextField {...name} name="incomingTo" label={fields.incomingTo} />
      <TextField {...name} name="incomingText" label={fields.incomingText} />
    </section>
  )
}
