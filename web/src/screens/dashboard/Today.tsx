import { insightRoutes } from '@ghanti/contract/insight.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './DashboardScreen.module.css'
import { todayOf, type DayFigures } from './today.ts'
import { changeOf, changeOfShare, percentOf, type Change } from './trend.ts'

/** Counters follow a second or two behind. */
const againMs = 15_000

const rateOf = ({ answered, asked }: DayFigures) => ({ part: answered, of: asked })

export default function Today({ role }: { role: Role }) {
  const { today: t } = useTexts('dashboard')
  const { userId } = useSession()
  const asked = { userId, started: 'today', by: 'hour' as const }
  const insight = useQuery({ ...jsonQuery(insightRoutes.calls, asked), refetchInterval: againMs })
  const { data } = insight
  if (insight.error && !data) return <Failure error={insight.error} onRetry={() => void insight.refetch()} />
  if (!data || data.totals.attempts + data.totalsBefore.attempts === 0) return null
  const today = todayOf(data, Number(nepalTimeOf(new Date(insight.dataUpdatedAt)).slice(11, 13)))
  return (
    <section aria-labelledby="today-title" className={classes.trend}>
      <div>
        <h2 id="today-title">{t.title}</h2>
        <p>
          {t.hint} <Link to="/insight">{t.more}</Link>
        </p>
      </div>
      <dl className={classes.cards}>
        <Figures role={role} now={today.now} before={today.before} />
        <div className={classes.card}>
          <dt>{t.perHour}</dt>
          <dd className={classes.spark}>
            <Hours hours={today.hours} hoursBefore={today.hoursBefore} />
          </dd>
          <dd className={classes.change}>{t.legend}</dd>
        </div>
      </dl>
    </section>
  )
}

function Figures({ role, now, before }: { role: Role; now: DayFigures; before: DayFigures }) {
  const { today: t, trend } = useTexts('dashboard')
  const format = useFormat()
  const changed = ({ kind, by }: Change, unit: 'percent' | 'points') =>
    kind === 'same' || kind === 'fromNone' ? t[kind] : t[unit][kind](format.count(by))
  const figures = [
    {
      label: t.calls,
      shown: format.count(now.calls),
      change: changed(changeOf(now.calls, before.calls, 'percent'), 'percent'),
    },
    {
      label: t.rate,
      shown: trend.share(format.count(percentOf(rateOf(now)))),
      change: changed(changeOfShare(rateOf(now), rateOf(before)), 'points'),
    },
    {
      label: role === 'user' ? t.spent : t.charged,
      shown: format.rupees(now.cost),
      change: changed(changeOf(now.cost, before.cost, 'percent'), 'percent'),
    },
  ]
  return figures.map(({ label, shown, change }) => (
    <div key={label} className={classes.card}>
      <dt>{label}</dt>
      <dd data-numeric>{shown}</dd>
      <dd className={classes.change}>{change}</dd>
    </div>
  ))
}

const [width, height] = [23 * 8, 48]

/** Yesterday dashed, today solid up to now; screen readers get one sentence. */
function Hours({ hours, hoursBefore }: { hours: readonly number[]; hoursBefore: readonly number[] }) {
  const { today: t } = useTexts('dashboard')
  const format = useFormat()
  const most = Math.max(1, ...hours, ...hoursBefore)
  const pointsOf = (values: readonly number[]) =>
    values.map((value, hour) => `${hour * 8},${height - 1 - (value / most) * (height - 2)}`).join(' ')
  const said = (values: readonly number[]) => values.map(format.count).join(', ')
  return (
    <svg
      className={classes.hours}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t.hours(said(hours), said(hoursBefore))}
    >
      <polyline points={pointsOf(hoursBefore)} />
      <polyline points={pointsOf(hours)} data-now />
    </svg>
  )
}
