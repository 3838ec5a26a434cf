import { plainNumber } from '@ghanti/contract/written-number.ts'
import { testCallRoutes, testNumbersMax } from '@ghanti/contract/test-calls.ts'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { useWrite } from '../../api/query.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Progress } from './Progress.tsx'
import { Refused } from './Refused.tsx'
import shared from '../../components/ui/OneCall.module.css'
import classes from './TestCall.module.css'
import { numbersOf, type Tested } from './tested.ts'

type TestCallProps = { tested: Tested; onClose: () => void }

/** Unfinished tests by what they test: whoever closes the dialog finds the test again, and can stop it. */
const unseen = new Map<string, number>()

/** Asks for numbers and shows the possible cost; then shows the progress. */
export default function TestCall({ tested, onClose }: TestCallProps) {
  const what = `${tested.userId} ${'campaignId' in tested.source ? tested.source.campaignId : 'composed'}`
  const [testId, setTestId] = useState(unseen.get(what) ?? null)
  const [whom, setWhom] = useState<Whom>({ numbers: '', row: '' })
  const begun = (id: number) => {
    unseen.set(what, id)
    setTestId(id)
  }
  return testId === null ? (
    <Ask tested={tested} whom={whom} onChange={setWhom} onClose={onClose} onBegun={begun} />
  ) : (
    <Progress testId={testId} onOver={() => unseen.delete(what)} onAgain={() => setTestId(null)} />
  )
}

type Whom = { numbers: string; row: string }
type AskProps = TestCallProps & { whom: Whom; onChange: (whom: Whom) => void; onBegun: (testId: number) => void }

function Ask({ tested, whom, onChange, onClose, onBegun }: AskProps) {
  const t = useTexts('testCall')
  const { dialog } = useTexts('common')
  const [problem, setProblem] = useState<string | null>(null)
  const composed = useWrite(testCallRoutes.composed)
  const ofCampaign = useWrite(testCallRoutes.ofCampaign)
  const busy = composed.isPending || ofCampaign.isPending
  const numbers = numbersOf(whom.numbers)
  const failed = composed.error ?? ofCampaign.error
  const named = numbers.map((number, index) => [`numbers.${index}`, number])
  const labels = { ...tested.labels, numbers: t.numbers, row: t.line, plan: t.plan, ...Object.fromEntries(named) }

  const begin = async (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = numbers.length === 0 ? t.numbersMissing : numbers.length > testNumbersMax ? t.numbersMany : null
    setProblem(wrong)
    if (wrong !== null || busy) return
    const row = plainNumber(whom.row.trim())
    const called = { numbers, ...(row !== '' && { row }) }
    const { source } = tested
    const begun = await (
      'campaignId' in source
        ? ofCampaign.mutateAsync({ input: { campaignId: source.campaignId, ...called } })
        : composed.mutateAsync({ input: { ...source.body, ...called } })
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
        value={whom.numbers}
        error={problem}
        inputMode="tel"
        data-autofocus
        onChange={(event) => onChange({ ...whom, numbers: event.currentTarget.value })}
      />
      {tested.speaks && (
        <TextInput
          label={t.row}
          description={t.rowHint}
          inputMode="numeric"
          value={whom.row}
          onChange={(event) => onChange({ ...whom, row: event.currentTarget.value })}
        />
      )}
      {failed && <Refused error={failed} labels={labels} />}
      <div className={shared.buttons}>
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
      {` ${t.noMessages}`}
      {perAgentMinute === null && ` ${t.agentCosts}`}
      {perAgentMinute !== null && perAgentMinute > 0 && ` ${t.agentMinute(format.rupees(perAgentMinute))}`}
    </p>
  )
}
