import type { UserRow } from '@ghanti/contract/users.ts'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import classes from './Customer.module.css'

const shown = 5
const FewCampaigns = late(async () => {
  const [part] = await Promise.all([import('../voice-campaigns/FewCampaigns.tsx'), loadTexts('voiceCampaigns')])
  return part
})

export default function Campaigns({ account: { userId: customer } }: { account: UserRow }) {
  const { campaigns: t } = useTexts('customers')
  const { userId } = useSession()
  return (
    <section aria-labelledby="customer-campaigns" className={classes.part}>
      <h2 id="customer-campaigns">{t.title}</h2>
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <FewCampaigns sent={{ userId, customer }} most={shown} empty={<p>{t.none}</p>} />
      </Suspense>
      <p className={classes.links}>
        <Link to={`/voice-campaign-summary?customer=${customer}`}>{t.all}</Link>
        <Link to={`/sms-campaign-summary?customer=${customer}`}>{t.messages}</Link>
        <Link to={`/report?customer=${customer}`}>{t.calls}</Link>
      </p>
    </section>
  )
}
