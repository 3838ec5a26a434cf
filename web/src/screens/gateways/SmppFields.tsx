import { smsAlphabets, smsBinds, smsLongMessages } from '@ghanti/contract/sms-gateways.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import type { GatewayValues } from './gateway-form.ts'

export function SmppFields({ form, hasSecret }: { form: Form<GatewayValues>; hasSecret: boolean }) {
  const { fields, hints, sections, binds, alphabets, longs } = useTexts('gatewayForms')
  const { form: common } = useTexts('common')
  const select = { form, emptyText: common.nothingFound }
  const plain = { form, autoComplete: 'off' } as const
  return (
    <section className={layout.group} aria-labelledby="smpp">
      <div>
        <h2 id="smpp">{sections.smpp}</h2>
        <p className={layout.hint}>{sections.secret}</p>
      </div>
      <TextField {...plain} name="host" label={fields.host} required maxLength={253} />
      <TextField form={form} name="port" label={fields.port} required {...wholeNumber} />
      <TextField {...plain} name="systemId" label={fields.systemId} required maxLength={15} />
      <TextField
        form={form}
        name="password"
        label={fields.password}
        type="password"
        maxLength={64}
        autoComplete="new-password"
        {...(hasSecret ? { description: hints.kept } : {})}
      />
      <CheckboxField form={form} name="tls" label={fields.tls} />
      <TextField
        {...plain}
        name="certificate"
        label={fields.certificate}
        description={hints.certificate}
        maxLength={100}
      />
      <SelectField
        {...select}
        name="bind"
        label={fields.bind}
        data={smsBinds.map((value) => ({ value, label: binds[value] }))}
      />
      <SelectField
        {...select}
        name="alphabet"
        label={fields.alphabet}
        data={smsAlphabets.map((value) => ({ value, label: alphabets[value] }))}
      />
      <SelectField
        {...select}
        name="longMessages"
        label={fields.longMessages}
        data={smsLongMessages.map((value) => ({ value, label: longs[value] }))}
      />
      <TextField form={form} name="sourceTon" label={fields.sourceTon} description={hints.source} {...wholeNumber} />
      <TextField form={form} name="sourceNpi" label={fields.sourceNpi} description={hints.source} {...wholeNumber} />
      <TextField form={form} name="destTon" label={fields.destTon} {...wholeNumber} />
      <TextField form={form} name="destNpi" label={fields.destNpi} {...wholeNumber} />
      <TextField {...plain} name="systemType" label={fields.systemType} maxLength={12} />
      <TextField {...plain} name="serviceType" label={fields.serviceType} maxLength={5} />
    </section>
  )
}
