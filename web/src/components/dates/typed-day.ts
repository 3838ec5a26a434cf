import { useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import { bsEnd, readTyped, saidIn, seemsOther, textOf, unreadable, type Unread } from './calendars.ts'
import { useCalendar } from '../../i18n/chosen-calendar.ts'
import { isDay } from './day.ts'

type Limits = { min?: string | undefined; max?: string | undefined }

/** The text of a date field while it is typed, its meaning, and the message about it. */
export function useTypedDay(value: string, onChange: (day: string) => void, { min, max }: Limits) {
  const t = useTexts('dates')
  const language = useLanguage()
  const calendar = useCalendar()
  const format = useFormat()
  const other = calendar === 'ad' ? 'bs' : 'ad'
  /** Typed text stays as typed until the field is left or the value changes otherwise. */
  const [typed, setTyped] = useState<{ text: string; value: string; calendar: string } | null>(null)
  const [left, setLeft] = useState(true)
  /** The initial day may stay even beyond the limits. */
  const [kept] = useState(value)
  const stands = typed?.value === value && typed.calendar === calendar
  const text = stands ? typed.text : format.digits(textOf(value, calendar))

  const type = (next: string) => {
    const read = readTyped(next, calendar)
    const day = read === null ? '' : 'day' in read ? read.day : unreadable(next)
    setTyped({ text: next, value: day, calendar })
    setLeft(false)
    if (day !== value) onChange(day)
  }
  const leave = () => {
    setTyped(null)
    setLeft(true)
  }
  return { text, type, leave, fault: left ? faultOf() : undefined, beside: besideOf() }

  function faultOf(): string | undefined {
    if (value === '') return undefined
    if (isDay(value)) return value === kept ? undefined : limitOf()
    const read = readTyped(textOf(value, calendar), calendar)
    const why: Unread = read && 'fault' in read ? read.fault : 'no date'
    return why === 'beyond'
      ? t.beyond(format.digits(String(bsEnd.year)))
      : t.noDate(textOf(value, calendar), format.digits(t.pattern))
  }

  function limitOf(): string | undefined {
    const say = (day: string) => saidIn(calendar, day, language) ?? format.digits(day)
    if (min !== undefined && value < min) return t.tooEarly(say(min))
    return max !== undefined && value > max ? t.tooLate(say(max)) : undefined
  }

  function besideOf(): string | undefined {
    if (!isDay(value)) return undefined
    if (seemsOther(calendar, value)) return t.seems[other]
    const said = saidIn(other, value, language)
    if (calendar === 'ad') return said === null ? t.noBikramSambat(format.digits(bsEnd.day)) : t.in.bs(said)
    return saidIn('bs', value, language) === null ? t.noBikramSambat(format.digits(bsEnd.day)) : t.in.ad(said ?? '')
  }
}
