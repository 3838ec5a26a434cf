import type { DashboardTrend } from '@ghanti/contract/dashboard.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './DashboardScreen.module.css'
import {
  changeOf,
  changeOfShare,
  hasMessages,
  lastWeekOf,
  percentOf,
  type Change,
  type Share,
  type Sums,
} from './trend.ts'

type Figure = {
  label: string
  of: (sums: Sums) => number
  shown: (value: number) => string
  /** Shares change by points, other figures by per cent. */
  unit: 'percent' | 'points'
  changed: (now: Sums, before: Sums) => Change
}

type Plain = Pick<Figure, 'label' | 'of' | 'shown'>
const plain = (figure: Plain): Figure => ({
  ...figure,
  unit: 'percent',
  changed: (now, before) => changeOf(figure.of(now), figure.of(before), 'percent'),
})
const share = ({ of, ...figure }: Omit<Plain, 'of'> & { of: (sums: Sums) => Share }): Figure => ({
  ...figure,
  of: (sums) => percentOf(of(sums)),
  unit: 'points',
  changed: (now, before) => changeOfShare(of(now), of(before)),
})

const figuresOf = ({ role, trend }: TrendProps, { trend: t }: TextsOf<'dashboard'>, format: Format): Figure[] => [
  plain({ label: t.campaigns, of: ({ campaigns }) => campaigns, shown: format.count }),
  plain({ label: t.calls, of: ({ calls }) => calls, shown: format.count }),
  share({
    label: t.connected,
    of: ({ calls, connected }) => ({ part: connected, of: calls }),
    shown: (value) => t.share(format.count(value)),
  }),
  ...(hasMessages(trend) ? messageFigures(t, format) : []),
  plain({ label: role === 'user' ? t.spent : t.charged, of: ({ cost }) => cost, shown: format.rupees }),
]

const messageFigures = (t: TextsOf<'dashboard'>['trend'], format: Format): Figure[] => [
  plain({ label: t.messages, of: ({ messages }) => messages, shown: format.count }),
  share({
    label: t.delivered,
    of: ({ messages, delivered }) => ({ part: delivered, of: messages }),
    shown: (value) => t.share(format.count(value)),
  }),
]

type TrendProps = { role: Role; trend: DashboardTrend }

export function Trend({ role, trend }: TrendProps) {
  const t = useTexts('dashboard')
  const format = useFormat()
  const last = lastWeekOf(trend)
  return (
    <section aria-labelledby="trend-title" className={classes.trend}>
      <div>
        <h2 id="trend-title">{t.trend.title}</h2>
        <p>{t.trend.hint}</p>
      </div>
      <dl className={`${classes.cards} ${hasMessages(trend) ? classes.six : ''}`}>
        {figuresOf({ role, trend }, t, format).map(({ label, of, shown, unit, changed }) => (
          <div key={label} className={classes.card}>
            <dt>{label}</dt>
            <dd data-numeric>{shown(of(last))}</dd>
            <dd className={classes.change} data-change={unit}>
              {changeText(changed(last, trend.before), unit, t, format)}
            </dd>
            <dd className={classes.spark}>
              <Sparkline
                label={label}
                days={trend.days.map((day) => ({ day: day.day, value: of(day) }))}
                shown={shown}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function changeText({ kind, by }: Change, unit: Figure['unit'], { trend: t }: TextsOf<'dashboard'>, format: Format) {
  if (kind === 'same' || kind === 'fromNone') return t[kind]
  return t[unit][kind](format.count(by))
}

type SparklineProps = {
  label: string
  days: readonly { day: string; value: number }[]
  shown: (value: number) => string
}

/** A bar per day, this week's highlighted; screen readers get one sentence. */
function Sparkline({ label, days, shown }: SparklineProps) {
  const { trend: t } = useTexts('dashboard')
  const format = useFormat()
  const highest = Math.max(...days.map(({ value }) => value)) || 1
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const values = days.map(({ value }) => shown(value)).join(', ')
  return (
    <svg
      viewBox={`0 0 ${days.length * 8 - 2} 32`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t.perDay(label, format.day(first), format.day(last), values)}
    >
      {days.map(({ day, value }, n) => {
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * 32)
        return (
          <rect key={day} x={n * 8} y={32 - height} width={6} height={height} data-now={n >= days.length / 2}>
            <title>{`${format.day(day)}: ${shown(value)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
