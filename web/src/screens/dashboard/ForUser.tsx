import { overviewRoutes, type OwnOverview } from '@ghanti/contract/overview.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import cards from './DashboardScreen.module.css'
import { Needs } from './Needs.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import classes from './Overview.module.css'
import { Section } from './Section.tsx'

const FewCampaigns = late(async () => {
  const [part] = await Promise.all([import('../voice-campaigns/FewCampaigns.tsx'), loadTexts('voiceCampaigns')])
  return part
})

const Sending = late(async () => {
  const [part] = await Promise.all([import('./Sending.tsx'), loadTexts('smsCampaigns'), loadTexts('voiceCampaigns')])
  return part
})

const againMs = 15_000
const shown = 8
const underWay = 'running,pausing,paused,resuming,onHold,lowBalance,processing,ready'

export default function ForUser() {
  const { running: t } = useTexts('overview')
  const { userId } = useSession()
  const query = useQuery({ ...jsonQuery(overviewRoutes.own, {}), refetchInterval: againMs })
  const { data: overview, error } = query
  return (
    <div className={classes.parts}>
      <FirstSteps />
      <Section title={t.title} links={<Link to="/voice-campaign-summary">{t.all}</Link>}>
        <div className={classes.few}>
          <Suspense fallback={<div className={classes.loading} aria-busy />}>
            <FewCampaigns
              sent={{ userId, status: underWay }}
              most={shown}
              onlyUnfinished
              empty={
                <>
                  <p>{t.none}</p>
                  <Link to="/add-voice-campaign">{t.compose}</Link>
                </>
              }
            />
          </Suspense>
        </div>
      </Section>
      <Suspense fallback={<div className={classes.later} aria-busy />}>
        <Sending sent={{ userId, status: underWay }} most={shown} />
      </Suspense>
      {!overview && error && <Failure error={error} onRetry={() => void query.refetch()} />}
      {!overview && !error && <div className={classes.loading} aria-busy />}
      {overview && (
        <div className={classes.two}>
          <Needs overview={overview} />
          {overview.lasts && <Lasting lasts={overview.lasts} />}
        </div>
      )}
    </div>
  )
}

function Lasting({ lasts: { days, perDay, ofDays } }: { lasts: NonNullable<OwnOverview['lasts']> }) {
  const { lasts: t } = useTexts('overview')
  const format = useFormat()
  const isKnown = days !== null && perDay !== null
  return (
    <Section title={t.title}>
      <dl className={cards.cards}>
        <div className={cards.card}>
          <dt>{t.pace}</dt>
          <dd data-numeric>{isKnown ? t.unit(format.count(days)) : '–'}</dd>
          <dd className={cards.note}>
            {isKnown ? t.mean(format.rupees(perDay), format.count(ofDays)) : perDay === null ? t.none : t.free}
          </dd>
        </div>
      </dl>
    </Section>
  )
}
