/** Calls that the database and the dialer know, but the engine does not, or not yet: nothing is done twice, and nothing is left over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  type DialerAddress,
  type DialerConnection,
  type DialerEvent,
  TelephonyError,
} from '../../../drivers/telephony/driver.ts'
import { channelPrefix } from '../../../dispatch/lease/lease.sql.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'
import { expectSoundFiles, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { dialling, instead, poolWith } from '../../testing/engine.ts'
import { polling } from '../../../testing/timeouts.ts'

const at = await dialling({ speed: 10, timeScale: 0.001, inRealTime: true })
const fixtures = await newFixtures(at, { cps: 50, channels: 40 })
const isItsOwn = ({ port }: DialerAddress): boolean => port === 20_000 + fixtures.line.dialerId
const phones = Array.from({ length: 20 }, (_, i) => 9779800000009 + 100 * i)

/** The engine's pool; statements with this name wait before being sent, or before their result is returned, until released. */
function holdingPool(name: string, when: 'before' | 'after') {
  const holds = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  const pool = poolWith(at, name, async (send) => {
    const reply = when === 'after' ? await send() : null
    holds.resolve()
    await goes.promise
    return reply ?? send()
  })
  return { pool, held: holds.promise, letGo: goes.resolve }
}

/**
 * The simulator, with a function that drops its connection to the dialer, which is then made anew. `connected`: how often that happened.
 */
function losable() {
  const listeners: ((events: DialerEvent[]) => void)[] = []
  let refuses = false
  const telephony = [
    instead(at.simulator, (connection, address) => {
      if (!isItsOwn(address)) return {}
      return {
        onEvents(listener) {
          listeners.push(listener)
          connection.onEvents(listener)
        },
        live() {
          const refused = refuses
          refuses = false
          return refused ? Promise.reject(new TelephonyError('no answer in 5 s')) : connection.live()
        },
      }
    }),
  ]
  return {
    telephony,
    connected: () => listeners.length,
    lose() {
      refuses = true
      listeners.at(-1)?.([{ type: 'lost', at: Date.now(), reason: 'the socket was closed' }])
      listeners.at(-1)?.([{ type: 'restored', at: Date.now() }])
    },
  }
}

async function composed(): Promise<number> {
  const { user } = fixtures
  return newCampaign(at, { user, line: fixtures.line, phones, flow: at.flow(1, { menuWaitSeconds: 10 }) })
}

/** Asserts that each number was called once and answered, apart from attempts that were given back, and is settled once. */
async function expectOnce(id: number): Promise<void> {
  const { rows } = await at.pool.query<{ phone: number; disposition: string }>(
    `select phone, disposition from attempt where campaign_id = $1 and disposition <> 'CANCEL' order by phone`,
    [id],
  )
  expect(rows).toEqual(phones.map((phone) => ({ phone, disposition: 'ANSWER' })))
  await expectSoundFiles(at)
}

test.each([
  { why: 'calls that have ended and are not written yet end once', name: 'settle', when: 'before' as const },
  { why: 'calls that are claimed and not reported yet are dialled once', name: 'claim', when: 'after' as const },
])('$why', async ({ name, when }) => {
  const { pool, held, letGo } = holdingPool(name, when)
  const id = await composed()
  const { telephony, connected, lose } = losable()
  const engine = at.start({ telephony, pool })
  await held
  const before = connected()
  lose()
  for (let tries = 0; tries < 20 && connected() === before; tries++) await sleep(50)
  letGo()
  await at.status(id, 'complete')
  expect(connected()).toBe(before + 1)
  await expectOnce(id)
  await engine.stop({ drainMs: 0 })
})

test('a claim whose answer was lost, and a channel that belongs to no call, are found and ended', async () => {
  let losses = 1
  const pool = poolWith(at, 'claim', async (send) => {
    const reply = await send()
    if (losses-- > 0) throw new Error('the connection to the database was lost')
    return reply
  })
  const id = await composed()
  const connections: DialerConnection[] = []
  const remember = instead(at.simulator, (connection, address) => {
    if (isItsOwn(address)) connections.push(connection)
    return {}
  })
  const engine = at.start({ telephony: [remember], pool })
  const channelId = `${await channelPrefix(at.engine)}1-999999-c`
  const live = async () => (await connections[0]?.live())?.map((channel) => channel.channelId)
  await at.status(id, 'complete')
  await connections[0]?.dial({
    channelId,
    trunk: trunkName(fixtures.line.trunkId),
    cli: '015970001',
    number: '+9779800000002',
    ringMs: 900_000,
    talkMsMax: 900_000,
    deadlineMs: 1000,
  })
  expect(await live()).toContain(channelId)
  await expect.poll(live, polling).not.toContain(channelId)
  await expectOnce(id)
  await engine.stop({ drainMs: 0 })
})
