import type { SenderRow } from '@ghanti/contract/sms-senders.ts'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Approvals.module.css'

const kinds: readonly StatusKind[] = ['neutral', 'done', 'problem']

export function Decision({ code, reason }: { code: number; reason: string | null }) {
  const t = useTexts('smsApprovals')
  return (
    <>
      <Status is={kinds[code] ?? 'neutral'}>{t.status[code]}</Status>
      {reason && <span className={classes.reason}>{t.reason(reason)}</span>}
    </>
  )
}

export function Allowed({ row: { operators, tps } }: { row: SenderRow }) {
  const { senders, operators: names } = useTexts('smsApprovals')
  const format = useFormat()
  return (
    <>
      {operators.map((operator) => names[operator]).join(', ') || senders.none}
      {tps !== null && <span className={classes.reason}>{senders.paced(format.count(tps))}</span>}
    </>
  )
}
