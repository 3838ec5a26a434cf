import { alertTitle } from '@ghanti/contract/alert-words.ts'
import type { AlertRow } from '@ghanti/contract/alerts.ts'
import type { DomainRow } from '@ghanti/contract/brands.ts'
import type { CallingHours, ExceptionRow } from '@ghanti/contract/calling-hours.ts'
import { rupeesText } from '@ghanti/contract/money.ts'
import { noticeSentences } from '@ghanti/contract/notice-words.ts'
import type { NoticeRow } from '@ghanti/contract/notices.ts'
import type { SuperAdminRow } from '@ghanti/contract/users.ts'
import type { Columns } from './columns.ts'

export const superAdminColumns: Columns<SuperAdminRow> = {
  Username: (row) => row.username,
  Name: (row) => row.name,
  'E-mail': (row) => row.emailid,
  'Open Sessions': (row) => row.sessions,
  'Second Factor': (row) => (row.hasSecondFactor ? 'Yes' : 'No'),
  Created: (row) => row.createdAt,
  State: ({ disabled }) => disabled && `Disabled: ${disabled.reason}`,
}

export const domainColumns: Columns<DomainRow> = {
  Domain: (row) => row.hostname,
  Account: (row) => row.username,
  Company: (row) => row.company,
  'Asked for': (row) => row.askedAt,
  State: (row) => (row.confirmedAt === null ? 'Waiting' : 'Works'),
  'Confirmed by': (row) => row.confirmedBy,
  'Others who wait for it': (row) => row.others,
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
function hoursOf({ enabled, from, to, weekdays: days, ownHours }: CallingHours): string {
  if (!enabled) return 'at any time'
  const own = ownHours.filter(({ weekday }) => days.includes(weekday))
  const others = days.filter((day) => !own.some(({ weekday }) => weekday === day))
  const named = others.length === 7 ? 'every day' : others.map((day) => weekdays[day]).join(', ')
  return [
    ...(others.length > 0 ? [`${from}-${to}, ${named}`] : []),
    ...own.map((one) => `${weekdays[one.weekday]} ${one.from}-${one.to}`),
  ].join('; ')
}

export const hourColumns: Columns<ExceptionRow> = {
  Account: (row) => row.username,
  Company: (row) => row.company,
  Hours: (row) => hoursOf(row.hours),
  Holidays: (row) => row.hours.holidays.length,
  Reason: (row) => row.reason,
  'Set by': (row) => row.changedBy,
  Changed: (row) => row.changedAt,
}

export const noticeColumns: Columns<NoticeRow> = {
  Notice: ({ kind, about, balance }) =>
    noticeSentences[kind]({ about, rupees: balance === null ? '' : rupeesText(balance * 100) }),
  Reason: (row) => row.reason,
  Time: (row) => row.at,
  Times: (row) => row.times,
  State: (row) => (row.read ? 'Read' : 'Unread'),
}

export const alertColumns: Columns<AlertRow> = {
  'What happened': (row) => alertTitle(row.kind),
  Since: (row) => row.raisedAt,
  Where: (row) => row.subject,
  Cause: (row) => [row.detail, ...row.others.map(({ subject, detail }) => `${subject}: ${detail}`)].join('; '),
  Times: (row) => row.times,
  Cleared: (row) => row.clearedAt,
}
