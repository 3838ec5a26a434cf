import { instantOfNepalTime, nepalTimeOf } from '@ghanti/contract/time.ts'
import { expect, test } from 'vitest'
import { defaultCallingHours } from '../platform/rules-hours.ts'
import { startOfCalls, type StartContext, type Way } from './rules-start.ts'

const at = (text: string): Date => instantOfNepalTime(text) ?? new Date(Number.NaN)
const way: Way = {
  dialerDown: null,
  unusable: null,
  held: null,
  dialer: { name: 'KTM', channels: 100, callsPerSecond: 10 },
  trunk: { name: 'NT-1', channels: 100, callsPerSecond: 10 },
  cli: { number: '015970001', channels: 30 },
  accountChannels: 30,
}
const block = (kind: string, target_id: number | null) => ({ kind, target_id, reason: 'complaints' })
/** 2026-11-20 is a Friday. */
const friday = '2026-11-20'
const stopped = (what: string) => `all dialling ${what} is stopped by the administrator: complaints`

type Case = {
  why: string
  wanted?: string
  hours?: Partial<StartContext['hours']>
  fixtures?: Partial<StartContext>
  way?: Partial<Way>
  starts: string | null
  opens?: string
  reasons?: string[]
}
test.each<Case>([
  { why: 'in the hours it starts at once', starts: `${friday} 12:00:00` },
  { why: 'or at its time', wanted: '2026-11-21 09:15:00', starts: '2026-11-21 09:15:00' },
  {
    why: 'in the evening it starts the next morning',
    wanted: `${friday} 21:30:00`,
    starts: '2026-11-21 07:00:00',
    opens: '2026-11-21 07:00:00',
    reasons: ['outside calling hours, dials from 2026-11-21 07:00'],
  },
  {
    why: 'early in the morning when they open',
    wanted: `${friday} 05:00:00`,
    starts: `${friday} 07:00:00`,
    opens: `${friday} 07:00:00`,
    reasons: ['outside calling hours, dials from 07:00'],
  },
  {
    why: 'within the last second of the hours no call begins any more',
    wanted: `${friday} 20:59:59`,
    starts: '2026-11-21 07:00:00',
    opens: '2026-11-21 07:00:00',
    reasons: ['outside calling hours, dials from 2026-11-21 07:00'],
  },
  {
    why: 'a weekday without calls is skipped',
    wanted: `${friday} 21:30:00`,
    hours: { weekdays: [0, 1, 2, 3, 4, 5] },
    starts: '2026-11-22 07:00:00',
    opens: '2026-11-22 07:00:00',
    reasons: ['outside calling hours, dials from 2026-11-22 07:00'],
  },
  {
    why: 'a holiday too, and the day after has hours of its own',
    wanted: `${friday} 21:30:00`,
    hours: {
      holidays: [{ date: '2026-11-21', name: '' }],
      ownHours: [{ weekday: 0, from: '10:30', to: '16:00' }],
    },
    starts: '2026-11-22 10:30:00',
    opens: '2026-11-22 10:30:00',
    reasons: ['outside calling hours, dials from 2026-11-22 10:30'],
  },
  {
    why: 'the hours may never open',
    hours: { weekdays: [] },
    starts: null,
    reasons: ['outside calling hours: no calling day is set within a year'],
  },
  {
    why: 'they may open when the campaign is over',
    hours: { weekdays: [4] },
    fixtures: { dialUntil: at('2026-11-23 12:00:00') },
    starts: null,
    opens: '2026-11-26 07:00:00',
    reasons: ['outside calling hours, dials from 2026-11-26 07:00'],
  },
  {
    why: 'nobody calls while the platform is stopped',
    fixtures: { blocks: [block('platform', null)] },
    starts: null,
    reasons: [stopped('of the platform')],
  },
  { why: 'the dialer', fixtures: { blocks: [block('dialer', 3)] }, starts: null, reasons: [stopped('of dialer KTM')] },
  { why: 'the trunk', fixtures: { blocks: [block('trunk', 1)] }, starts: null, reasons: [stopped('of its trunk')] },
  {
    why: 'or an account that pays for it',
    fixtures: { blocks: [block('account', 5)] },
    starts: null,
    reasons: [stopped('of the account')],
  },
  {
    why: 'a stop of others does not matter',
    fixtures: { blocks: [block('dialer', 4), block('trunk', 2), block('account', 8)] },
    starts: `${friday} 12:00:00`,
  },
  {
    why: 'stopped and out of hours: both are said',
    wanted: `${friday} 21:30:00`,
    fixtures: { blocks: [block('platform', null)] },
    starts: null,
    opens: '2026-11-21 07:00:00',
    reasons: [stopped('of the platform'), 'outside calling hours, dials from 2026-11-21 07:00'],
  },
  {
    why: 'the dialer is away',
    way: { dialerDown: 'no route' },
    starts: null,
    reasons: ['dialer KTM does not answer: no route'],
  },
  {
    why: 'the trunk cannot be used',
    way: { unusable: 'no address' },
    starts: null,
    reasons: ['trunk NT-1 cannot be used: no address'],
  },
  {
    why: 'the trunk is on hold',
    way: { held: { reason: 'SIP 503', probeAt: at(`${friday} 12:10:00`) } },
    starts: null,
    reasons: ['trunk NT-1 is on hold: SIP 503; it will be tried again at 12:10'],
  },
  {
    why: 'a dialer that is reduced to nothing',
    way: { dialer: { name: 'KTM', channels: 0, callsPerSecond: 10 } },
    starts: null,
    reasons: ['dialer KTM is set to no calls'],
  },
  {
    why: 'a trunk without calls per second',
    way: { trunk: { name: 'NT-1', channels: 9, callsPerSecond: 0 } },
    starts: null,
    reasons: ['trunk NT-1 is set to no calls'],
  },
  {
    why: 'a caller ID without channels',
    way: { cli: { number: '015970001', channels: 0 } },
    starts: null,
    reasons: ['caller ID 015970001 is set to no calls'],
  },
  {
    why: 'an account without channels',
    way: { accountChannels: 0 },
    starts: null,
    reasons: ['the account is set to no calls'],
  },
])('when calls start: $why', ({ wanted, hours, fixtures, way: changed, starts, opens, reasons }) => {
  const start = startOfCalls({
    wanted: at(wanted ?? `${friday} 12:00:00`),
    now: at(wanted?.startsWith(friday) ? wanted : `${friday} 12:00:00`),
    dialUntil: at('2026-11-30 12:00:00'),
    hours: { ...defaultCallingHours, ...hours },
    blocks: [],
    stoppable: { dialer: { id: 3, name: 'KTM' }, trunkId: 1, payerIds: [7, 5] },
    way: { ...way, ...changed },
    ...fixtures,
  })
  expect(start.at && nepalTimeOf(start.at)).toBe(starts)
  expect(start.opensAt && nepalTimeOf(start.opensAt)).toBe(opens ?? null)
  expect(start.reasons.map(({ text }) => text)).toEqual(reasons ?? [])
})
