import { addDays } from '@ghanti/contract/days.ts'
import { comingDay, daysFrom } from '@ghanti/contract/repeat-days.ts'
import { repeatDaysMax, repeatNameMax, type repeatRoutes } from '@ghanti/contract/repeats.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { SentOf } from '../../api/client.ts'
import { isDay } from '../../components/dates/day.ts'

export const rules = ['weekly', 'column'] as const
export const whens = ['before', 'on', 'after'] as const
export const ends = ['day', 'count'] as const
export const everyDay = ['0', '1', '2', '3', '4', '5', '6']

export type RepeatForm = {
  repeatName: string
  setupId: string | null
  baseId: string | null
  rule: (typeof rules)[number]
  weekdays: string[]
  column: string | null
  when: (typeof whens)[number]
  offsetDays: string
  time: string | null
  fromDay: string | null
  ends: (typeof ends)[number]
  untilDay: string | null
  /** How often it repeats, for days of the week. `untilDay` is then the last of these days. */
  count: string
}
const monthDays = 30

export function blankForm(now: Date): RepeatForm {
  const tomorrow = addDays(nepalDayOf(now), 1)
  return {
    repeatName: '',
    setupId: null,
    baseId: null,
    rule: 'weekly',
    weekdays: everyDay,
    column: null,
    when: 'before',
    offsetDays: '3',
    time: '10:00',
    fromDay: tomorrow,
    ends: 'day',
    untilDay: addDays(tomorrow, monthDays - 1),
    count: '10',
  }
}

export function lastDay(now: Date): string {
  return addDays(nepalDayOf(now), repeatDaysMax - 1)
}

export const times = Array.from(
  { length: 96 },
  (_, n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`,
)

const isWholeNumber = (text: string) => /^\d{1,3}$/.test(text.trim())

/** Whether it may end after a number of times. For a rule by column, only the contact file tells on which days it calls anybody. */
export function isCounted({ rule, ends: how }: Pick<RepeatForm, 'rule' | 'ends'>): boolean {
  return rule === 'weekly' && how === 'count'
}

/** The days on which it would repeat if it ran for as long as permitted, for a form whose other fields are valid. */
function daysOf({ weekdays, time, fromDay }: RepeatForm, now: Date): string[] {
  if (time === null || !isDay(fromDay ?? '') || fromDay === null) return []
  const days = { rule: 'weekly', weekdays: weekdays.map(Number), time, fromDay, untilDay: lastDay(now) } as const
  return daysFrom(days, comingDay(days, now), repeatDaysMax)
}

function countProblem(form: RepeatForm, now: Date): string | null {
  const most = daysOf(form, now).length
  const count = isWholeNumber(form.count) ? Number(form.count) : 0
  if (count >= 1 && (most === 0 || count <= most)) return null
  return `must be a whole number from 1 to ${most === 0 ? repeatDaysMax : most}`
}

/** Why the form cannot be sent, by field. The server has the last word. */
export function problemsOf(form: RepeatForm, now: Date): Partial<Record<keyof RepeatForm, string>> {
  const missing = 'is required'
  const byColumn = form.rule === 'column'
  const counted = isCounted(form)
  const wrongCount = counted ? countProblem(form, now) : null
  const name = form.repeatName.trim()
  return {
    ...(name === '' && { repeatName: missing }),
    ...(name.length > repeatNameMax && { repeatName: `is longer than ${repeatNameMax} characters` }),
    ...(form.setupId === null && { setupId: missing }),
    ...(form.baseId === null && { baseId: missing }),
    ...(!byColumn && form.weekdays.length === 0 && { weekdays: missing }),
    ...(byColumn && form.column === null && { column: missing }),
    ...(byColumn &&
      form.when !== 'on' &&
      !isWholeNumber(form.offsetDays) && { offsetDays: `must be a whole number from 1 to ${repeatDaysMax}` }),
    ...(form.time === null && { time: missing }),
    ...(!isDay(form.fromDay ?? '') && { fromDay: form.fromDay ? 'is not a day of the calendar' : missing }),
    ...(wrongCount !== null && { count: wrongCount }),
    ...(!counted &&
      !isDay(form.untilDay ?? '') && { untilDay: form.untilDay ? 'is not a day of the calendar' : missing }),
  }
}

type Body = SentOf<typeof repeatRoutes.next>

/** The rule and its file; null while something is missing. */
export function ruleBody(form: RepeatForm, now: Date): Body | null {
  const { repeatName: _n, setupId: _s, ...wrong } = problemsOf(form, now)
  const { rule, baseId, column, time, fromDay } = form
  const untilDay = isCounted(form) ? (daysOf(form, now)[Number(form.count) - 1] ?? null) : form.untilDay
  if (Object.keys(wrong).length > 0 || baseId === null || time === null || fromDay === null || untilDay === null)
    return null
  const always = { rule, baseId: Number(baseId), time, fromDay, untilDay }
  if (rule === 'weekly') return { ...always, weekdays: form.weekdays.map(Number), offsetDays: 0 }
  const days = form.when === 'on' ? 0 : Number(form.offsetDays)
  return { ...always, ...(column !== null && { column }), offsetDays: form.when === 'before' ? -days : days }
}
