import { ownValue } from '@ghanti/contract/own-values.ts'
import type { CalendarItem, CalendarRepeat } from '@ghanti/contract/calendar.ts'
import { campaignStatusOf, editableStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { Answer } from './week.ts'

/** A day 'yyyy-MM-dd' and the minutes since its midnight, in Nepal. */
export type Place = { day: string; minute: number }

type Refusal = 'begun' | 'notYours' | 'repeats'

export type Plan = Place & {
  key: string
  kind: 'calls' | 'messages' | 'repeat'
  id: number
  name: string
  owner: string
  /** Null for a day of a repeating campaign. */
  status: CampaignStatus | null
  byColumn: boolean
  finishedTime: string | null
  /** Why it cannot be moved; null: it can. The server has the last word. */
  refusal: Refusal | null
}

const dayMinutes = 24 * 60
const stepMinutes = 15

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

export function timeOf(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}

export function wireOf({ day, minute }: Place): string {
  return `${day} ${timeOf(minute)}:00`
}

export function planOf(item: CalendarItem, role: Role): Plan {
  const { kind, campaignId: id, scheduleTime } = item
  const status = campaignStatusOf(item.campaignStatus) ?? null
  return {
    key: `${kind}-${id}`,
    kind,
    id,
    name: item.campaignName,
    owner: item.username,
    status,
    byColumn: false,
    finishedTime: item.finishedTime,
    refusal: refusalOf(status, role),
    day: scheduleTime.slice(0, 10),
    minute: minutesOf(scheduleTime.slice(11, 16)),
  }
}

function refusalOf(status: CampaignStatus | null, role: Role): Refusal | null {
  if (role !== 'user') return 'notYours'
  return editableStatuses.some((editable) => editable === status) ? null : 'begun'
}

function planOfRepeat({ repeatId: id, repeatName: name, day, time, byColumn }: CalendarRepeat): Plan {
  return {
    key: `repeat-${id}-${day}`,
    kind: 'repeat',
    id,
    name,
    owner: '',
    status: null,
    byColumn,
    finishedTime: null,
    refusal: 'repeats',
    day,
    minute: minutesOf(time),
  }
}

export function plansOf({ campaigns, repeats }: Answer, role: Role): Plan[] {
  return inOrder([...campaigns.map((item) => planOf(item, role)), ...repeats.map(planOfRepeat)])
}

function inOrder(plans: readonly Plan[]): Plan[] {
  return plans.toSorted((a, b) => a.day.localeCompare(b.day) || a.minute - b.minute || a.key.localeCompare(b.key))
}

export function pathOf({ kind, id }: Plan): string {
  if (kind === 'repeat') return `/repeating/${id}`
  return kind === 'calls' ? `/voice-campaign-summary/${id}` : `/sms-campaign-report/${id}`
}

const arrows: Record<string, { days: number; steps: number }> = {
  ArrowUp: { days: 0, steps: -1 },
  ArrowDown: { days: 0, steps: 1 },
  ArrowLeft: { days: -1, steps: 0 },
  ArrowRight: { days: 1, steps: 0 },
}

/** Where an arrow key moves it, within the week that is shown and to quarter hours; null: another key. */
export function moved(place: Place, key: string, week: readonly string[]): Place | null {
  const arrow = ownValue(arrows, key)
  if (!arrow) return null
  const at = week.indexOf(place.day) + arrow.days
  const day = week[Math.min(Math.max(at, 0), week.length - 1)] ?? place.day
  const onStep = arrow.steps > 0 ? Math.floor(place.minute / stepMinutes) : Math.ceil(place.minute / stepMinutes)
  const minute = arrow.steps === 0 ? place.minute : (onStep + arrow.steps) * stepMinutes
  return { day, minute: Math.min(Math.max(minute, 0), dayMinutes - stepMinutes) }
}

/** The quarter hour at a point of the grid, whose columns are the days of the week; `x` and `y` as shares of it. */
export function placeAt(x: number, y: number, week: readonly string[]): Place | null {
  const day = week[Math.min(Math.max(Math.floor(x * week.length), 0), week.length - 1)]
  if (day === undefined) return null
  const minute = Math.round((y * dayMinutes) / stepMinutes) * stepMinutes
  return { day, minute: Math.min(Math.max(minute, 0), dayMinutes - stepMinutes) }
}

export function isPast(place: Place, now: Date): boolean {
  const at = instantOfNepalTime(wireOf(place))
  return at === null || at.getTime() <= now.getTime()
}

export type Hours = { from: string; to: string } | null

/** Whether a campaign placed there would wait for its permitted hours. */
export function isClosed({ minute }: Place, hours: Hours): boolean {
  return hours === null || minute < minutesOf(hours.from) || minute >= minutesOf(hours.to)
}

/** The parts of a day outside of its hours, in minutes. */
export function closedParts(hours: Hours): { from: number; to: number }[] {
  if (hours === null) return [{ from: 0, to: dayMinutes }]
  const parts = [
    { from: 0, to: minutesOf(hours.from) },
    { from: minutesOf(hours.to), to: dayMinutes },
  ]
  return parts.filter(({ from, to }) => from < to)
}

const drawnMinutes = 36
/** How many plans fit side by side in one day. The last stands for those that do not fit. */
const lanesMax = 3

export type Drawn = { plan: Plan; lane: number; lanes: number }
export type Crowd = Place & { count: number }

/** Places plans of one day side by side where they would overlap. */
export function laneOut(plans: readonly Plan[]): { drawn: Drawn[]; crowds: Crowd[] } {
  const [drawn, crowds]: [Drawn[], Crowd[]] = [[], []]
  for (const group of groupsOf(plans)) {
    const [first] = group
    const all = group.length > lanesMax ? group.slice(0, lanesMax - 1) : group
    const lanes = Math.min(group.length, lanesMax)
    drawn.push(...all.map((plan, lane) => ({ plan, lane, lanes })))
    if (first && all.length < group.length)
      crowds.push({ day: first.day, minute: first.minute, count: group.length - all.length })
  }
  return { drawn, crowds }
}

/** Plans in order, in groups of plans that overlap. */
function groupsOf(plans: readonly Plan[]): Plan[][] {
  const groups: Plan[][] = []
  let end = -1
  for (const plan of plans) {
    if (plan.minute < end) groups.at(-1)?.push(plan)
    else groups.push([plan])
    end = plan.minute + drawnMinutes
  }
  return groups
}
