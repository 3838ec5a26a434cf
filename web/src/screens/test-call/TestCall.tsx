import { testCallRoutes, testNumbersMax } from '@ghanti/contract/test-calls.ts'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useWrite } from '../../api/query.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Progress } from './Progress.tsx'
import { Refused } from './Refused.tsx'
import classes from './TestCall.module.css'
import { numbersOf, type Tested } from './tested.ts'

type TestCallProps = { tested: Tested; onClose: () => void }

/** Which numbers, and what it may cost; then what happens. */
export default function TestCall({ tested, onClose }: TestCallProps) {
  const [testId, setTestId] = useState<number | null>(null)
  return testId === null ? (
    <Ask tested={tested} onClose={onClose} onBegun={setTestId} />
  ) : (
    <Progress testId={testId} onAgain={() => setTestId(null)} />
  )
}

function Ask({ tested, onClose, onBegun }: TestCallProps & { onBegun: (testId: number) => void }) {
  const t = useTexts('testCall')
  const { dialog } = useTexts('common')
  const [written, setWritten] = useState('')
  const [row, setRow] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const composed = useWrite(testCallRoutes.composed)
  const ofCampaign = useWrite(testCallRoutes.ofCampaign)
  const busy = composed.isPending || ofCampaign.isPending
  const numbers = numbersOf(written)
  const failed = composed.error ?? ofCampaign.error
  const named = numbers.map((number, index) => [`numbers.${index}`, number])
  const labels = { ...tested.labels, numbers: t.numbers, row: t.row, ...Object.fromEntries(named) }

  const begin = async (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = numbers.length === 0 ? t.numbersMissing : numbers.length > testNumbersMax ? t.numbersMany : null
    setProblem(wrong)
    if (wrong !== null || busy) return
    const whom = { numbers, ...(row.trim() !== '' && { row: row.trim() }) }
    const { source } = tested
    const begun = await (
      'campaignId' in source
        ? ofCampaign.mutateAsync({ input: { campaignId: source.campaignId, ...whom } })
        : composed.mutateAsync({ input: { ...source.body, ...whom } })
    ).catch(() => null) // shown below
    if (begun) onBegun(begun.testId)
  }
  return (
    <form onSubmit={(event) => void begin(event)} noValidate className={classes.ask}>
      <Cost tested={tested} numbers={Math.min(testNumbersMax, Math.max(1, numbers.length))} />
      <Textarea
        label={t.numbers}
        description={t.numbersHint}
        withAsterisk
        rows={3}
        value={written}
        error={problem}
        inputMode="tel"
        data-autofocus
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <TextInput
        label={t.row}
        description={t.rowHint}
        inputMode="numeric"
        value={row}
        onChange={(event) => setRow(event.currentTarget.value)}
      />
      {failed && <Refused error={failed} labels={labels} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} disabled={busy}>
          {dialog.cancel}
        </Button>
        <Button type="submit" loading={busy}>
          {t.call}
        </Button>
      </div>
    </form>
  )
}

function Cost({ tested: { cli, prices }, numbers }: { tested: Tested; numbers: number }) {
  const t = useTexts('testCall')
  const format = useFormat()
  const { oneCallAtMost, perAgentMinute } = prices
  return (
    <p className={classes.cost}>
      {t.cost(
        format.phone(cli),
        format.rupees(oneCallAtMost),
        format.count(numbers),
        format.rupees(oneCallAtMost * numbers),
      )}
      {perAgentMinute === null && ` ${t.agentCosts}`}
      {perAgentMinute !== null && perAgentMinute > 0 && ` ${t.agentMinute(format.rupees(perAgentMinute))}`}
    </p>
  )
}
