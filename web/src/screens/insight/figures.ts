import type { Figure as ContractFigure, FigureName, Unit } from '@ghanti/contract/insight-figures.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { changeOf } from '../dashboard/trend.ts'

type Texts = TextsOf<'insight'>

/** A figure without a text of its own brings its label. */
export type Figure<F> = ContractFigure<F> | (Omit<ContractFigure<F>, 'name'> & { name: string; label: string })

export const labelOf = (figure: { name: string; label?: string }, t: Texts): string =>
  figure.label ?? t.figures[figure.name as FigureName]

export function shownFigure(value: number | null, unit: Unit, t: Texts, format: Format): string {
  if (value === null) return t.none
  if (unit === 'count') return format.count(value)
  if (unit === 'rupees') return format.rupees(value)
  if (unit === 'share') return t.percent(format.digits(String(value)))
  return t.seconds(format.digits(String(unit === 'seconds' ? value : Math.round(value / 100) / 10)))
}

/** The change in words; '' where one of the values is undefined. */
export function changeText(now: number | null, before: number | null, unit: Unit, t: Texts, format: Format): string {
  if (now === null || before === null) return ''
  const inWhat = unit === 'share' ? ('points' as const) : ('percent' as const)
  const { kind, by } = changeOf(now, before, inWhat)
  if (kind === 'same' || kind === 'fromNone') return t.change[kind]
  if (kind === 'far') return t.change.far(shownFigure(before, unit, t, format))
  return t.change[inWhat][kind](format.digits(String(Math.round(by * 10) / 10)))
}
