import type { DashboardTrend } from '@ghanti/contract/dashboard.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import type { Figure } from './Figures.tsx'
import { changeOf, lastWeekOf, percentOf, type Sums } from './trend.ts'

/** The figures of the last seven days, compared with the seven before up to the same time of day. */
export function weekFigures(trend: DashboardTrend, { week: t }: TextsOf<'overview'>, format: Format) {
  const last = lastWeekOf(trend)
  const changed = (of: (sums: Sums) => number, shown: (value: number) => string) => {
    const { kind, by } = changeOf(of(last), of(trend.before), 'percent')
    if (kind === 'far') return t.far(shown(of(trend.before)))
    return kind === 'same' || kind === 'fromNone' ? t[kind] : t[kind](format.count(by))
  }
  const figure = (label: string, of: (sums: Sums) => number, shown: (value: number) => string): Figure => ({
    label,
    value: shown(of(last)),
    note: changed(of, shown),
  })
  const delivered: Figure = {
    label: t.delivered,
    value: format.count(last.delivered),
    of: t.of(format.count(last.messages)),
    note: t.share(format.count(percentOf({ part: last.delivered, of: last.messages }))),
  }
  return {
    reached: figure(t.reached, ({ connected }) => connected, format.count),
    messages: last.messages > 0 ? delivered : figure(t.campaigns, ({ campaigns }) => campaigns, format.count),
    spent: figure(t.spent, ({ cost }) => cost, format.rupees),
    paid: figure(t.paid, ({ cost }) => cost, format.rupees),
  }
}
