import type { Repeat } from '@ghanti/contract/repeats.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'

type Rule = Pick<Repeat, 'rule' | 'weekdays' | 'column' | 'offsetDays' | 'time'>

export function ruleText(rule: Rule, t: TextsOf<'repeats'>, format: Format): string {
  const time = format.digits(rule.time)
  if (rule.rule === 'column') {
    const column = rule.column ?? ''
    const days = format.count(Math.abs(rule.offsetDays))
    if (rule.offsetDays === 0) return t.byColumn.on(column, time)
    return rule.offsetDays < 0 ? t.byColumn.before(days, column, time) : t.byColumn.after(days, column, time)
  }
  if (rule.weekdays.length === 7) return t.everyDay(time)
  return t.onWeekdays(rule.weekdays.map((day) => t.weekdays[day]).join(', '), time)
}
