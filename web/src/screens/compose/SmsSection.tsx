import { Loader } from '@mantine/core'
import { lazy, Suspense, type ReactNode } from 'react'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { composeTemplateOf } from './templates/table.ts'
import { useWatched } from './watched.ts'

const SmsFields = lazy(() => import('./SmsFields.tsx'))

/** One address for each occasion, each behind its tick. */
export function SmsSection({ form }: { form: FormOfCompose }) {
  const { sms: t, templates } = useTexts('compose')
  const template = composeTemplateOf(useWatched(form, 'template'))
  const withoutKeys = template?.keys(form.getValues()) === null ? template : undefined
  return (
    <section className={classes.section} aria-labelledby="sms-title">
      <h2 id="sms-title">{t.title}</h2>
      <SmsOption form={form} tick="smsOnSuccess" label={t.success}>
        <SmsFields form={form} url="smsSuccessUrl" label={t.successUrl} seconds />
      </SmsOption>
      <SmsOption form={form} tick="smsOnFail" label={t.fail}>
        <SmsFields form={form} url="smsFailUrl" label={t.failUrl} />
      </SmsOption>
      <SmsOption
        form={form}
        tick="smsOnDtmf"
        label={t.dtmf}
        {...(withoutKeys ? { disabledReason: t.noKeys(templates[withoutKeys.id]?.label ?? '') } : {})}
      >
        <SmsFields form={form} url="smsDtmfUrl" label={t.dtmfUrl} />
      </SmsOption>
    </section>
  )
}

type SmsOptionProps = {
  form: FormOfCompose
  tick: 'smsOnSuccess' | 'smsOnFail' | 'smsOnDtmf'
  label: string
  disabledReason?: string
  children: ReactNode
}

function SmsOption({ form, tick, label, disabledReason, children }: SmsOptionProps) {
  const on = useWatched(form, tick)
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
          <Suspense fallback={<Loader size="sm" />}>{children}</Suspense>
        </div>
      )}
    </>
  )
}
