import type { SmsPreview } from '@ghanti/contract/sms-compose.ts'
import { Button } from '@mantine/core'
import { ErrorSummary } from '../../../components/form/ErrorSummary.tsx'
import type { TextsOf } from '../../../i18n/areas.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../../compose/Compose.module.css'
import { stepOfField, type FormOfCompose } from '../../compose/form.ts'
import { CheckStep } from '../../compose/steps/Step.tsx'
import { useWatched } from '../../compose/use-watched.ts'
import { labelsInForm } from '../../compose/wire-fields.ts'
import type { useSmsPreview } from '../queries.ts'

type CheckProps = {
  form: FormOfCompose
  /** The text's error, as on the wire. */
  problem: string | null
  preview: ReturnType<typeof useSmsPreview>
  busy: boolean
}

/** What it costs, what is still wrong, and the button. */
export function Check({ form, problem, preview, busy }: CheckProps) {
  const t = useTexts('smsCompose')
  const compose = useTexts('compose')
  const scheduled = useWatched(form, 'scheduled')
  return (
    <CheckStep label={compose.estimate.title}>
      {preview.data ? (
        <Estimate preview={preview.data} stale={preview.isFetching} />
      ) : (
        <p className={classes.hint}>{preview.error ? t.estimate.failed : t.estimate.empty}</p>
      )}
      <ErrorSummary
        form={{ errors: { ...form.errors, smsText: problem }, getInputNode: form.getInputNode }}
        labels={labelsOfMessages(t, compose)}
      />
      <Button type="submit" size="md" loading={busy} className={classes.send ?? ''}>
        {scheduled ? t.send.later : t.send.now}
      </Button>
    </CheckStep>
  )
}

/** By the names of fields, in the order of the steps. */
function labelsOfMessages(t: TextsOf<'smsCompose'>, compose: TextsOf<'compose'>): Record<string, string> {
  const ofForm = Object.entries(labelsInForm(compose))
  const isContacts = ([name]: [string, string]) => stepOfField(name) === 'who'
  return Object.fromEntries([
    ...ofForm.filter(isContacts),
    ['campaignName', compose.campaignName],
    ['cli', t.sender],
    ['smsText', t.text],
    ...ofForm.filter(([name]) => stepOfField(name) === 'when'),
    ['endDay', compose.schedule.ends.messages.day],
    ['endTime', compose.schedule.ends.messages.time],
  ])
}

function Estimate({ preview, stale }: { preview: SmsPreview; stale: boolean }) {
  const { estimate: t } = useTexts('smsCompose')
  const format = useFormat()
  const { estimate } = preview
  return (
    <div aria-live="polite" aria-busy={stale}>
      <dl className={classes.figures}>
        <div>
          <dt>{t.messages}</dt>
          <dd data-numeric>{format.count(preview.accepted)}</dd>
        </div>
        {estimate && (
          <>
            <div>
              <dt>{t.segments}</dt>
              <dd data-numeric>{format.count(estimate.segments)}</dd>
            </div>
            <div>
              <dt>{t.cost}</dt>
              <dd data-numeric>
                {t.rupees(format.rupees(estimate.cost))}
                <small>{t.perSegment(format.rupees(estimate.perSegment))}</small>
              </dd>
            </div>
            <div>
              <dt>{t.balanceAfter}</dt>
              <dd data-numeric>{t.rupees(format.rupees(Math.max(0, estimate.balance - estimate.cost)))}</dd>
            </div>
          </>
        )}
      </dl>
      {!estimate && <p className={classes.hint}>{t.incomplete}</p>}
      {estimate && estimate.cost > estimate.balance && (
        <p className={classes.warning}>{t.short(format.rupees(estimate.balance))}</p>
      )}
    </div>
  )
}
