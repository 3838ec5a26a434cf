import { ownValue } from '@ghanti/contract/own-values.ts'
import { addDays, weekdayOf } from '@ghanti/contract/days.ts'
import { ActionIcon } from '@mantine/core'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import { bsEnd, daysOf, inMonths, monthName, monthOf, saidIn, writtenIn } from './calendars.ts'
import classes from './Calendar.module.css'
import { useCalendar, type CalendarName } from '../../i18n/chosen-calendar.ts'
import { isDay } from './day.ts'
import type { DateRange } from './presets.ts'

type CalendarProps = {
  /** From the first to the last chosen day; equal for a single day. */
  chosen: DateRange
  min?: string | undefined
  max?: string | undefined
  onPick: (day: string) => void
}

const saturday = 6

/**
 * A month to pick a day from. Keys follow the WAI-ARIA date grid: arrows move by days and weeks, Home and End within the week, Page Up and
 * Page Down by months, with Shift by years. Weeks start on Sunday; Saturday is the holiday. Small figures are the other calendar's days.
 */
export function Calendar({ chosen, min, max, onPick }: CalendarProps) {
  const t = useTexts('dates')
  const calendar = useCalendar()
  const [today] = useState(() => nepalDayOf(new Date()))
  const [focused, setFocused] = useState(() => firstFocus(chosen.from, today, min, max))
  const moved = useRef(false)
  const grid = useRef<HTMLTableElement>(null)
  // The Bikram Sambat table ends before AD does.
  const at = monthOf(calendar, focused) ? focused : bsEnd.day
  const days = daysOf(calendar, monthOf(calendar, at) ?? { year: 0, month: 0 })
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  })

  const go = (day: string | null) => {
    if (day === null || !monthOf(calendar, day)) return
    setFocused(day)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = goal(event, calendar, at)
    if (to === undefined) return
    event.preventDefault()
    moved.current = true
    go(to)
  }
  const isOut = (day: string) => (min !== undefined && day < min) || (max !== undefined && day > max)
  return (
    <div className={classes.calendar}>
      <Head calendar={calendar} days={days} at={at} go={go} />
      <table ref={grid} role="grid" aria-label={t.days} className={classes.grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {t.weekdays.map(({ short, long }, weekday) => (
              <th key={long} scope="col" abbr={long} data-holiday={weekday === saturday || undefined}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(days).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, weekday) =>
                day === null ? (
                  <td key={weekday} />
                ) : (
                  <DayCell
                    key={weekday}
                    {...{ day, calendar, weekday }}
                    isToday={day === today}
                    isFocus={day === at}
                    isOut={isOut(day)}
                    isEnd={day === chosen.from || day === chosen.to}
                    isBetween={isDay(chosen.from) && isDay(chosen.to) && day > chosen.from && day < chosen.to}
                    onPick={() => {
                      setFocused(day)
                      onPick(day)
                    }}
                  />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function firstFocus(chosen: string, today: string, min?: string, max?: string): string {
  if (isDay(chosen)) return chosen
  if (min !== undefined && today < min) return min
  return max !== undefined && today > max ? max : today
}

/** The day to which a key leads; null when there is none, undefined for other keys. */
function goal(event: KeyboardEvent, calendar: CalendarName, day: string): string | null | undefined {
  const weekday = weekdayOf(day)
  const byDays: Partial<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekday,
    End: saturday - weekday,
  }
  const days = ownValue(byDays, event.key)
  if (days !== undefined) return addDays(day, days)
  if (event.key !== 'PageUp' && event.key !== 'PageDown') return undefined
  return inMonths(calendar, day, (event.key === 'PageUp' ? -1 : 1) * (event.shiftKey ? 12 : 1))
}

function weeksOf(days: readonly string[]): (string | null)[][] {
  const before = days[0] === undefined ? 0 : weekdayOf(days[0])
  const cells = [...Array.from({ length: before }, () => null), ...days]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => cells[week * 7 + weekday] ?? null),
  )
}

type HeadProps = { calendar: CalendarName; days: readonly string[]; at: string; go: (day: string | null) => void }

/** 'Mangsir 2083' over 'November – December 2026', and the buttons to other months. */
function Head({ calendar, days, at, go }: HeadProps) {
  const t = useTexts('dates')
  const language = useLanguage()
  const month = monthOf(calendar, at)
  const other = calendar === 'ad' ? 'bs' : 'ad'
  const ends = [days[0], days.at(-1)].map((day) => (day === undefined ? null : monthOf(other, day)))
  const [first, last] = ends.map((end) => end && monthName(other, end, language))
  const step = (months: number, label: string, Icon: typeof IconChevronLeft) => {
    const to = inMonths(calendar, at, months)
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        title={label}
        disabled={to === null}
        onClick={() => go(to)}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <div className={classes.head}>
      {step(-12, t.previousYear, IconChevronsLeft)}
      {step(-1, t.previousMonth, IconChevronLeft)}
      <div className={classes.month} aria-live="polite">
        <strong>{month && monthName(calendar, month, language)}</strong>
        <span>{first && last && (first === last ? first : `${first} – ${last}`)}</span>
      </div>
      {step(1, t.nextMonth, IconChevronRight)}
      {step(12, t.nextYear, IconChevronsRight)}
    </div>
  )
}

type DayCellProps = {
  day: string
  calendar: CalendarName
  weekday: number
  isToday: boolean
  isFocus: boolean
  isOut: boolean
  isEnd: boolean
  isBetween: boolean
  onPick: () => void
}

function DayCell({ day, calendar, weekday, isToday, isFocus, isOut, isEnd, isBetween, onPick }: DayCellProps) {
  const t = useTexts('dates')
  const format = useFormat()
  const language = useLanguage()
  const other = calendar === 'ad' ? 'bs' : 'ad'
  const number = (name: CalendarName) => format.digits(String(Number(writtenIn(name, day)?.slice(8) ?? '') || ''))
  const said = saidIn(other, day, language)
  const label = [t.weekdays[weekday]?.long, saidIn(calendar, day, language), said && t.in[other](said)]
  return (
    <td
      role="gridcell"
      aria-selected={isEnd || isBetween}
      className={classes.cell}
      data-between={isBetween || undefined}
    >
      <button
        type="button"
        tabIndex={isFocus ? 0 : -1}
        className={classes.day}
        aria-label={label.filter(Boolean).join(', ')}
        aria-current={isToday ? 'date' : undefined}
        aria-disabled={isOut || undefined}
        data-autofocus={isFocus || undefined}
        data-chosen={isEnd || undefined}
        data-holiday={weekday === saturday || undefined}
        // Escape closes the calendar but not a dialog around it.
        data-other={number(other)}
        data-mantine-stop-propagation="true"
        onClick={() => !isOut && onPick()}
      >
        {number(calendar)}
      </button>
    </td>
  )
}
