import { httpMethods } from '@ghanti/contract/sms-gateways.ts'
import { Button } from '@mantine/core'
import type { Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextAreaField, TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { valuesOfPreset, type GatewayValues } from './gateway-form.ts'

export function HttpFields({ form, hasSecret }: { form: Form<GatewayValues>; hasSecret: boolean }) {
  const { fields, hints, sections } = useTexts('gatewayForms')
  const { form: common } = useTexts('common')
  const plain = { form, autoComplete: 'off' } as const
  return (
    <section className={layout.group} aria-labelledby="http">
      <div>
        <h2 id="http">{sections.http}</h2>
        <p className={layout.hint}>{sections.secret}</p>
      </div>
      <div className={layout.choices}>
        <Button variant="default" onClick={() => form.setValues(valuesOfPreset('form'))}>
          {hints.preset}
        </Button>
        <Button variant="default" onClick={() => form.setValues(valuesOfPreset('kannel'))}>
          {hints.kannel}
        </Button>
      </div>
      <SelectField
        form={form}
        name="method"
        label={fields.method}
        data={[...httpMethods]}
        emptyText={common.nothingFound}
      />
      <TextField
        {...plain}
        name="url"
        label={fields.url}
        description={hints.url}
        required
        maxLength={1000}
        inputMode="url"
      />
      <TextField
        form={form}
        name="token"
        label={fields.token}
        description={hasSecret ? hints.kept : hints.token}
        type="password"
        maxLength={200}
        autoComplete="new-password"
      />
      <TextAreaField form={form} name="headers" label={fields.headers} description={hints.headers} />
      <TextAreaField form={form} name="body" label={fields.body} description={hints.body} maxLength={5000} />
      <TextField
        {...plain}
        name="success"
        label={fields.success}
        description={hints.success}
        required
        maxLength={500}
      />
      <TextField {...plain} name="messageId" label={fields.messageId} description={hints.messageId} maxLength={500} />
    </section>
  )
}
