import { adYearMax } from '@ghanti/contract/time.ts'
import { readMonthName } from './months.ts'
import { read, refused, type Reading } from './reading.ts'

/**
 * A month with ASCII digits: its number or name, with or without its year ('2083 Mangsir', 'Nov-26', '2083/08'), or a day of it, which is what a
 * spreadsheet makes of 'Nov-26'. The name or the year tells the calendar; neither year nor day is spoken.
 */
export function readMonth(text: string): Reading {
  const number = /^0?([1-9]|1[0-2])$/.exec(text)?.[1]
  if (number !== undefined) return read(number)
  const name = readMonthName(text)
  if (name !== undefined) return read(name)
  return named(text) ?? numbered(text) ?? refused('is not a month: write 1 to 12 or its name')
}

/** Not longer than a day and a year around a name. */
const wordsMax = 3
const lettersMax = 40

function named(text: string): Reading | null {
  if (text.length > lettersMax) return null
  const words = text.split(/[\s,/'’–-]+/).filter((word) => word !== '')
  const names = words.flatMap((word) => readMonthName(word) ?? [])
  const others = words.filter((word) => /^(?:\d{1,2}|\d{4})$/.test(word))
  const years = others.filter((word) => word.length === 4)
  const [month = ''] = names
  if (words.length > wordsMax || names.length !== 1 || others.length !== words.length - 1) return null
  if (years.length > 1 || years.some((year) => calendarOf(year) !== month.slice(0, 2))) return null
  return read(month, others)
}

/** 'yyyy-M', 'M/yyyy', 'yyyy-M-d', and the last with a time. */
function numbered(text: string): Reading | null {
  const parts =
    /^(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})(?:\k<sign>(?<day>\d{1,2}))?(?<time>[ T]\d\d:\d\d:\d\d)?$/.exec(
      text,
    ) ?? /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/.exec(text)
  const { year = '', month = '', day, time } = parts?.groups ?? {}
  const isMonth = Number(month) >= 1 && Number(month) <= 12 && Number(day ?? 1) >= 1 && Number(day ?? 1) <= 32
  if (!isMonth || (time !== undefined && day === undefined)) return null
  return read(`${calendarOf(year)}:${Number(month)}`, [year, ...(day === undefined ? [] : [day])])
}

const calendarOf = (year: string): 'ad' | 'bs' => (Number(year) > adYearMax ? 'bs' : 'ad')
