import type { CallState } from '@ghanti/callflow/call.ts'
import { expect, test } from 'vitest'
import type { HungUp } from '../../../drivers/telephony/driver.ts'
import { classify } from '../../model/calls/disposition.ts'
import { endOfSoundless } from './soundless.ts'

const end: HungUp = {
  type: 'hungUp',
  channelId: 'abc123-1-1-c',
  at: 4500,
  startedAt: 1000,
  answeredAt: 1500,
  endedBy: 'hangUp',
  sipStatus: null,
  cause: 16,
  alerted: false,
  soundless: true,
}

test.each<{ at: CallState['at']; leg: Partial<HungUp> }>([
  { at: 'closing', leg: {} },
  { at: 'ended', leg: {} },
  { at: 'asking', leg: { endedBy: 'callee' } },
  { at: 'waiting', leg: { endedBy: 'network', silentMs: 2000 } },
])(
  'a call to which no packet went though a prompt was due ($at) was taken, and is a fault of its trunk',
  ({ at, leg }) => {
    const judged = endOfSoundless({ ...end, ...leg }, at)
    expect(judged).toMatchObject({ answeredAt: null, alerted: true, at: end.at })
    expect(judged).not.toHaveProperty('silentMs')
    expect(classify(judged)).toEqual({ disposition: 'NO ANSWER', sign: 'fault', endedBy: 'network' })
  },
)

test.each<{ why: string; at: CallState['at']; leg: Partial<HungUp> }>([
  { why: 'was sent something', at: 'asking', leg: { soundless: undefined } },
  { why: 'was hung up before the first packet', at: 'asking', leg: { at: 2000, endedBy: 'callee' } },
  { why: 'heard for less than a second of a silent minute', at: 'asking', leg: { at: 62_000, silentMs: 60_000 } },
  { why: 'waits for the other telephone', at: 'ringing', leg: {} },
  { why: 'talks to an agent', at: 'talking', leg: {} },
  { why: 'has no flow that anybody knows of', at: 'dialling', leg: {} },
])('a call that $why is taken as it was', ({ at, leg }) => {
  const reported = { ...end, ...leg }
  expect(endOfSoundless(reported, at)).toBe(reported)
})
