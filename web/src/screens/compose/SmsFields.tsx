import { callDurationSmsMax } from '@ghanti/contract/templates.ts'
import { Button } from '@mantine/core'
import { SelectField } from '../../components/form/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { FormOfCompose } from './form.ts'
import { withPlaceholder } from './sms-address.ts'

type SmsFieldsProps = {
  form: FormOfCompose
  url: 'smsSuccessUrl' | 'smsFailUrl' | 'smsDtmfUrl'
  label: string
  /** Also asks from how many seconds on. */
  seconds?: boolean
}

/** What one occasion asks for once it is ticked. */
export default function SmsFields({ form, url, label, seconds = false }: SmsFieldsProps) {
  const { sms: t } = useTexts('compose')
  const format = useFormat()
  const insert = () => {
    const replaced = withPlaceholder(form.getValues()[url])
    if (replaced === null) form.setFieldError(url, t.noNumber)
    else form.setFieldValue(url, replaced)
  }
  return (
    <>
      <TextField
        form={form}
        name={url}
        label={label}
        description={t.hint}
        required
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
      />
      <div>
        <Button variant="default" size="xs" onClick={insert}>
          {t.insert}
        </Button>
      </div>
      {seconds && (
        <SelectField
          form={form}
          name="smsSeconds"
          label={t.seconds}
          description={t.secondsHint}
          data={Array.from({ length: callDurationSmsMax }, (_, at) => ({
            value: String(at + 1),
            label: format.count(at + 1),
          }))}
          emptyText=""
        />
      )}
    </>
  )
}
