import { summaryMailsPerDay, type SummaryMail } from '@ghanti/contract/summary-mails.ts'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './ReportsByMail.module.css'

const kinds = {
  queued: 'neutral',
  sending: 'running',
  sent: 'done',
  dropped: 'held',
  failed: 'problem',
  unknown: 'held',
} as const

const columns = (t: TextsOf<'summaryMails'>['mails'], format: Format): FewColumn<SummaryMail>[] => [
  {
    key: 'about',
    header: t.columns.about,
    cell: ({ campaignName, day }) => campaignName ?? (day === null ? '–' : t.daily(format.day(day))),
  },
  {
    key: 'state',
    header: t.columns.state,
    cell: ({ state, reason }) => (
      <>
        <Status is={kinds[state]}>{t.states[state]}</Status>
        {reason !== null && <small className={classes.reason}>{t.reasons[reason]}</small>}
      </>
    ),
  },
  { key: 'address', header: t.columns.address, cell: ({ address }) => address },
  { key: 'time', header: t.columns.time, cell: ({ time }) => <NepalTime wire={time} /> },
]

export function LastMails({ mails, today }: { mails: readonly SummaryMail[]; today: number }) {
  const { mails: t } = useTexts('summaryMails')
  const format = useFormat()
  return (
    <section className={classes.section} aria-labelledby="last-mails">
      <h2 id="last-mails">{t.title}</h2>
      <p className={classes.hint}>{t.today(format.count(today), format.count(summaryMailsPerDay))}</p>
      {mails.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <FewRows labelledBy="last-mails" columns={columns(t, format)} rowId={({ mailId }) => mailId} rows={mails} />
      )}
    </section>
  )
}
