import { smsGatewayRoutes, type GatewayTest as Test } from '@ghanti/contract/sms-gateways.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery } from '../../api/query.ts'
import { placeErrors } from '../../components/form/server-errors.ts'
import { TextAreaField, TextField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import { serverText, useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'

const askAgainMs = 400
const required = (value: string) => (value.trim() ? null : 'is required')
const lights: Record<Test['deliveryStatus'], StatusKind> = {
  Waiting: 'neutral',
  Submitted: 'running',
  Delivered: 'done',
  Failed: 'problem',
  Expired: 'problem',
  Unknown: 'problem',
}

export default function GatewayTest({ gatewayId }: { gatewayId: number }) {
  const { test: t } = useTexts('gateways')
  const [testId, setTestId] = useState<number | null>(null)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [asking, setAsking] = useState(false)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { mobile: '', cliName: '', smsText: t.text },
    validate: { mobile: required, smsText: required },
  })
  const result = useQuery({
    ...jsonQuery(smsGatewayRoutes.testResult, { testId: testId ?? 0 }),
    enabled: testId !== null,
    refetchInterval: ({ state }) => (state.data?.isOver ? false : askAgainMs),
  })
  const { data } = result
  const isRunning = asking || (testId !== null && !result.error && (!data || data.deliveryStatus === 'Waiting'))

  const ask = async (
    testKind: Test['testKind'],
    said: { mobile?: string; smsText?: string; cliName?: string } = {},
  ) => {
    setAsking(true)
    setRefusal(null)
    setTestId(null)
    try {
      const asked = await call(smsGatewayRoutes.test, { gatewayId, testKind, ...said })
      setTestId(asked.testId)
    } catch (error) {
      setRefusal(placeErrors(form, error))
    } finally {
      setAsking(false)
    }
  }
  const send = form.onSubmit((said) => ask('message', said))
  return (
    <div className={lines.test}>
      <p>{t.intro}</p>
      <div className={lines.buttons}>
        <Button variant="default" disabled={isRunning} onClick={() => void ask('ping')}>
          {t.ping}
        </Button>
      </div>
      <form className={lines.test} onSubmit={send} noValidate>
        <TextField form={form} name="mobile" label={t.fields.mobile} required inputMode="tel" maxLength={40} />
        <TextField form={form} name="cliName" label={t.fields.cliName} maxLength={20} autoComplete="off" />
        <TextAreaField form={form} name="smsText" label={t.fields.smsText} required maxLength={1000} />
        <div className={lines.buttons}>
          <Button type="submit" disabled={isRunning}>
            {t.send}
          </Button>
        </div>
      </form>
      <div role="status" aria-live="polite">
        {asking && <p className={lines.dim}>{t.waiting}</p>}
        {data && (
          <div className={lines.result}>
            <Status is={lights[data.deliveryStatus]}>{t.statuses[data.deliveryStatus]}</Status>
            {data.reason && <span className={lines.more}>{serverText(data.reason)}</span>}
          </div>
        )}
      </div>
      {refusal !== null && <Failure error={refusal} title={t.failed} />}
      {result.error && !data && <Failure error={result.error} onRetry={() => void result.refetch()} />}
    </div>
  )
}
