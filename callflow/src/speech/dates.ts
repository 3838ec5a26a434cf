import type { DateOrder } from '@ghanti/contract/date-orders.ts'
import { adYearMax, nepalDayOf } from '@ghanti/contract/time.ts'
import { adOfBs, bsYears, type Day, dayOfIso, hasBsDay, isAdDay, isoOf } from './calendar.ts'
import { readNamedDay } from './months.ts'
import { read, refused, type Reading } from './reading.ts'

/** Longer than a date with a weekday's worth of blanks and a time. */
const lettersMax = 60
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/
const timeAfter = /(?:T| |, )(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\.?)?$/
const instant = /^(\d{4}-\d\d-\d\d)[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

const notADate = 'is not a date: write yyyy-MM-dd'
const noDay = 'is not a day of the calendar'
const beyond = `lies outside the calendar's tables (BS ${bsYears.first} to ${bsYears.last})`
const eitherDay = 'can be two days: say whether the day or the month stands first in its column'
const noDayOf: Record<DateOrder, string> = {
  dmy: 'has no such day: in its column the day stands before the month',
  mdy: 'has no such day: in its column the month stands before the day',
}

/** What a text can mean: one day, or a day for each order. */
type Meant = Reading | Record<DateOrder, Reading>

/**
 * Reads a date in the order of its column. A wrong day must never be spoken: without an order, a date that can be two days is refused, and no
 * date is ever read in another order than its column's.
 */
export function readDate(text: string, order: DateOrder | null): Reading {
  const meant = meantBy(text)
  if ('ok' in meant) return meant
  const { dmy, mdy } = meant
  if (order !== null) {
    const other = order === 'dmy' ? mdy : dmy
    return other.ok && !meant[order].ok ? refused(noDayOf[order]) : meant[order]
  }
  if (dmy.ok && mdy.ok) return dmy.value === mdy.value ? dmy : refused(eitherDay)
  return dmy.ok ? dmy : mdy
}

/** The only order in which the text is a day; 'either' when it is one day in one order and another day in the other; null when no order matters. */
export function orderOfDate(text: string): DateOrder | 'either' | null {
  const meant = meantBy(text)
  if ('ok' in meant) return null
  const { dmy, mdy } = meant
  if (dmy.ok && mdy.ok) return dmy.value === mdy.value ? null : 'either'
  if (dmy.ok) return 'dmy'
  return mdy.ok ? 'mdy' : null
}

function meantBy(text: string): Meant {
  if (text.length > lettersMax) return refused(notADate)
  const zoned = instant.exec(text)
  if (zoned) return dayOfInstant(text, zoned[1] ?? '')
  const date = text.replace(timeAfter, '')
  const [, weekday = '', unnamed = date] = weekdayBefore.exec(date) ?? []
  const named = readNamedDay(unnamed)
  if (named) {
    const isOfCalendar = (named.calendar === 'bs') === named.year > adYearMax
    return isOfCalendar ? onWeekday(readDay(named), weekday) : refused(noDay)
  }
  const [, before = '', figures = '', after = ''] = marked.exec(date.replace(/(\d)।(?=\d)/g, '$1.')) ?? []
  const [, year, , second, third] = yearFirst.exec(figures) ?? []
  if (year !== undefined) return isMarked(year, before + after) ? readDay(dayOf(year, second, third)) : refused(noDay)
  const [, first, , middle, last = ''] = before === '' ? (yearLast.exec(figures) ?? []) : []
  if (first === undefined) return refused(notADate)
  if (!isMarked(last, after)) return refused(noDay)
  return { dmy: readDay(dayOf(last, middle, first)), mdy: readDay(dayOf(last, first, middle)) }
}

/** Sunday is the first. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekdayBefore = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\.?,? (.*)$/i

/** A date whose weekday is another one may be any day. */
function onWeekday(day: Reading, weekday: string): Reading {
  if (!day.ok || weekday === '') return day
  return weekdays[new Date(day.value).getUTCDay()] === weekday.toLowerCase() ? day : refused(noDay)
}

/** The calendar in words, before figures or behind them; days of BS are counted in गते. */
const marked =
  /^(?:(b\.?s\.?|a\.?d\.?|वि\. ?सं\.|ई\. ?सं\.|सन्):? ?)?(\d[\d/.-]*)(?: ?\(?(b\.?s\.?|a\.?d\.?|वि\. ?सं\.|ई\. ?सं\.|गते|gate)\)?)?$/i

/** Whether the year is of the calendar that the marks name, if they name one. */
function isMarked(year: string, marks: string): boolean {
  return marks === '' || /^(?:b|वि|ग|g)/i.test(marks) === Number(year) > adYearMax
}

function dayOf(year?: string, month?: string, day?: string): Day {
  return { year: Number(year), month: Number(month), day: Number(day) }
}

function readDay(day: Day): Reading {
  if (day.year > adYearMax) {
    const ad = adOfBs(day)
    if (ad === 'beyond') return refused(beyond)
    return ad ? read(isoOf(ad)) : refused(noDay)
  }
  if (!isAdDay(day)) return refused(noDay)
  return hasBsDay(day) ? read(isoOf(day)) : refused(beyond)
}

/** A time with a zone is a moment, and its day is the one in Nepal: programs write the midnight of 22 November as 2026-11-21T18:15:00Z. */
function dayOfInstant(text: string, date: string): Reading {
  const written = dayOfIso(date)
  if (written.year > adYearMax) return refused(notADate)
  const day = isAdDay(written) ? readDay(written) : refused(noDay)
  return day.ok ? readDay(dayOfIso(nepalDayOf(new Date(text.replace(' ', 'T'))))) : day
}
