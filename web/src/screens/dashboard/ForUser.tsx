import { overviewRoutes, type CallsNow } from '@ghanti/contract/overview.ts'
import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { jsonQuery, listQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { useProvider } from '../voice-campaigns/hold/Provider.tsx'
import { againMs, type PartProps } from './dashboard.ts'
import { weekFigures } from './figures-of.ts'
import { Figures } from './Figures.tsx'
import { wantsFirstSteps } from './first-steps.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { NeedsCard } from './needs/NeedsCard.tsx'
import { ownNeeds } from './needs/own-needs.tsx'
import { Hero } from './now/Hero.tsx'
import classes from './Overview.module.css'
import { Section } from './Section.tsx'
import { Strip } from './Strip.tsx'

// Below the fold.
const FewCampaigns = late(() => import('../voice-campaigns/FewCampaigns.tsx'))
const Sending = late(async () => {
  const [part] = await Promise.all([import('./Sending.tsx'), loadTexts('smsCampaigns')])
  return part
})
const Running = late(() => import('./Running.tsx'))
// Each would come a step later if it were asked for once the one above is shown.
for (const part of [FewCampaigns, Sending, Running]) void part.preload()

const shown = 8
const underWay = 'running,pausing,paused,resuming,onHold,lowBalance,processing,ready'

export default function ForUser({ dashboard }: PartProps) {
  const t = useTexts('overview')
  const format = useFormat()
  const { userId, username } = useSession()
  const { now: ask } = useProvider()
  const query = useQuery({
    ...jsonQuery(overviewRoutes.own, {}),
    refetchInterval: ({ state }) => againMs(state.data?.now),
  })
  const { data: overview, error } = query
  const rows = useUnfinished()
  if (!overview && error) return <Failure error={error} onRetry={() => void query.refetch()} />
  if (!overview) return <div className={classes.later} aria-busy />
  const { lasts } = overview
  const now = overview.now && withRows(overview.now, rows)
  const hero = now?.campaigns[0] ?? now?.last
  const { reached, messages, spent } = weekFigures(dashboard.dbTrend, t, format)
  return (
    <div className={classes.parts}>
      {!hero && <FirstSteps />}
      {now && (hero || !wantsFirstSteps(userId)) && <Hero now={now} />}
      <NeedsCard needs={ownNeeds(overview, { t: t.needs, format, ask, username })} />
      {hero && <FirstSteps />}
      {hero && <Figures label={t.week.title} figures={[reached, messages, spent]} />}
      <Strip header={dashboard.dbHeader} lasts={lasts} />
      <Section title={t.running.title} links={<Link to="/voice-campaign-summary">{t.running.all}</Link>}>
        <div className={classes.few}>
          <Suspense fallback={<div className={classes.loading} aria-busy />}>
            <FewCampaigns
              sent={{ userId, status: underWay }}
              most={shown}
              onlyUnfinished
              without={now?.campaigns[0]?.campaignId}
              empty={
                <>
                  <p>{now?.campaigns[0] ? t.running.noOther : t.running.none}</p>
                  <Link to="/add-voice-campaign">{t.running.compose}</Link>
                </>
              }
            />
          </Suspense>
        </div>
      </Section>
      <Suspense fallback={<div className={classes.later} aria-busy />}>
        <Sending sent={{ userId, status: underWay }} most={shown} />
      </Suspense>
      <Suspense>
        <Running />
      </Suspense>
    </div>
  )
}

/** The rows of the list below, which live events keep up to date. The list asks for them itself, with the same query. */
function useUnfinished(): readonly CampaignRow[] {
  const { userId } = useSession()
  const query = listQuery(voiceCampaignRoutes.list, { userId, status: underWay }, { page: 1, pageSize: shown })
  return useQuery({ ...query, enabled: false }).data?.rows ?? []
}

const withRows = (now: CallsNow, rows: readonly CampaignRow[]): CallsNow => ({
  ...now,
  campaigns: now.campaigns.map((one) => rows.find(({ campaignId }) => campaignId === one.campaignId) ?? one),
})
