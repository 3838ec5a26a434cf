import { daysMax, insightRoutes, type CallInsight } from '@ghanti/contract/insight.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { jsonQuery } from '../../api/query.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { askedOf } from './asked.ts'
import { hoursOf } from './best-hours.ts'

const HeatMap = late(() => import('./HeatMap.tsx'))

export type Sent = ReturnType<typeof askedOf>['sent']
type BestHoursProps = { sent: Sent; answer: CallInsight }

const dayMs = 24 * 3600_000
const oldMs = 5 * 60_000

/** In which hours of the week people answer. Nothing where the counters do not keep it: for one campaign, or for more than a quarter. */
export function BestHours({ sent, answer }: BestHoursProps) {
  const days = (Date.parse(answer.to) - Date.parse(answer.from)) / dayMs + 1
  const { campaignId, of: _, ...narrowed } = sent as Sent & { campaignId?: string; of?: string }
  const isKept = campaignId === undefined && days <= daysMax.weekday
  const asked = useQuery({
    ...jsonQuery(insightRoutes.calls, { ...narrowed, by: 'weekday' }),
    enabled: isKept && answer.by !== 'weekday',
    staleTime: oldMs,
  })
  const series = answer.by === 'weekday' ? answer.series : asked.data?.series
  if (!isKept || !series) return null
  return (
    <Suspense fallback={null}>
      <HeatMap hours={hoursOf(series)} />
    </Suspense>
  )
}
