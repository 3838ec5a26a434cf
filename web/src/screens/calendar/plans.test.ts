import type { CalendarItem } from '@ghanti/contract/calendar.ts'
import { expect, test } from 'vitest'
import { addDays, weekOf } from '@ghanti/contract/days.ts'
import { closedParts, isClosed, isPast, laneOut, moved, placeAt, planOf } from './plans.ts'

const week = Array.from({ length: 7 }, (_, n) => addDays('2026-11-29', n))
const at = (time: string, day = '2026-11-30') => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { day, minute: hours * 60 + minutes }
}
const item = (of: Partial<CalendarItem> = {}): CalendarItem => ({
  kind: 'calls',
  campaignId: 7,
  campaignName: 'Dues',
  username: 'gita',
  campaignStatus: 0,
  scheduleTime: '2026-11-30 10:07:31',
  finishedTime: null,
  ...of,
})

test.each([
  { why: 'a Sunday begins its week', day: '2026-11-29', from: '2026-11-29', to: '2026-12-05' },
  { why: 'a Saturday ends it', day: '2026-12-05', from: '2026-11-29', to: '2026-12-05' },
  { why: 'over the end of a year', day: '2027-01-01', from: '2026-12-27', to: '2027-01-02' },
])('weeks: $why', ({ day, from, to }) => expect(weekOf(day)).toEqual({ from, to }))

test.each([
  { why: 'down by a quarter hour', from: at('10:00'), key: 'ArrowDown', to: at('10:15') },
  { why: 'up by a quarter hour', from: at('10:00'), key: 'ArrowUp', to: at('09:45') },
  { why: 'down to the next quarter hour', from: at('10:07'), key: 'ArrowDown', to: at('10:15') },
  { why: 'up to the quarter hour before', from: at('10:07'), key: 'ArrowUp', to: at('10:00') },
  { why: 'right by a day, at the same minute', from: at('10:07'), key: 'ArrowRight', to: at('10:07', '2026-12-01') },
  { why: 'not before the week', from: at('10:00', '2026-11-29'), key: 'ArrowLeft', to: at('10:00', '2026-11-29') },
  { why: 'not after the week', from: at('10:00', '2026-12-05'), key: 'ArrowRight', to: at('10:00', '2026-12-05') },
  { why: 'not over midnight', from: at('23:45'), key: 'ArrowDown', to: at('23:45') },
  { why: 'other keys not at all', from: at('10:00'), key: 'a', to: null },
])('arrow keys: $why', ({ from, key, to }) => expect(moved(from, key, week)).toEqual(to))

test.each([
  { why: 'the first column', x: 0, y: 0, to: at('00:00', '2026-11-29') },
  { why: 'the nearest quarter hour', x: 0.2, y: 10.1 / 24, to: at('10:00', '2026-11-30') },
  { why: 'beyond the last column', x: 1.2, y: 1.2, to: at('23:45', '2026-12-05') },
  { why: 'before the first', x: -0.2, y: -0.2, to: at('00:00', '2026-11-29') },
])('the mouse: $why', ({ x, y, to }) => expect(placeAt(x, y, week)).toEqual(to))

test('the past is what is not to come in Nepal, whatever the browser’s zone', () => {
  const now = new Date('2026-11-30T10:00:00+05:45')
  expect([isPast(at('10:00'), now), isPast(at('10:15'), now)]).toEqual([true, false])
})

test('hours end with the minute from which no call begins', () => {
  const hours = { from: '07:00', to: '21:00' }
  expect(['06:59', '07:00', '20:59', '21:00'].map((time) => isClosed(at(time), hours))).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(isClosed(at('12:00'), null)).toBe(true)
  expect(closedParts(hours)).toEqual([
    { from: 0, to: 420 },
    { from: 1260, to: 1440 },
  ])
  expect(closedParts({ from: '00:00', to: '24:00' })).toEqual([])
})

test.each([
  { why: 'a ready one can be', of: {}, role: 'user' as const, is: null },
  { why: 'one that is being prepared can be', of: { campaignStatus: 21 }, role: 'user' as const, is: null },
  { why: 'a running one cannot', of: { campaignStatus: 1 }, role: 'user' as const, is: 'begun' },
  { why: 'a reseller moves none', of: {}, role: 'reseller' as const, is: 'notYours' },
])('what is moved: $why', ({ of, role, is }) => expect(planOf(item(of), role).refusal).toBe(is))

test('what would cover one another stands side by side, and from the fourth on is counted', () => {
  const plans = ['10:00', '10:15', '12:00', '14:00', '14:00', '14:00', '14:10'].map((time, n) =>
    planOf(item({ campaignId: n, scheduleTime: `2026-11-30 ${time}:00` }), 'user'),
  )
  const { drawn, crowds } = laneOut(plans)
  expect(drawn.map(({ plan, lane, lanes }) => [plan.id, lane, lanes])).toEqual([
    [0, 0, 2],
    [1, 1, 2],
    [2, 0, 1],
    [3, 0, 3],
    [4, 1, 3],
  ])
  expect(crowds).toEqual([{ day: '2026-11-30', minute: 840, count: 2 }])
})
