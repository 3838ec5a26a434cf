import { expect, test } from 'vitest'
import type { HungUp } from '../driver.ts'
import type { Leg } from './leg.ts'
import { Legs } from './legs.ts'

const request = {
  channelId: 'one',
  trunk: 'NT-1',
  cli: '015970001',
  number: '+9779841000150',
  ringMs: 9000,
  talkMsMax: 9000,
  deadlineMs: 1000,
}

/** What is told when the call ends; `prepare` is done with it before. */
function endOf(prepare: (leg: Leg) => void) {
  const ended: HungUp[] = []
  const told: string[] = []
  const gone: string[] = []
  const legs = new Legs({
    tell: ({ type }) => told.push(type),
    answered: () => undefined,
    ringing: () => undefined,
    ended: (_leg, end) => ended.push(end),
    gone: ({ channelId }) => gone.push(channelId),
    record: async () => new Map(),
  })
  prepare(legs.expect(request, 1000))
  const dialplan = { app_name: '', app_data: '' }
  const channel = { id: 'one', name: 'PJSIP/one', creationtime: 1000, state: 'Down', dialplan }
  legs.take({ type: 'ChannelDestroyed', timestamp: 2000, channel, cause: 0 })
  return { ended: ended.map(({ endedBy }) => endedBy), told, gone, isKnown: legs.get('one') !== undefined }
}

test('a call that nothing answered ends as one', () => {
  expect(endOf(() => undefined)).toEqual({ ended: ['ringTimeout'], told: ['hungUp'], gone: [], isKnown: false })
})

test('a channel that was discarded before it was dialled ends unheard, and nobody is to blame for it', () => {
  expect(endOf((leg) => (leg.isHidden = true))).toEqual({ ended: [], told: [], gone: ['one'], isKnown: false })
})
