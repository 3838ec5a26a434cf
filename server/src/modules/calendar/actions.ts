import { calendarItemsMax, type CalendarItem, type calendarRoutes } from '@ghanti/contract/calendar.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { addDays } from '@ghanti/contract/days.ts'
import type { InputOf, ReplyOf } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { ofScope } from '../../db/search/campaigns.ts'
import { AppError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOfPath } from '../../policy.ts'
import { callingHoursOf, settingOf } from '../platform/actions.ts'
import { openOn } from '../platform/rules-hours.ts'
import { repeatsBetween } from '../repeats/actions.ts'
import { daysOf, midnightOf, rangeProblems } from './rules.ts'
import * as store from './store.ts'

type Asked = InputOf<typeof calendarRoutes.range>

export async function calendarOf({ app, viewer }: Ctx, asked: Asked): Promise<ReplyOf<typeof calendarRoutes.range>> {
  const { userId, from, to } = asked
  const problems = rangeProblems(from, to)
  if (problems.length > 0) throw new AppError('bad_input', problems)
  const owned = await ofScope(app.db, await scopeOfPath(app.db, viewer, userId))
  const range = { from: midnightOf(from), to: midnightOf(addDays(to, 1)) }
  const [calls, messages, unfinished, repeats, callHours, messageHours] = await Promise.all([
    store.beginning(app.db, 'calls', owned, range),
    store.beginning(app.db, 'messages', owned, range),
    store.unfinishedBefore(app.db, owned, range.from),
    userId === viewer.userId ? repeatsBetween(app.db, userId, from, to) : [],
    callingHoursOf(app.db, userId),
    settingOf(app.db, 'smsHours'),
  ])
  const campaigns = [...calls, ...messages].toSorted((a, b) => a.startAt.getTime() - b.startAt.getTime())
  const shown = campaigns.slice(0, calendarItemsMax)
  const all = campaigns.length > shown.length ? await store.count(app.db, owned, range) : campaigns.length
  return {
    campaigns: shown.map(wireOf),
    more: all - shown.length,
    unfinished: unfinished.map(wireOf),
    repeats: repeats.slice(0, calendarItemsMax),
    days: daysOf(from, to).map((day) => ({ day, calls: openOn(callHours, day), messages: openOn(messageHours, day) })),
  }
}

function wireOf({ status, startAt, finishedAt, ...shown }: store.Item): CalendarItem {
  return {
    ...shown,
    campaignStatus: campaignStatusCode[status],
    scheduleTime: nepalTimeOf(startAt),
    finishedTime: finishedAt && nepalTimeOf(finishedAt),
  }
}
