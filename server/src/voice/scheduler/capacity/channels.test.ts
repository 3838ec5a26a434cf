import { expect, test } from 'vitest'
import { testLog } from '../../../testing/log.ts'
import { campaign } from '../../testing/decide.ts'
import { Channels } from './channels.ts'
import type { ChannelAsk, FreeChannels } from './channels.sql.ts'
import type { Step } from '../steps/steps.ts'

const dialer = { channels: 200, perSecond: 10 }

function stepOf(of: { wanted: number; free: number; inCall?: number }): Step {
  const row = { ...campaign, free_channels: of.free, in_call: of.inCall ?? 0 }
  return { campaign: row, did: 'dial', wanted: of.wanted, reason: null }
}

/** Answers each question with so many free channels of both accounts. */
function answering(free: number): { channels: Channels; asked: ChannelAsk['wants'][] } {
  const asked: ChannelAsk['wants'][] = []
  const ask = async (wants: ChannelAsk['wants']): Promise<FreeChannels> => {
    asked.push(wants)
    return new Map(free > 0 ? campaign.payer_ids.map((id) => [id, free]) : [])
  }
  return { channels: new Channels(ask, testLog()), asked }
}

test('a campaign without channels asks at once for all that it could use, and dials what it gets in the same tick', async () => {
  const { channels, asked } = answering(3)
  const step = stepOf({ wanted: 30, free: 0 })
  await channels.limit([step], dialer)
  expect(asked).toEqual([[{ payerIds: campaign.payer_ids, calls: 30 }]])
  expect(step).toMatchObject({ wanted: 3, did: 'dial' })
})

test('while it waits without a call it asks in each tick; once it has calls, once a second', async () => {
  const { channels, asked } = answering(0)
  for (let tick = 0; tick < 3; tick++) {
    const waiting = stepOf({ wanted: 30, free: 0 })
    await channels.limit([waiting], dialer)
    expect(waiting).toMatchObject({ wanted: 0, did: 'wait', reason: 'all channels of the account are busy' })
  }
  expect(asked).toHaveLength(3)
  const talking = stepOf({ wanted: 30, free: 0, inCall: 4 })
  await channels.limit([talking], dialer)
  expect(talking).toMatchObject({ wanted: 0, reason: null })
  expect(asked).toHaveLength(3)
})

test('a dialer that has enough for the next second asks for nothing', async () => {
  const { channels, asked } = answering(0)
  await channels.limit([], dialer) // what the holder before was granted is given back first
  expect(asked).toEqual([[]])
  const step = stepOf({ wanted: 300, free: 10 })
  await channels.limit([step], dialer)
  expect(asked).toHaveLength(1)
  expect(step.wanted).toBe(10)
})

test('when it cannot be asked, what was granted before is used', async () => {
  const channels = new Channels(() => Promise.reject(new Error('the database is away')), testLog())
  const step = stepOf({ wanted: 30, free: 2 })
  await channels.limit([step], dialer)
  expect(step.wanted).toBe(2)
})
