import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorSummary } from '../../../components/form/ErrorSummary.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import type { FormOfCompose } from '../form.ts'
import { useNow } from '../schedule/use-now.ts'
import type { Preview, usePreview } from '../queries.ts'
import { whenText } from '../schedule/schedule.ts'
import { StartNotice } from '../schedule/StartNotice.tsx'
import { useWatched } from '../use-watched.ts'
import { CheckStep } from '../steps/Step.tsx'
import { labelsInForm } from '../wire-fields.ts'

type CheckProps = {
  form: FormOfCompose
  preview: ReturnType<typeof usePreview>
  busy: boolean
  children: ReactNode
}

/** What it costs, what is still wrong, and the button. */
export function Check({ form, preview, busy, children }: CheckProps) {
  const t = useTexts('compose')
  const scheduled = useWatched(form, 'scheduled')
  return (
    <CheckStep label={t.estimate.title}>
      {preview.data ? (
        <Estimate preview={preview.data} stale={preview.isPlaceholderData} scheduled={scheduled} />
      ) : (
        <p className={classes.hint}>{preview.error ? t.estimate.failed : t.estimate.empty}</p>
      )}
      <div className={classes.tools}>{children}</div>
      <ErrorSummary form={form} labels={labelsInForm(t)} />
      <Button type="submit" size="md" loading={busy} className={classes.send ?? ''}>
        {scheduled ? t.send.later : t.send.now}
      </Button>
    </CheckStep>
  )
}

function Estimate({ preview, stale, scheduled }: { preview: Preview; stale: boolean; scheduled: boolean }) {
  const { estimate: t, start: starts } = useTexts('compose')
  const format = useFormat()
  const now = useNow()
  const { estimate } = preview
  const startText = ({ at, reasons }: NonNullable<typeof estimate>['start']) => {
    if (at === null) return starts.unknown
    return reasons.length === 0 && !scheduled ? starts.atOnce : format.moment(whenText(at, now))
  }
  const after = estimate && estimate.balance - estimate.atMost
  return (
    <div aria-live="polite" aria-busy={stale}>
      <dl className={classes.figures}>
        <div>
          <dt>{t.contacts}</dt>
          <dd data-numeric>{format.count(preview.accepted)}</dd>
        </div>
        {estimate && (
          <>
            <div>
              <dt>{t.cost}</dt>
              <dd data-numeric>
                {t.atMost(format.rupees(estimate.atMost))}
                {estimate.perAgentMinute !== null && (
                  <small>{t.perAgentMinute(format.rupees(estimate.perAgentMinute))}</small>
                )}
                {estimate.messages && <small>{t.withMessages(format.rupees(estimate.messages.atMost))}</small>}
              </dd>
            </div>
            <div>
              <dt>{t.balanceAfter}</dt>
              <dd data-numeric>{t.atLeast(format.rupees(Math.max(0, after ?? 0)))}</dd>
            </div>
            <div>
              <dt>{starts.label}</dt>
              <dd data-numeric>{startText(estimate.start)}</dd>
            </div>
            {estimate.doneAbout !== null && (
              <div>
                <dt>{t.doneAbout}</dt>
                <dd data-numeric>{format.moment(whenText(estimate.doneAbout, now))}</dd>
              </div>
            )}
          </>
        )}
      </dl>
      {estimate && <StartNotice estimate={estimate} scheduled={scheduled} />}
      {!estimate && <p className={classes.hint}>{t.incomplete}</p>}
      {estimate?.messages && estimate.messages.unapproved > 0 && (
        <p className={classes.warning}>{t.unapproved(format.count(estimate.messages.unapproved))}</p>
      )}
      {estimate?.messages && estimate.messages.unsendable > 0 && (
        <p className={classes.hint}>{t.unsendable(format.count(estimate.messages.unsendable))}</p>
      )}
      {estimate && after !== null && after < 0 && (
        <p className={classes.warning}>{t.short(format.rupees(estimate.balance))}</p>
      )}
    </div>
  )
}
