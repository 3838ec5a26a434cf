import { overviewRoutes } from '@ghanti/contract/overview.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { TabTitle } from '../../components/ui/Page.tsx'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import classes from './DashboardScreen.module.css'
import { firstStepsQuery, wantsFirstSteps } from './first-steps.ts'
import { Greeting } from './Greeting.tsx'

/** What each role's own part shows: its texts, and its query beside the figures of specification 1. */
const partOf = {
  user: late(() => withTexts(import('./ForUser.tsx'))),
  reseller: late(() => withTexts(import('./ForReseller.tsx'))),
  superAdmin: late(async () => {
    await loadTexts('alerts')
    return withTexts(import('./ForOperator.tsx'))
  }),
} as const satisfies Record<Role, unknown>
const overviewOf = { user: 'own', reseller: 'reseller', superAdmin: 'platform' } as const satisfies Record<Role, string>

async function withTexts<Part>(part: Promise<Part>): Promise<Part> {
  await loadTexts('overview', 'voiceCampaigns', 'answers', 'campaignActions')
  return part
}

export const loader = screenLoader(({ userId, role, prefetch }) => {
  void partOf[role].preload()
  void prefetch(jsonQuery(userRoutes.dashboard, { userId }))
  void prefetch(jsonQuery(overviewRoutes[overviewOf[role]], {}))
  if (wantsFirstSteps(userId)) void prefetch(firstStepsQuery())
})

export default function DashboardScreen() {
  const t = useTexts('dashboard')
  const { userId, role } = useSession()
  const Part = partOf[role]
  const isLoaded = Part.useLoaded()
  const dashboard = useQuery(jsonQuery(userRoutes.dashboard, { userId }))
  return (
    <>
      <TabTitle title={t.title} />
      <Greeting />
      {dashboard.error && !dashboard.data ? (
        <Failure error={dashboard.error} onRetry={() => void dashboard.refetch()} />
      ) : dashboard.data && isLoaded ? (
        <Suspense fallback={<div className={classes.later} aria-busy />}>
          <Part dashboard={dashboard.data} />
        </Suspense>
      ) : (
        <div className={classes.later} aria-busy />
      )}
    </>
  )
}
