import type { SmsOccasion } from '@ghanti/contract/after-call.ts'
import { addressFields, answeredSecondsMax, phonePlace } from '@ghanti/contract/sms-address.ts'
import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { CheckboxField } from '../../../components/form/CheckboxField.tsx'
import { Segments } from '../../../components/form/Segments.tsx'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { TextField } from '../../../components/form/TextField.tsx'
import { late } from '../../../components/ui/loading/late.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import type { CallTextsProps } from './CallTexts.tsx'
import classes from '../Compose.module.css'
import type { FormOfCompose } from '../form.ts'
import { smsFieldsOf } from './sms-form.ts'
import { SmsTest } from './SmsTest.tsx'
import { useWatched } from '../use-watched.ts'

const seconds = Array.from({ length: answeredSecondsMax }, (_, index) => String(index + 1))

const CallTexts = late(async () => {
  const [part] = await Promise.all([import('./CallTexts.tsx'), loadTexts('smsCompose')])
  return part
})

type SmsOccasionProps = CallTextsProps & { disabledReason?: string | undefined }

export function SmsOccasionFields({ disabledReason, ...props }: SmsOccasionProps) {
  const { form, occasion } = props
  const { tick, by } = smsFieldsOf[occasion]
  const { sms: t } = useTexts('compose')
  const format = useFormat()
  const isTicked = useWatched(form, tick) && disabledReason === undefined
  const way = useWatched(form, by)
  return (
    <div className={classes.occasion}>
      <CheckboxField
        form={form}
        name={tick}
        label={t[occasion]}
        description={disabledReason ?? t.when[occasion]}
        disabled={disabledReason !== undefined}
      />
      {isTicked && occasion === 'success' && (
        <SelectField
          form={form}
          name="callDurationSMS"
          label={t.seconds}
          data={seconds.map((value) => ({ value, label: format.digits(value) }))}
          emptyText=""
        />
      )}
      {isTicked && (
        <>
          <Segments
            label={`${t[occasion]}: ${t.way}`}
            value={way}
            onChange={(chosen) => form.setFieldValue(by, chosen)}
            data={(['address', 'text'] as const).map((value) => ({ value, label: t.ways[value] }))}
            className={classes.ways}
          />
          {way === 'address' ? (
            <Address form={form} occasion={occasion} />
          ) : (
            <Suspense fallback={<div className={classes.picker} aria-busy />}>
              <CallTexts {...props} />
            </Suspense>
          )}
        </>
      )}
    </div>
  )
}

function Address({ form, occasion }: { form: FormOfCompose; occasion: SmsOccasion }) {
  const { sms: t } = useTexts('compose')
  const name = addressFields[occasion]
  const address = useWatched(form, name)
  const withPlace = address.replace(/(?<!\d)9\d{9}(?!\d)/, phonePlace)
  const canReplace = !address.includes(phonePlace) && withPlace !== address
  return (
    <>
      <TextField
        form={form}
        name={name}
        label={`${t[occasion]}: ${t.address}`}
        description={t.addressHint}
        placeholder="https://sms.example.com/send?to={PHONE}"
        autoComplete="off"
        required
      />
      {canReplace && (
        <Button variant="light" size="xs" className={classes.ways} onClick={() => form.setFieldValue(name, withPlace)}>
          {t.replace}
        </Button>
      )}
      <SmsTest occasion={occasion} fields={{ [name]: address.trim() }} />
    </>
  )
}
