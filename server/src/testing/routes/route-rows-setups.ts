import { nepalDayOf } from '@ghanti/contract/time.ts'
import * as fixtures from './route-fixtures.ts'
import * as lines from './route-fixtures-lines.ts'
import * as setups from './route-fixtures-setups.ts'
import type { Row } from './route-rows.ts'

const ofSetup: Row = { on: ['setupId', setups.setup] }

const rule = {
  rule: 'weekly',
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  column: undefined,
  time: '10:00',
  fromDay: '2026-01-01',
  untilDay: nepalDayOf(new Date(Date.now() + 30 * 24 * 3600_000)),
}
const on = (state: Parameters<typeof setups.repeating>[0]) => ['repeatId', setups.repeating(state)] as const

export const repeatRows = {
  'repeats.list': {},
  'repeats.detail': { on: on('active') },
  'repeats.days': { on: on('active') },
  'repeats.next': { names: { baseId: fixtures.base }, fields: rule },
  'repeats.create': {
    names: { setupId: setups.completeSetup, baseId: fixtures.base },
    fields: (_, fresh) => ({ ...rule, repeatName: fresh.slice(0, 80) }),
  },
  'repeats.pause': { on: on('active') },
  'repeats.resume': { on: on('paused') },
  'repeats.end': { on: on('paused') },
  'repeats.delete': { on: on('ended') },
} satisfies Record<string, Row>

export const setupRows = {
  'setups.list': {},
  'setups.detail': ofSetup,
  'setups.save': {
    names: { cli: lines.cli, baseId: fixtures.base, welcomePId: fixtures.prompt },
    fields: (_, fresh) => ({ setupName: fresh, templateId: 0, menuPId: undefined }),
  },
  'setups.saveFrom': { on: ['campaignId', fixtures.campaign()], fields: (_, fresh) => ({ setupName: fresh }) },
  'setups.rename': { ...ofSetup, fields: (_, fresh) => ({ setupName: fresh }) },
  'setups.delete': ofSetup,
} satisfies Record<string, Row>
