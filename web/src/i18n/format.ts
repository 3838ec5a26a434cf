import { deletedNumber, nationalOf } from '@ghanti/contract/phone.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { Language } from './areas.ts'
import { useDayConverter } from './chosen-calendar.ts'
import { digitsFor, useDigitScript, type DigitScript } from './chosen-digits.ts'
import { textsOf, useLanguage } from './language.ts'

// Chromium has no Nepali number format (Intl.supportedLocalesOf('ne') is empty): en-IN groups by lakh, and digits are converted here.
const whole = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 })
const money = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Numbers, money, times and telephone numbers by language: lakh grouping in both, Devanagari digits in Nepali. */
export type Format = ReturnType<typeof makeFormat>

function makeFormat(language: Language, bikramSambat: ReturnType<typeof useDayConverter>) {
  const digits = (figure: string) => digitsFor(language, figure)
  const count = (value: number) => digits(whole.format(value))
  const moment = (text: string) => {
    const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
    return digits(`${(day && bikramSambat?.(day)) || day}${text.slice(day.length)}`)
  }
  return {
    digits,
    /** 'bs' when dates are written in Bikram Sambat; days outside its table stay AD. */
    calendar: bikramSambat ? ('bs' as const) : ('ad' as const),
    /** A time of the wire, or its beginning, with the day in the reader's calendar. */
    moment,
    /** 1,23,456 */
    count,
    /** 18,450.50, without Rs. */
    rupees: (value: number) => digits(money.format(value)),
    /** Of a file: 5 kB, 1.2 MB. Rounded up, so that only an empty one has 0. */
    size: (bytes: number) => {
      const kilobytes = Math.ceil(bytes / 1000)
      return digits(kilobytes < 1000 ? `${kilobytes} kB` : `${(Math.ceil(bytes / 100_000) / 10).toFixed(1)} MB`)
    },
    /** A time of the wire, which is Nepal time, without its seconds. */
    time: (wire: string) => moment(wire.slice(0, 16)),
    timeWithSeconds: moment,
    day: (wire: string) => moment(wire.slice(0, 10)),
    /** 'in 2 h', '3 days ago'; '' for an invalid time. */
    untilOrSince: (wire: string, now: Date = new Date()) => {
      const instant = instantOfNepalTime(wire)
      return instant ? untilOrSince(instant.getTime() - now.getTime(), count) : ''
    },
    /** A length in milliseconds as m:ss. */
    length: (ms: number) => {
      const seconds = Math.round(ms / 1000)
      return digits(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)
    },
    /** Grouped: 98123 45678, 01-597 0001. The name of a caller ID group stays as it is. */
    phone: (phone: string) => {
      if (!/\p{L}/u.test(phone)) return digits(grouped(phone))
      return phone === deletedNumber && language === 'ne' ? '(मेटाइयो)' : phone
    },
  }
}

/** Takes +977…, ten digits of a mobile, or 0 and eight of a landline; returns anything else unchanged. */
function grouped(phone: string): string {
  const national = nationalOf(phone)
  if (/^9\d{9}$/.test(national)) return `${national.slice(0, 5)} ${national.slice(5)}`
  // The area code has one digit in the valley (01), two elsewhere.
  if (/^01\d{7}$/.test(national)) return `01-${national.slice(2, 5)} ${national.slice(5)}`
  if (/^0\d{8}$/.test(national)) return `${national.slice(0, 3)}-${national.slice(3)}`
  return phone
}

const sizes = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

function untilOrSince(ms: number, count: (value: number) => string): string {
  const { time } = textsOf('common')
  const size = sizes.find((size) => Math.abs(ms) >= size.ms)
  if (!size) return time.now
  return (ms > 0 ? time.in : time.ago)[size.unit](count(Math.round(Math.abs(ms) / size.ms)))
}

type Calendars = { ad: Format | null; bs: Format | null }
/** Each made once, because lists are memoised by their format. Each script has its own, so that a change of digits renders again. */
const made: Record<Language, Record<DigitScript, Calendars>> = {
  en: { devanagari: { ad: null, bs: null }, latin: { ad: null, bs: null } },
  ne: { devanagari: { ad: null, bs: null }, latin: { ad: null, bs: null } },
}

function formatOf(language: Language, script: DigitScript, bikramSambat: ReturnType<typeof useDayConverter>): Format {
  return (made[language][script][bikramSambat ? 'bs' : 'ad'] ??= makeFormat(language, bikramSambat))
}

/** In the current language, digits and calendar. */
export function useFormat(): Format {
  return formatOf(useLanguage(), useDigitScript(), useDayConverter())
}
