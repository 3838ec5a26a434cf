import type { SmsOccasion } from '@ghanti/contract/after-call.ts'
import { addressFields } from '@ghanti/contract/sms-address.ts'
import { afterCallRoutes } from '@ghanti/contract/sms-tests.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { failureTexts } from '../../../components/ui/failures/failure-texts.ts'
import { serverText, useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'

type SmsTestProps = {
  /** What to send; null when something is missing, which `incomplete` names. */
  fields: Partial<Omit<InputOf<typeof afterCallRoutes.test>, 'occasion' | 'mobile'>> | null
  occasion: SmsOccasion
  incomplete?: string
}

export function SmsTest({ occasion, fields, incomplete }: SmsTestProps) {
  const { sms: t } = useTexts('compose')
  const [mobile, setMobile] = useState('')
  const test = useWrite(afterCallRoutes.test)
  const send = () => fields && test.mutate({ input: { occasion, mobile: mobile.trim(), ...fields } })
  const labels = {
    mobile: t.test.mobile,
    [addressFields[occasion]]: t.address,
    smsCli: t.sender,
    smsSuccessText: t.text,
    smsFailText: t.text,
    ...Object.fromEntries(dtmfKeys.map((key) => [`smsDtmfTexts.${key}`, t.textOfKey(key)])),
  }
  const failure = test.error && failureTexts(test.error, labels)
  return (
    <div className={classes.smsTest}>
      <TextInput
        label={t.test.mobile}
        description={fields === null ? incomplete : undefined}
        value={mobile}
        inputMode="tel"
        autoComplete="off"
        onChange={({ currentTarget }) => setMobile(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault() // it would submit the campaign's form
        }}
      />
      <Button
        variant="default"
        loading={test.isPending}
        disabled={fields === null || mobile.trim() === ''}
        onClick={send}
      >
        {t.test.button}
      </Button>
      <div aria-live="polite" className={classes.hint}>
        {failure?.helps.join('. ')}
        {!failure && test.data && t.test.states[test.data.state]}
        {!failure && test.data?.reason && ` (${serverText(test.data.reason)})`}
      </div>
    </div>
  )
}
