import * as z from 'zod/mini'
import { adYearMax, instantOfNepalTime } from './time.ts'
import { Id, OneLine, Text, wireInt } from './values.ts'

/**
 * The filters of a list, as in its query and in the console's address: `status=running,paused&created=last7`. `field` parses the text; the
 * console uses it too, for what is in an address.
 */
const referenceKinds = ['account', 'campaign', 'trunk', 'dialer'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

type FilterOf<Kind, More, Field extends z.ZodMiniType> = Readonly<{ kind: Kind; field: Field } & More>
export type Filter =
  | FilterOf<'choice', { values: readonly string[]; several: boolean }, z.ZodMiniType>
  /** The value is the id of what it refers to. */
  | FilterOf<ReferenceKind, unknown, z.ZodMiniType>
  | FilterOf<'dates', unknown, z.ZodMiniType>
  | FilterOf<'text', unknown, z.ZodMiniType>
  | FilterOf<'number', { min: number; max: number }, z.ZodMiniType>
export function isReference(filter: Filter): filter is Extract<Filter, { kind: ReferenceKind }> {
  return (referenceKinds as readonly string[]).includes(filter.kind)
}
export type Filters = Readonly<Record<string, Filter>>
export type FieldsOf<F extends Filters> = { -readonly [Key in keyof F]: F[Key]['field'] }

export function fieldsOf<F extends Filters>(filters: F): FieldsOf<F> {
  return Object.fromEntries(Object.entries(filters).map(([key, filter]) => [key, filter.field])) as FieldsOf<F>
}

const oneOf = (values: readonly string[]) => ({ error: `must be one of ${values.join(', ')}` })

export function choice<const V extends readonly string[]>(values: V) {
  return { kind: 'choice', values, several: false, field: z.optional(z.enum(values, oneOf(values))) } as const
}

/** One or more of a few values, separated by commas. */
export function choices<const V extends readonly string[]>(values: V) {
  const isKnown = (text: string) => text.split(',').every((value) => (values as readonly string[]).includes(value))
  const field = z.pipe(
    OneLine(oneOf(values)).check(z.maxLength(1000, oneOf(values)), z.refine(isKnown, oneOf(values))),
    z.transform((text: string) => [...new Set(text.split(','))] as V[number][]),
  )
  return { kind: 'choice', values, several: true, field: z.optional(field) } as const
}

const ofKind = <Kind extends ReferenceKind>(kind: Kind) => ({ kind, field: z.optional(Id) }) as const
export const account = ofKind('account')
export const campaign = ofKind('campaign')
export const trunk = ofKind('trunk')
export const dialer = ofKind('dialer')
export const text = { kind: 'text', field: z.optional(Text(100)) } as const
export function number(min: number, max: number) {
  return { kind: 'number', min, max, field: z.optional(wireInt(min, max)) } as const
}

/** Counted back from today in Nepal, so that a saved view keeps meaning what its name says. */
export const recentDays = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const
export type RecentDays = (typeof recentDays)[number]
const isRecent = (value: string): value is RecentDays => (recentDays as readonly string[]).includes(value)

const daysError = {
  error: `must be one of ${recentDays.join(', ')} or two days like 2026-11-01..2026-11-30 (AD, up to ${adYearMax})`,
}
/** Days in Nepal, the last one included. Either end may be left out: '2026-11-01..'. */
const Days = OneLine(daysError).check(
  z.maxLength(30, daysError),
  z.refine((value) => !isReversed(value), { error: 'must not end before it begins', abort: true }),
  z.refine((value) => isRecent(value) || (betweenOf(value) !== null && !seemsBikramSambat(value)), daysError),
)
export const dates = { kind: 'dates', field: z.optional(Days) } as const

const twoDays = /^((?:\d{4}-\d{2}-\d{2})?)\.\.((?:\d{4}-\d{2}-\d{2})?)$/

function isReversed(value: string): boolean {
  const [, first = '', last = ''] = twoDays.exec(value) ?? []
  return last !== '' && first > last
}

/** First and last day of 'yyyy-MM-dd..yyyy-MM-dd', '' where left out; null when the text has another form. */
export function betweenOf(value: string): { first: string; last: string } | null {
  const [, first = '', last = ''] = twoDays.exec(value) ?? []
  const isEmpty = first === '' && last === ''
  if (isEmpty || !isDay(first) || !isDay(last) || isReversed(value)) return null
  return { first, last }
}

/** Whether the days of a filter, which are AD, were probably meant as Bikram Sambat. */
export function seemsBikramSambat(value: string): boolean {
  const { first, last } = betweenOf(value) ?? { first: '', last: '' }
  return [first, last].some((day) => Number(day.slice(0, 4)) > adYearMax)
}

const isDay = (day: string) => day === '' || (day >= '1900-01-01' && startOf(day) !== null)
/** Null when there is no such day. */
export const startOf = (day: string) => instantOfNepalTime(`${day} 00:00:00`)
