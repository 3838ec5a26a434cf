import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import {
  composedMinutesBefore,
  graceMinutes,
  repeatDaysMax,
  repeatsMax,
  type RepeatRule,
  type RepeatState,
} from '@ghanti/contract/repeats.ts'
import { comingDay, startOf, startOfDay } from '@ghanti/contract/repeat-days.ts'
import type { FieldError } from '../../errors.ts'

const minuteMs = 60_000
const dayMs = 24 * 3600_000

export const words = {
  tooMany: `is one too many: an account has at most ${repeatsMax} repeating campaigns, delete one that has ended`,
  taken: 'is the name of another of your repeating campaigns',
  noSetup: 'is not a set-up of yours',
  noDays: 'leaves no day: every one has passed, or none is chosen',
  over: 'is over: its last day has passed',
  notEnded: 'has not ended: end it first',
  isNot: (state: RepeatState, done: string) => `is ${state} and cannot be ${done}`,
  disabled: 'was not composed: the account is disabled',
  broken: 'was not composed: the server failed several times',
}

export function composedAt(day: string, time: string): Date {
  return new Date(startOf(day, time).getTime() - composedMinutesBefore * minuteMs)
}

/** Whether it is too late to compose this day. */
export function isMissed(day: string, time: string, now: Date): boolean {
  return now.getTime() > startOf(day, time).getTime() + graceMinutes * minuteMs
}

/** What is wrong with a rule by itself. `columns`: those of the contact file. */
export function ruleProblems(asked: RepeatRule, columns: readonly string[] | undefined, now: Date): FieldError[] {
  const { rule, weekdays, column, fromDay, untilDay, time } = asked
  const wrong: FieldError[] = []
  const add = (field: string, text: string, code: FaultCode = 'invalid') => void wrong.push({ field, code, text })
  if (rule === 'weekly' && !weekdays) add('weekdays', 'is required', 'required')
  if (rule === 'column' && column === undefined) add('column', 'is required', 'required')
  if (rule === 'column' && column !== undefined && columns && !columns.slice(1).includes(column))
    add('column', 'is not a column of the contact file')
  const [from, until] = [startOfDay(fromDay, time), startOfDay(untilDay, time)]
  if (!from) add('fromDay', 'is not a day of the calendar')
  if (!until) add('untilDay', 'is not a day of the calendar')
  if (from && until && until < from) add('untilDay', 'must not be before the beginning')
  if (until && until.getTime() > now.getTime() + repeatDaysMax * dayMs)
    add('untilDay', `is more than ${repeatDaysMax} days ahead`)
  if (wrong.length === 0 && comingDay(asked, now) === null) add('untilDay', words.noDays)
  return wrong
}
