import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ChannelRecord } from '../drivers/telephony/driver.ts'
import { counts, expectSoundBooks, newCampaign, newWorld } from './testing.ts'
import { dialling, instead } from './testing-engine.ts'

const speed = 50
const at = await dialling({ speed, timeScale: 0.001 })

/** What a killed engine leaves: the channel is made on the dialer at that port, and nobody dials it. */
let made: string[] = []
let madeAt = 0
const hungUp: string[] = []
const killedAtDial = instead(at.simulator, (line, { port }) => ({
  dial(request) {
    if (!request.number.endsWith('77')) return line.dial(request)
    madeAt = port
    made.push(request.channelId)
    return new Promise(() => {})
  },
}))
const undialled = (channelId: string, endedAt: number | null): ChannelRecord => {
  const startedAt = Date.now() - 1000
  const ended = { endedAt, cause: endedAt === null ? null : 21, endedByFarEnd: endedAt !== null }
  return { channelId, startedAt, answeredAt: null, ...ended }
}
/** Its channels live on undialled, or have ended at their absolute time-out by `ended`. */
const finding = (ended: boolean) =>
  instead(at.simulator, (line, { port }) => ({
    async live() {
      const left = ended || port !== madeAt ? [] : made.filter((channelId) => !hungUp.includes(channelId))
      return [...(await line.live()), ...left.map((channelId) => ({ channelId, state: 'dialling' as const }))]
    },
    async readRecord(since) {
      const record = await line.readRecord(since)
      for (const channelId of made)
        record.channels.set(channelId, undialled(channelId, ended ? Date.now() + 50_000 : null))
      return record
    },
    async hangUp(channelId) {
      if (!made.includes(channelId)) return line.hangUp(channelId)
      hungUp.push(channelId)
      return 'done'
    },
  }))

test.each([
  { why: 'that has ended at its time limit', ended: true },
  { why: 'that lives until the ringing would be over', ended: false },
])('a channel $why was never dialled: its attempt is given back, and the number rings once', async ({ ended }) => {
  made = []
  const world = await newWorld(at, { cps: 50, channels: 20 })
  const phones = [9779800000077, 9779800000050]
  const user = world.users[0] ?? world.top
  const id = await newCampaign(at, { user, line: world.line, phones, flow: at.flow(0), reservePaisa: 40, retries: 0 })
  const first = at.start({ telephony: [killedAtDial] })
  while (made.length === 0) await at.tick(() => true)
  while ((await counts(at, id))['answered'] !== 1) await at.tick(() => true)
  await first.stop({ drainMs: 0 })
  await sleep(100)
  expect(await counts(at, id)).toMatchObject({ in_call: 1, answered: 1 })

  const second = at.start({ engineId: 'second', telephony: [finding(ended)] })
  await at.status(id, 'complete')
  const { rows } = await at.pool.query<{ disposition: string; bill_ms: number | null }>(
    'select disposition, bill_ms from attempt where campaign_id = $1 and phone = $2 order by id',
    [id, phones[0]],
  )
  expect(rows).toEqual([
    { disposition: 'CANCEL', bill_ms: null },
    { disposition: 'ANSWER', bill_ms: expect.any(Number) },
  ])
  expect(made).toHaveLength(1)
  if (!ended) expect(hungUp).toEqual(made)
  expect(await counts(at, id)).toMatchObject({ answered: 2, done: 2, in_call: 0 })
  await expectSoundBooks(at)
  await second.stop({ drainMs: 0 })
})
