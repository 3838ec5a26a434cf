import { bytesOfMegabyte, quotaRoutes, type Quotas, type Stored } from '@ghanti/contract/quotas.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/Failure.tsx'
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

/** Each quota with its use. */
export function StoredFields({ used, quotas }: { used: Stored; quotas: Quotas }) {
  const { stored: t } = useTexts('profile')
  const format = useFormat()
  const megabytes = Math.ceil((used.bytes / bytesOfMegabyte) * 10) / 10
  const fields = [
    {
      label: t.megabytes,
      taken: megabytes,
      of: quotas.megabytes,
      shown: format.digits(megabytes.toLocaleString('en')),
    },
    { label: t.rows, taken: used.rows, of: quotas.rows, shown: format.count(used.rows) },
    { label: t.campaigns, taken: used.campaigns, of: quotas.campaigns, shown: format.count(used.campaigns) },
    { label: t.prompts, taken: used.prompts, of: quotas.prompts, shown: format.count(used.prompts) },
    { label: t.blacklist, taken: used.blacklist, of: quotas.blacklist, shown: format.count(used.blacklist) },
  ]
  return (
    <dl className={classes.fields}>
      {fields.map(({ label, taken, of, shown }) => (
        <div key={label} className={classes.field}>
          <dt>{label}</dt>
          <dd data-numeric>
            {t.usedOf(shown, format.count(of))}
            {taken >= of && <span className={classes.warning}>{t.full}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
