/** The dialer is connected anew, under the same lease, at the worst moment: what is under way at the database is not taken for a stranger's. */
import type { Pool } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type DialerEvent, TelephonyError } from '../drivers/telephony/driver.ts'
import { expectSoundBooks, newCampaign, newWorld, type World } from './testing.ts'
import { dialling, instead } from './testing-engine.ts'

const at = await dialling({ speed: 10, timeScale: 0.001 })
const phones = Array.from({ length: 20 }, (_, i) => 9779800000009 + 100 * i)

/** The engine's pool; statements of a name wait, before they are sent or before their reply is told, until they are let go. */
function holdingPool(name: string, when: 'before' | 'after'): { pool: Pool; held: Promise<void>; letGo: () => void } {
  const holds = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  const query = async (statement: { name?: string }, ...rest: unknown[]): Promise<unknown> => {
    const send = (): unknown => Reflect.apply(at.engine.query, at.engine, [statement, ...rest])
    if (statement.name !== name) return send()
    const reply = when === 'after' ? await send() : null
    holds.resolve()
    await goes.promise
    return reply ?? send()
  }
  const pool = new Proxy(at.engine, {
    get(of, key) {
      if (key === 'query') return query
      const value: unknown = Reflect.get(of, key)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  return { pool, held: holds.promise, letGo: goes.resolve }
}

/** The simulator, with a word that loses its connection to the dialer and has a new one made. `connected`: how often it was. */
function losable(dialerId: number) {
  const tells: ((events: DialerEvent[]) => void)[] = []
  let refuses = false
  const telephony = [
    instead(at.simulator, (line, { port }) =>
      port !== 20_000 + dialerId
        ? {}
        : {
            onEvents(listener) {
              tells.push(listener)
              line.onEvents(listener)
            },
            live() {
              const refused = refuses
              refuses = false
              return refused ? Promise.reject(new TelephonyError('no answer in 5 s')) : line.live()
            },
          },
    ),
  ]
  return {
    telephony,
    connected: () => tells.length,
    lose() {
      refuses = true
      tells.at(-1)?.([{ type: 'lost', at: Date.now(), reason: 'the socket was closed' }])
      tells.at(-1)?.([{ type: 'restored', at: Date.now() }])
    },
  }
}

async function composed(): Promise<{ world: World; id: number }> {
  const world = await newWorld(at, { cps: 50, channels: 40 })
  const [user = world.top] = world.users
  const id = await newCampaign(at, { user, line: world.line, phones, flow: at.flow(1, { menuWaitSeconds: 10 }) })
  return { world, id }
}

/** Each number was called once and answered, what was given back aside, and is in the books once. */
async function expectOnce(id: number): Promise<void> {
  const { rows } = await at.pool.query<{ phone: number; disposition: string }>(
    `select phone, disposition from attempt where campaign_id = $1 and disposition <> 'CANCEL' order by phone`,
    [id],
  )
  expect(rows).toEqual(phones.map((phone) => ({ phone, disposition: 'ANSWER' })))
  await expectSoundBooks(at)
}

test.each([
  { why: 'calls that have ended and are not written yet end once', name: 'finish', when: 'before' as const },
  { why: 'calls that are claimed and not told yet are dialled once', name: 'claim', when: 'after' as const },
])('$why', async ({ name, when }) => {
  const { pool, held, letGo } = holdingPool(name, when)
  const { world, id } = await composed()
  const { telephony, connected, lose } = losable(world.line.dialerId)
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
