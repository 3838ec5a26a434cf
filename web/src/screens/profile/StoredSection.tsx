import { megabytesOf, quotaRoutes, recordingHoursOf, type Quotas, type Stored } from '@ghanti/contract/quotas.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './ProfileScreen.module.css'

export function StoredSection() {
  const { stored: t } = useTexts('profile')
  const { userId } = useSession()
  const query = useQuery(jsonQuery(quotaRoutes.ofAccount, { userId }))
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  return (
    <section aria-labelledby="stored">
      <h2 id="stored" className={classes.heading}>
        {t.title}
      </h2>
      <p className={classes.hint}>{t.hint}</p>
      <StoredFields {...query.data} />
    </section>
  )
}

export function StoredFields({ used, quotas }: { used: Stored; quotas: Quotas }) {
  const { stored: t } = useTexts('profile')
  const format = useFormat()
  const inMegabytes = (label: string, bytes: number, of: number, full = t.full) => {
    const taken = megabytesOf(bytes)
    return { label, taken, of, shown: format.digits(taken.toLocaleString('en')), full }
  }
  const inCount = (label: string, taken: number, of: number) => {
    return { label, taken, of, shown: format.count(taken), full: t.full }
  }
  const fields = [
    inMegabytes(t.megabytes, used.bytes, quotas.megabytes),
    inMegabytes(
      t.recordings(format.count(recordingHoursOf(quotas.recordingMegabytes))),
      used.recordingBytes,
      quotas.recordingMegabytes,
      t.notRecorded,
    ),
    inCount(t.rows, used.rows, quotas.rows),
    inCount(t.campaigns, used.campaigns, quotas.campaigns),
    inCount(t.prompts, used.prompts, quotas.prompts),
    inCount(t.blacklist, used.blacklist, quotas.blacklist),
  ]
  return (
    <dl className={classes.fields}>
      {fields.map(({ label, taken, of, shown, full }) => (
        <div key={label} className={classes.field}>
          <dt>{label}</dt>
          <dd data-numeric>
            {t.usedOf(shown, format.count(of))}
            {taken >= of && <span className={classes.warning}>{full}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
