import { trunkRoutes, type TrunkTest as Test } from '@ghanti/contract/trunks.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { basePath } from '../../api/base.ts'
import { call } from '../../api/client.ts'
import { jsonQuery } from '../../api/query.ts'
import { placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import { State } from './Live.tsx'

const askAgainMs = 400

/** Has the engine that holds the dialer test the trunk, and shows the outcome. `begun`: a test that has been asked for. */
export default function TrunkTest({ trunkId, begun }: { trunkId: number; begun: number | null }) {
  const { test: t } = useTexts('lines')
  const [testId, setTestId] = useState(begun)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [asking, setAsking] = useState(false)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { number: '' },
    validate: { number: (number) => (number.trim() ? null : 'is required') },
  })
  const result = useQuery({
    ...jsonQuery(trunkRoutes.testResult, { testId: testId ?? 0 }),
    enabled: testId !== null,
    refetchInterval: ({ state }) => (state.data && state.data.passed !== null ? false : askAgainMs),
  })
  const isRunning = asking || (testId !== null && (!result.data || result.data.passed === null) && !result.error)

  const ask = async (testKind: Test['testKind'], number?: string) => {
    setAsking(true)
    setRefusal(null)
    setTestId(null)
    try {
      const asked = await call(trunkRoutes.test, { trunkId, testKind, number })
      setTestId(asked.testId)
    } catch (error) {
      setRefusal(placeErrors(form, error))
    } finally {
      setAsking(false)
    }
  }
  const ring = form.onSubmit(({ number }) => ask('call', number.trim()))

  return (
    <div className={classes.test}>
      <p>{t.intro}</p>
      <div className={classes.buttons}>
        <Button variant="default" disabled={isRunning} onClick={() => void ask('ping')}>
          {t.ping}
        </Button>
      </div>
      <form className={classes.test} onSubmit={ring} noValidate>
        <TextField
          form={form}
          name="number"
          label={t.number}
          description={t.numberHint}
          required
          inputMode="tel"
          maxLength={40}
          autoComplete="off"
        />
        <div className={classes.buttons}>
          <Button type="submit" disabled={isRunning}>
            {t.call}
          </Button>
        </div>
      </form>
      <div role="status" aria-live="polite">
        {asking && <p className={classes.dim}>{t.calling}</p>}
        {result.data && <Outcome test={result.data} />}
      </div>
      {refusal !== null && <Failure error={refusal} title={t.failed} />}
      {result.error && !result.data && <Failure error={result.error} onRetry={() => void result.refetch()} />}
    </div>
  )
}

function Outcome({ test }: { test: Test }) {
  const { test: t } = useTexts('lines')
  const format = useFormat()
  const what = test.number === null ? t.ping : `${t.call} ${format.phone(test.number)}`
  if (test.passed === null) {
    const progress = test.progress ? serverText(test.progress) : test.testKind === 'ping' ? t.pinging : t.calling
    return (
      <div className={classes.result}>
        <State light="held" text={`${what}: ${progress}`} more={test.cli && t.from(format.phone(test.cli))} />
      </div>
    )
  }
  return (
    <div className={classes.result}>
      <State
        light={test.passed ? 'done' : 'problem'}
        text={`${what}: ${test.passed ? t.passed : t.failed}`}
        more={test.result}
      />
      {test.testKind === 'call' && <a href={`${basePath}/sip-messages/test/${test.testId}`}>{t.messages}</a>}
    </div>
  )
}
