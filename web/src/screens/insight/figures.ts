import type { CallInsight, MessageInsight } from '@ghanti/contract/insight.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { changeOf } from '../dashboard/trend.ts'

type Texts = TextsOf<'insight'>
export type CallFigures = CallInsight['totals']
export type MessageFigures = MessageInsight['totals']
type FigureName = keyof Texts['figures']
export type Unit = 'count' | 'share' | 'seconds' | 'milliseconds' | 'rupees'

type Figured<F> = { unit: Unit; of: (figures: F) => number | null }
/** One figure of calls or messages: how it is read and formatted; null when undefined. A figure without a text brings its own label. */
export type Figure<F> = Figured<F> & ({ name: FigureName } | { name: string; label: string })

export const labelOf = (figure: { name: string; label?: string }, t: Texts): string =>
  figure.label ?? t.figures[figure.name as FigureName]

/** In per cent, to a tenth; null when the whole is 0. */
export const shareOf = (part: number, whole: number) => (whole === 0 ? null : Math.round((1000 * part) / whole) / 10)

/** Figures of tiles and rows, in this order; money comes last. */
export const callFigures: readonly Figure<CallFigures>[] = [
  { name: 'attempts', unit: 'count', of: ({ attempts }) => attempts },
  { name: 'answered', unit: 'count', of: ({ answered }) => answered },
  { name: 'asr', unit: 'share', of: ({ asr }) => asr },
  { name: 'acd', unit: 'seconds', of: ({ acd }) => acd },
  { name: 'ner', unit: 'share', of: ({ ner }) => ner },
  { name: 'pdd', unit: 'milliseconds', of: ({ pdd }) => pdd },
  { name: 'busy', unit: 'share', of: ({ busy, attempts }) => shareOf(busy, attempts) },
  { name: 'noAnswer', unit: 'share', of: ({ noAnswer, attempts }) => shareOf(noAnswer, attempts) },
  {
    name: 'failedAll',
    unit: 'share',
    of: ({ attempts, answered, busy, noAnswer }) => shareOf(attempts - answered - busy - noAnswer, attempts),
  },
  { name: 'keyed', unit: 'share', of: ({ keyed, answered }) => shareOf(keyed, answered) },
  { name: 'dropped', unit: 'share', of: ({ dropped, answered }) => shareOf(dropped, answered) },
  { name: 'pulses', unit: 'count', of: ({ pulses }) => pulses },
]
export const messageFigures: readonly Figure<MessageFigures>[] = [
  { name: 'messages', unit: 'count', of: ({ messages }) => messages },
  { name: 'accepted', unit: 'share', of: ({ accepted, messages }) => shareOf(accepted, messages) },
  { name: 'delivered', unit: 'share', of: ({ deliveredShare }) => deliveredShare },
  { name: 'refused', unit: 'count', of: ({ refused }) => refused },
  { name: 'segments', unit: 'count', of: ({ segments }) => segments },
]

type Money = { cost: number; spend: number | null; margin: number | null }
/** Users see what they spent; resellers and the platform see what users paid, and their margin. */
export function moneyFigures<F extends Money>({ spend, margin }: Money): Figure<F>[] {
  return [
    ...(margin === null ? [] : [{ name: 'cost' as const, unit: 'rupees' as const, of: (figures: F) => figures.cost }]),
    ...(spend === null ? [] : [{ name: 'spend' as const, unit: 'rupees' as const, of: (figures: F) => figures.spend }]),
    ...(margin === null
      ? []
      : [{ name: 'margin' as const, unit: 'rupees' as const, of: (figures: F) => figures.margin }]),
  ]
}

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
  return t.change[inWhat][kind](format.digits(String(Math.round(by * 10) / 10)))
}
