import { overviewRoutes } from '@ghanti/contract/overview.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { PartProps } from './dashboard.ts'
import { weekFigures } from './figures-of.ts'
import { Figures } from './Figures.tsx'
import { wantsFirstSteps } from './first-steps.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { NeedsCard } from './needs/NeedsCard.tsx'
import { platformNeeds } from './needs/other-needs.tsx'
import { Hero } from './now/Hero.tsx'
import { Lines } from './now/Lines.tsx'
import classes from './Overview.module.css'
import { Strip } from './Strip.tsx'

const Running = late(() => import('./Running.tsx'))
void Running.preload()

/** The server reads once for all concurrent requests. */
const againMs = 2_000

export default function ForOperator({ dashboard }: PartProps) {
  const t = useTexts('overview')
  const alerts = useTexts('alerts')
  const format = useFormat()
  const { userId } = useSession()
  const query = useQuery({ ...jsonQuery(overviewRoutes.platform, {}), refetchInterval: againMs })
  const { data: overview, error } = query
  if (!overview && error) return <Failure error={error} onRetry={() => void query.refetch()} />
  if (!overview) return <div className={classes.later} aria-busy />
  const isBegun = overview.now.running > 0 || overview.now.last !== null
  const { reached, messages, paid } = weekFigures(dashboard.dbTrend, t, format)
  return (
    <div className={classes.parts}>
      {!isBegun && <FirstSteps />}
      {(isBegun || !wantsFirstSteps(userId)) && <Hero now={overview.now} />}
      <NeedsCard needs={platformNeeds(overview, { t, alerts, format })} />
      {isBegun && <FirstSteps />}
      <Figures label={t.week.title} figures={[reached, messages, paid]} />
      <Strip header={dashboard.dbHeader} />
      <Lines overview={overview} />
      <Suspense>
        <Running />
      </Suspense>
    </div>
  )
}
