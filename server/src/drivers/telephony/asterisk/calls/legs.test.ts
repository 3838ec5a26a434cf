import { expect, test } from 'vitest'
import type { HungUp } from '../../driver.ts'
import { Leg } from './leg.ts'
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

type HangupRequest = { cause?: number; soft?: boolean }

function endOf(
  asked: readonly HangupRequest[],
  {
    isUp = true,
    cause = 16,
    at = 2000,
    note = '',
  }: {
    isUp?: boolean | undefined
    cause?: number | undefined
    at?: number | undefined
    note?: string | undefined
  },
) {
  const ended: HungUp[] = []
  const emitted: string[] = []
  const legs = new Legs({
    emit: ({ type }) => emitted.push(type),
    answered: () => undefined,
    ringing: () => undefined,
    ended: () => undefined,
    judged: (_leg, end) => {
      ended.push(end)
      return end
    },
    replyTo: async () => null,
    gone: () => undefined,
    record: async () => new Map(),
  })
  legs.expect(request, 1000)
  const dialplan = { app_name: '', app_data: '' }
  const channel = { id: 'one', name: 'PJSIP/one', creationtime: 1000, state: isUp ? 'Up' : 'Down', dialplan }
  if (isUp) legs.take({ type: 'ChannelStateChange', timestamp: 1500, channel })
  for (const more of asked) legs.take({ type: 'ChannelHangupRequest', timestamp: 2000, channel, ...more })
  const noted = { ...channel, accountcode: note }
  legs.take({ type: 'ChannelDestroyed', timestamp: at, channel: noted, cause })
  return { end: ended[0], ended: ended.map(({ endedBy }) => endedBy), emitted, isKnown: legs.get('one') !== undefined }
}

const goodbye: HangupRequest = { cause: 16, soft: true }

test.each([
  { why: 'nothing answered it', isUp: false, asked: [], at: 10_000, endedBy: 'ringTimeout' },
  { why: 'it was refused and gone before anybody asked', isUp: false, asked: [], at: 2000, endedBy: 'network' },
  { why: 'the called person hung up', asked: [{ cause: 16 }, goodbye], endedBy: 'callee' },
  { why: 'we asked for it', asked: [{ cause: 32, soft: true }, goodbye], endedBy: 'hangUp' },
  { why: 'we asked for it while it rang', isUp: false, asked: [{ cause: 32, soft: true }], endedBy: 'hangUp' },
  { why: 'we asked for it, too late', asked: [{ cause: 16 }, { cause: 32, soft: true }], endedBy: 'callee' },
  { why: 'its time was over', asked: [goodbye], cause: 0, endedBy: 'timeLimit' },
  { why: 'the network refused it', isUp: false, asked: [{ cause: 17 }], cause: 17, endedBy: 'network' },
])('a call ends once: $why', ({ asked, endedBy, isUp, cause, at }) => {
  const emitted = isUp === false ? ['hungUp'] : ['answered', 'hungUp']
  expect(endOf(asked, { isUp, cause, at })).toMatchObject({ ended: [endedBy], emitted, isKnown: false })
})

test.each<{
  why: string
  isUp?: boolean
  asked?: HangupRequest[]
  cause?: number
  at?: number
  note?: string
  is: object
  isNot?: string
}>([
  {
    why: 'of which a timer of SIP was not answered is ended by the network, and was answered',
    asked: [{ cause: 18 }],
    cause: 18,
    note: '900/60000',
    is: { endedBy: 'network', answeredAt: 1500, sipStatus: null, cause: 18, alerted: false },
  },
  {
    why: 'of which the operator says that its network failed is ended by the network',
    asked: [{ cause: 38 }],
    cause: 38,
    note: '900/60000',
    is: { endedBy: 'network', answeredAt: 1500, cause: 38 },
  },
  {
    why: 'from which no sound came for a minute is billed to that minute’s beginning',
    asked: [{ cause: 1, soft: true }, goodbye],
    cause: 44,
    at: 65_500,
    note: '3200/60000',
    is: { endedBy: 'network', answeredAt: 1500, at: 65_500, silentMs: 60_000 },
  },
  {
    why: 'whose caller hung up with that cause lost no sound',
    asked: [{ cause: 44 }],
    cause: 44,
    at: 65_500,
    note: '3200/60000',
    is: { endedBy: 'network', answeredAt: 1500 },
    isNot: 'silentMs',
  },
  {
    why: 'that SDP did not allow was taken by somebody who heard nothing: not answered',
    asked: [{ cause: 127 }],
    cause: 127,
    at: 1502,
    note: '/60000',
    is: { endedBy: 'network', answeredAt: null, cause: 58, alerted: true },
  },
  {
    why: 'whose answer was about no sound at all is given up before it is up',
    isUp: false,
    asked: [{ cause: 58 }],
    cause: 58,
    at: 1502,
    is: { endedBy: 'network', answeredAt: null, cause: 58, alerted: true, sipStatus: null },
  },
  {
    why: 'without a codec of ours, which the dialplan ended, was not answered',
    cause: 58,
    at: 1520,
    note: '/60000',
    is: { endedBy: 'network', answeredAt: null, cause: 58, alerted: true },
  },
  {
    why: 'to which nothing was played for seconds, as in a test of a trunk, was answered',
    asked: [{ cause: 32, soft: true }, goodbye],
    at: 6500,
    note: '0/60000',
    is: { endedBy: 'hangUp', answeredAt: 1500, soundless: true },
  },
  {
    why: 'to which one packet went is not without sound',
    asked: [{ cause: 16 }],
    at: 6500,
    note: '1/60000',
    is: { endedBy: 'callee', answeredAt: 1500 },
    isNot: 'soundless',
  },
  {
    why: 'of which Asterisk cannot say at the end what was sent was answered',
    asked: [{ cause: 38 }],
    cause: 38,
    at: 91_500,
    note: '/60000',
    is: { endedBy: 'network', answeredAt: 1500, cause: 38 },
    isNot: 'soundless',
  },
  {
    why: 'of somebody who hung up at once was answered, although nothing was sent yet',
    asked: [{ cause: 16 }],
    at: 1600,
    note: '0/60000',
    is: { endedBy: 'callee', answeredAt: 1500 },
  },
  {
    why: 'of which an older dialplan noted nothing is taken as it was',
    asked: [{ cause: 16 }],
    at: 5000,
    is: { endedBy: 'callee', answeredAt: 1500 },
  },
])('an answered call $why', ({ asked = [], is, isNot = 'host', ...more }) => {
  const { end } = endOf(asked, more)
  expect(end).toMatchObject(is)
  expect(end).not.toHaveProperty(isNot)
})

test('sounds can be played to an answered customer once in the application, and waiting for that has a limit', async () => {
  const dialplan = { app_name: '', app_data: '' }
  const leg = new Leg({ id: 'one', creationtime: 1000, state: 'Up', dialplan })
  expect(await leg.inside(10)).toBe(false)
  const waiting = leg.inside(10_000)
  leg.seen({ dialplan: { app_name: 'Stasis', app_data: 'ghanti' } })
  expect(await waiting).toBe(true)
  expect(await leg.inside(0)).toBe(true)
})
