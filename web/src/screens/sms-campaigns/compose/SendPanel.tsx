import { Button, Loader } from '@mantine/core'
import type { SmsPreview } from '@ghanti/contract/sms-compose.ts'
import { Suspense } from 'react'
import { CheckboxField } from '../../../components/form/CheckboxField.tsx'
import { late } from '../../../components/ui/loading/late.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../../compose/Compose.module.css'
import type { FormOfCompose } from '../../compose/form.ts'
import { useWatched } from '../../compose/use-watched.ts'
import type { useSmsPreview } from '../queries.ts'

const ScheduleFields = late(() => import('../../compose/schedule/ScheduleFields.tsx'))

type SendPanelProps = { form: FormOfCompose; preview: ReturnType<typeof useSmsPreview>; busy: boolean }

export function SendPanel({ form, preview, busy }: SendPanelProps) {
  const t = useTexts('smsCompose')
  const { estimate: titles } = useTexts('compose')
  const scheduled = useWatched(form, 'scheduled')
  return (
    <aside className={classes.panel} aria-label={titles.title}>
      <h2>{titles.title}</h2>
      {preview.data ? (
        <Estimate preview={preview.data} stale={preview.isFetching} />
      ) : (
        <p className={classes.hint}>{preview.error ? t.estimate.failed : t.estimate.empty}</p>
      )}
      <CheckboxField form={form} name="scheduled" label={t.later} />
      {scheduled && (
        <Suspense fallback={<Loader size="sm" />}>
          <ScheduleFields form={form} of="messages" />
        </Suspense>
      )}
      <Button type="submit" fullWidth size="md" loading={busy}>
        {scheduled ? t.send.later : t.send.now}
      </Button>
    </aside>
  )
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
