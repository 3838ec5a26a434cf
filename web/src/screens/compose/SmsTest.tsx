import type { SmsOccasion } from '@ghanti/contract/after-call.ts'
import { addressFields, afterCallRoutes } from '@ghanti/contract/sms-address.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'

/** Asks the address for one number now, and says what came of it. */
export function SmsTest({ occasion, address }: { occasion: SmsOccasion; address: string }) {
  const { sms: t } = useTexts('compose')
  const [mobile, setMobile] = useState('')
  const test = useWrite(afterCallRoutes.test)
  const send = () =>
    test.mutate({ input: { occasion, mobile: mobile.trim(), [addressFields[occasion]]: address.trim() } })
  const labels = { mobile: t.test.mobile, [addressFields[occasion]]: t.address }
  const failure = test.error && failureTexts(test.error, labels)
  return (
    <div className={classes.smsTest}>
      <TextInput
        label={t.test.mobile}
        value={mobile}
        inputMode="tel"
        autoComplete="off"
        onChange={({ currentTarget }) => setMobile(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault() // it would send the campaign
        }}
      />
      <Button variant="default" loading={test.isPending} disabled={mobile.trim() === ''} onClick={send}>
        {t.test.button}
      </Button>
      <div aria-live="polite" className={classes.hint}>
        {failure && (failure.details.length > 0 ? failure.details.join('. ') : failure.message)}
        {!failure && test.data && t.test.states[test.data.state]}
        {!failure && test.data?.reason && ` (${serverText(test.data.reason)})`}
      </div>
    </div>
  )
}
