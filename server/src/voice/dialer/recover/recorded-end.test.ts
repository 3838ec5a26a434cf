import { expect, test } from 'vitest'
import type { ChannelRecord, DialerRecord } from '../../../drivers/telephony/driver.ts'
import { silentCause } from '../../../lib/trunk-limits.ts'
import { recordedEndOf } from './recorded-end.ts'

const channel = {
  channelId: 'x-1-1',
  claimedAt: 100_000,
  answeredAt: null as number | null,
  cancelled: false,
  alerted: false,
}
const entry: ChannelRecord = {
  channelId: 'x-1-1',
  startedAt: 100_010,
  answeredAt: null,
  endedAt: null,
  cause: null,
  endedByFarEnd: false,
}

type Case = {
  why: string
  record?: Partial<ChannelRecord>
  upSince?: number
  sent?: boolean
  last?: boolean
  is: string
} & Partial<typeof channel>
test.each<Case>([
  {
    why: 'ended before it was answered',
    record: { endedAt: 101_000, cause: 17, endedByFarEnd: true },
    is: 'network 17 unanswered',
  },
  { why: 'rang until we gave up', record: { endedAt: 145_000, cause: 19 }, is: 'ringTimeout 19 unanswered' },
  {
    why: 'was given up because nothing at all was replied',
    record: { endedAt: 106_000, cause: silentCause },
    is: 'ringTimeout 102 silent',
  },
  {
    why: 'found no room, as far as is known before anything rang',
    record: { endedAt: 106_000, cause: 34, endedByFarEnd: true },
    is: 'network 34 silent',
  },
  {
    why: 'found no room after we saw it ring',
    record: { endedAt: 106_000, cause: 34, endedByFarEnd: true },
    alerted: true,
    is: 'network 34 unanswered',
  },
  {
    why: 'ended by a timer of the far end',
    record: { endedAt: 106_000, cause: silentCause, endedByFarEnd: true },
    is: 'network 102 unanswered',
  },
  { why: 'was cancelled', record: { endedAt: 101_000, cause: 16 }, cancelled: true, is: 'hangUp 16 unanswered' },
  {
    why: 'was answered and ended',
    record: { answeredAt: 101_000, endedAt: 131_000, cause: 16, endedByFarEnd: true },
    is: 'network 16 30000 ms',
  },
  {
    why: 'reached our time limit',
    record: { answeredAt: 101_000, endedAt: 131_000, cause: 16 },
    is: 'timeLimit 16 30000 ms',
  },
  { why: 'may be on its way', is: 'unclear' },
  { why: 'never left: the dialer was up and knows nothing', last: true, is: 'neverSent' },
  { why: 'was claimed by an engine that is dead for longer than a request takes', sent: true, is: 'neverSent' },
  { why: 'the dialer came up just before the claim, and it may be on its way', upSince: 99_000, is: 'unclear' },
  { why: 'the dialer came up after the claim: it may have rung', upSince: 99_000, last: true, is: 'lost' },
  { why: 'we saw it answered, the dialer knows nothing', answeredAt: 101_000, last: true, is: 'lost' },
  { why: 'has begun and is not live: ends just now', record: {}, is: 'unclear' },
  { why: 'its end is not reported', record: {}, last: true, is: 'lost' },
  { why: 'died with the dialer before an answer', record: {}, upSince: 200_000, is: 'lost' },
  { why: 'died with the dialer while it talked', record: { answeredAt: 101_000 }, upSince: 200_000, is: 'lost' },
  {
    why: 'was taken by somebody who could hear nothing',
    record: { endedAt: 106_000, cause: 58, endedByFarEnd: true, alerted: true },
    is: 'network 58 unanswered',
  },
])('$why: $is', ({ why, record, upSince = 0, sent = false, last = false, is, ...more }) => {
  expect(why).toBeTruthy()
  const dialerRecord: DialerRecord = { upSince, channels: new Map(record ? [['x-1-1', { ...entry, ...record }]] : []) }
  const recorded = recordedEndOf(dialerRecord, { ...channel, ...more }, { last, sent: sent || last })
  if (recorded.is !== 'ended') return expect(recorded.is).toBe(is)
  const { endedBy, cause, answeredAt, at, alerted } = recorded.leg
  const how = answeredAt === null ? (alerted ? 'unanswered' : 'silent') : `${at - answeredAt} ms`
  expect(`${endedBy} ${cause} ${how}`).toBe(is)
})
