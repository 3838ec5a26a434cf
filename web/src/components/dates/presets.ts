import { addDays } from '@ghanti/contract/days.ts'
import { addMonths, daysOf, monthOf, type Month } from './calendars.ts'
import type { CalendarName } from '../../i18n/chosen-calendar.ts'

/** Inclusive, 'yyyy-MM-dd' (AD); '' is no limit on that side. */
export type DateRange = { from: string; to: string }

export const presetNames = ['today', 'yesterday', 'lastSevenDays', 'thisMonth', 'lastMonth'] as const
export type PresetName = (typeof presetNames)[number]

/** `today` is Nepal's. Months are those of the reader's calendar, or AD's for days outside it. */
export function presetRange(preset: PresetName, today: string, chosen: CalendarName): DateRange {
  const calendar = monthOf(chosen, today) ? chosen : 'ad'
  const month = monthOf(calendar, today) ?? { year: 0, month: 1 }
  if (preset === 'today') return { from: today, to: today }
  if (preset === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) }
  if (preset === 'lastSevenDays') return { from: addDays(today, -6), to: today }
  return wholeMonth(calendar, preset === 'thisMonth' ? month : addMonths(month, -1))
}

function wholeMonth(calendar: CalendarName, month: Month): DateRange {
  const days = daysOf(calendar, month)
  return { from: days[0] ?? '', to: days.at(-1) ?? '' }
}
