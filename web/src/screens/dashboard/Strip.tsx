import type { OwnOverview } from '@ghanti/contract/overview.ts'
import { useSession } from '../../api/session.ts'
import { useOwnBalance } from '../../components/ui/own-balance.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { Dashboard } from './dashboard.ts'
import classes from './DashboardScreen.module.css'

type StripProps = { header: Dashboard['dbHeader']; lasts?: OwnOverview['lasts'] }

/** The cards of specification 1 §2, by role. */
export function Strip({ header, lasts = null }: StripProps) {
  const t = useTexts('dashboard')
  const { lasts: words } = useTexts('overview')
  const format = useFormat()
  const { role } = useSession()
  const balance = useOwnBalance()
  const days = lasts?.days ?? null
  const note = days === null ? '' : words.days(format.count(days))
  const credits = { value: balance?.free ?? '', note }
  const cards: { label: string; value: string; note?: string }[] =
    role === 'user'
      ? [
          { label: t.totalVoiceCampaigns, value: format.count(header.totalVoiceCampaigns) },
          { label: t.totalCalls, value: format.count(header.totalCalls), note: t.ofCampaigns },
          { label: t.connectedCalls, value: format.count(header.connectedCalls) },
          { label: t.balanceAvailable, ...credits },
        ]
      : [
          { label: t.totalResellers, value: format.count(header.resellers) },
          { label: t.totalEndUsers, value: format.count(header.endUsers) },
          ...(role === 'reseller' ? [{ label: t.creditsAvailable, ...credits }] : []),
        ]
  return (
    <dl className={classes.strip} aria-label={t.overview}>
      {cards.map(({ label, value, note: beside }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-numeric>{value}</dd>
          {beside && <dd className={classes.note}>{beside}</dd>}
        </div>
      ))}
    </dl>
  )
}
