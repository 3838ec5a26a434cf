// @module-tag exhaustive
// It is about how little idle dialers cost; that they dial as soon as there is a campaign is what every other file of this folder begins with.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { expect, test, vi } from 'vitest'
import { polling } from '../testing/timeouts.ts'
import { newLine } from '../testing/seed.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures } from './testing/fixtures.ts'
import { dialling } from './testing/engine.ts'
import { newContract } from './testing/routes.ts'

const at = await dialling({ speed: 10, timeScale: 1, inRealTime: true })
const dialers = 103
const watchedSeconds = 4
/** Whatever the number of dialers: whether they have something to do and their leases are asked once for all of them. */
const statementsASecond = 8

/** The engine's pool, counting statements by name. */
function counting(of: Pool): { pool: Pool; sent: Map<string, number> } {
  const sent = new Map<string, number>()
  const query = (statement: { name?: string }, ...rest: unknown[]): unknown => {
    const name = statement.name ?? 'others'
    sent.set(name, (sent.get(name) ?? 0) + 1)
    return Reflect.apply(of.query, of, [statement, ...rest])
  }
  const pool = new Proxy(of, {
    get(target, key) {
      if (key === 'query') return query
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { pool, sent }
}

test('a hundred idle dialers cost the database no more statements than one does, are shown as alive, and dial as soon as there is a campaign', async () => {
  const fixtures = await newFixtures(at, { cps: 200, channels: 300 })
  for (let i = 1; i < dialers; i++) {
    const { dialerId } = await newLine(at)
    const port = 20_000 + dialerId
    await at.db.updateTable('dialer').set({ port }).where('id', '=', dialerId).execute()
  }
  const { pool, sent } = counting(at.engine)
  const engine = at.start({ pool })
  const seen = new Set<number>()
  engine.reports.on('tick', ({ dialerId }) => seen.add(dialerId))
  await at.tick(() => seen.size === dialers)
  await sleep(3000) // at first each dialer is connected and recorded
  sent.clear()
  await sleep(watchedSeconds * 1000)
  const all = [...sent.values()].reduce((sum, n) => sum + n, 0)
  expect(all / watchedSeconds, JSON.stringify([...sent])).toBeLessThan(statementsASecond)
  // One poll says that there are none: they are read only in the tick that comes every ten seconds in any case.
  expect(sent.get('load_campaigns') ?? 0).toBeLessThanOrEqual(1)

  const { rows: stale } = await at.pool.query(
    `select dialer_id from dialer_state where seen_at < now() - interval '8 seconds'
     union all select trunk_id from trunk_state where seen_at < now() - interval '8 seconds'
     union all select dialer_id from dialer_lease where expires_at < now() + interval '5 seconds'`,
  )
  expect(stale).toEqual([])
  expect(await at.db.selectFrom('dialer_state').select('dialer_id').execute()).toHaveLength(dialers)

  const line = await newLine(at, { holders: [fixtures.user] })
  const busy = await newLine(at, { holders: [fixtures.user], dialerId: fixtures.line.dialerId })
  await at.db
    .updateTable('dialer')
    .set({ port: 20_000 + line.dialerId })
    .where('id', '=', line.dialerId)
    .execute()
  const of = { user: fixtures.user, phones: [9779800000050], flow: at.flow(0) }
  const composed = [await newCampaign(at, { ...of, line: busy }), await newCampaign(at, { ...of, line })]
  for (const id of composed) await at.status(id, 'complete')
  for (const id of composed) expect(await counts(at, id)).toMatchObject({ attempts: 1, answered: 1 })
  await engine.stop({ drainMs: 0 })
  await expectSoundBooks(at)
})

test('while a test call waits for the only channel of its trunk’s contract, its dialer does not rest: it asks for the channel in each tick', async () => {
  const fixtures = await newFixtures(at, { cps: 20 })
  const { user, line } = fixtures
  const { trunkId, dialerId, cli } = line
  const elsewhere = await newLine(at, { holders: [user] })
  const port = 20_000 + elsewhere.dialerId
  await at.db.updateTable('dialer').set({ port }).where('id', '=', elsewhere.dialerId).execute()
  await newContract(at, { trunkIds: [trunkId, elsewhere.trunkId], channels: 1, cps: 5 })
  const engine = at.start()
  let ticks = 0
  engine.reports.on('tick', (report) => (ticks += Number(report.dialerId === dialerId)))
  await vi.waitFor(() => expect(ticks).toBeGreaterThan(0), polling)
  await sleep(3500) // it has given back what it had, and rests
  ticks = 0
  await sleep(1000)
  expect(ticks).toBeLessThanOrEqual(1)
  const longer = at.flow(1, { menuWaitSeconds: 15 })
  const id = await newCampaign(at, { user, line: elsewhere, phones: [9779841000150], flow: longer, retries: 0 })
  await vi.waitFor(async () => expect((await counts(at, id))['in_call']).toBe(1), polling)
  const asked = { trunk_id: trunkId, dialer_id: dialerId, kind: 'call' as const, cli, phone: 9779841000501 }
  await at.db
    .insertInto('trunk_test')
    .values({ ...asked, by_user_id: null })
    .execute()
  await sleep(1500) // the poll that found it is over
  ticks = 0
  await sleep(1500)
  expect(ticks).toBeGreaterThanOrEqual(3)
  await engine.stop({ drainMs: 0 })
})
