import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './Approvals.module.css'

const kinds: readonly StatusKind[] = ['neutral', 'done', 'problem']

/** What was decided, and under it why it was rejected. */
export function Decision({ code, reason }: { code: number; reason: string | null }) {
  const t = useTexts('smsApprovals')
  return (
    <>
      <Status is={kinds[code] ?? 'neutral'}>{t.status[code]}</Status>
      {reason && <span className={classes.reason}>{t.reason(reason)}</span>}
    </>
  )
}
