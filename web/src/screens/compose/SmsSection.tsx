import { callDurationSmsMax } from '@ghanti/contract/templates.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { SelectField } from '../../components/form/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { withPlaceholder } from './sms-address.ts'
import { composeTemplateOf } from './templates/table.ts'
import { useWatched } from './watched.ts'

/** One address for each occasion, each behind its tick. */
export function SmsSection({ form }: { form: FormOfCompose }) {
  const { sms: t, templates } = useTexts('compose')
  const format = useFormat()
  const template = composeTemplateOf(useWatched(form, 'template'))
  const withoutKeys = template?.keys(form.getValues()) === null ? template : undefined
  const seconds = Array.from({ length: callDurationSmsMax }, (_, index) => index + 1)
  return (
    <section className={classes.section} aria-labelledby="sms-title">
      <h2 id="sms-title">{t.title}</h2>
      <SmsOption form={form} tick="smsOnSuccess" label={t.success} url="smsSuccessUrl" urlLabel={t.successUrl}>
        <SelectField
          form={form}
          name="smsSeconds"
          label={t.seconds}
          description={t.secondsHint}
          data={seconds.map((value) => ({ value: String(value), label: format.count(value) }))}
          emptyText=""
        />
      </SmsOption>
      <SmsOption form={form} tick="smsOnFail" label={t.fail} url="smsFailUrl" urlLabel={t.failUrl} />
      <SmsOption
        form={form}
        tick="smsOnDtmf"
        label={t.dtmf}
        url="smsDtmfUrl"
        urlLabel={t.dtmfUrl}
        {...(withoutKeys ? { disabledReason: t.noKeys(templates[withoutKeys.id]?.label ?? '') } : {})}
      />
    </section>
  )
}

type SmsOptionProps = {
  form: FormOfCompose
  tick: 'smsOnSuccess' | 'smsOnFail' | 'smsOnDtmf'
  label: string
  url: 'smsSuccessUrl' | 'smsFailUrl' | 'smsDtmfUrl'
  urlLabel: string
  disabledReason?: string
  children?: ReactNode
}

function SmsOption({ form, tick, label, url, urlLabel, disabledReason, children }: SmsOptionProps) {
  const { sms: t } = useTexts('compose')
  const on = useWatched(form, tick)
  const insert = () => {
    const replaced = withPlaceholder(form.getValues()[url])
    if (replaced === null) form.setFieldError(url, t.noNumber)
    else form.setFieldValue(url, replaced)
  }
  return (
    <>
      <CheckboxField
        form={form}
        name={tick}
        label={label}
        disabled={disabledReason !== undefined}
        description={disabledReason}
      />
      {on && disabledReason === undefined && (
        <div className={classes.ticked}>
          <TextField
            form={form}
            name={url}
            label={urlLabel}
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
          {children}
        </div>
      )}
    </>
  )
}
