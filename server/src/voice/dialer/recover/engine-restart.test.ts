import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'
import {
  busyNumbers,
  counts,
  expectSoundFiles,
  newCampaign,
  newFixtures,
  numbersEnding,
} from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

const at = await dialling({ speed: 10, timeScale: 0.001 })
const row = (id: number) => at.db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('an engine that goes and one that comes: calls that live are adopted where they stood, calls that ended meanwhile are settled from the record', async () => {
  const fixtures = await newFixtures(at, { cps: 200, channels: 300 })
  const { user } = fixtures
  const agents = [{ number: '+9779801111137', key: '1' as const }]
  // 07 rings 8 s, 09 hangs up after 2 s, 11 presses 1: an agent; 12 presses what is no key; 50 listens; 01 is busy, 02 rings on
  const phones = numbersEnding(['07', '09', '11', '12', '50', '01', '02'], 12)
  const flow = at.flow(2, { agents, menuWaitSeconds: 8, rePrompts: 2 })
  const price = { pulseMs: 1000, pulsePaisa: 1 }
  const id = await newCampaign(at, {
    user,
    line: fixtures.line,
    phones,
    flow,
    prices: [price, price, price],
    reservePaisa: 200,
    retries: 0,
  })
  const first = at.start()
  const begun = async () => {
    const sum = await counts(at, id)
    return (sum['in_call'] ?? 0) + (sum['attempts'] ?? 0)
  }
  while ((await begun()) < 84) await at.tick(() => true)
  await at.tick(() => true)
  await at.tick(() => true)
  await first.stop({ drainMs: 0 })
  const left = await at.db.selectFrom('attempt_open').select('id').execute()
  expect(left.length).toBeGreaterThan(30)
  expect((await at.db.selectFrom('attempt_step').select('attempt_id').execute()).length).toBeGreaterThan(10)
  const second = at.start({ engineId: 'second' })
  await at.status(id, 'complete')
  const { rows } = await at.pool.query<{ suffix: string; disposition: string; n: number }>(
    'select right(phone::text, 2) as suffix, disposition, count(*)::int as n from campaign_contact where campaign_id = $1 group by 1, 2 order by 1',
    [id],
  )
  expect(rows).toEqual(
    [
      ['01', 'BUSY'],
      ['02', 'NO ANSWER'],
      ['07', 'ANSWER'],
      ['09', 'ANSWER'],
      ['11', 'ANSWER'],
      ['12', 'ANSWER'],
      ['50', 'ANSWER'],
    ].map(([suffix, disposition]) => ({ suffix, disposition, n: 12 })),
  )
  expect(await counts(at, id)).toMatchObject({ attempts: 84, answered: 60 })
  const { rows: calls } = await at.pool.query<{ epoch: number; n: number }>(
    'select epoch, count(*)::int as n from attempt where campaign_id = $1 group by 1',
    [id],
  )
  expect(calls).toHaveLength(1) // all were started by the first engine
  expect(await at.db.selectFrom('attempt_step').selectAll().execute()).toEqual([])
  expect(await busyNumbers(at)).toEqual([])
  await expectSoundFiles(at)
  await second.stop({ drainMs: 0 })
})

test('an engine that comes begins calls no faster than the operator took them before', async () => {
  const fixtures = await newFixtures(at, { cps: 10, channels: 300 })
  const { trunkId, dialerId } = fixtures.line
  const dialer = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', dialerId)
    .executeTakeFirstOrThrow()
  await at.simulator.control(dialer).setTrunkLimit(trunkName(trunkId), { callsPerSecond: 5 })
  const phones = numbersEnding(['50'], 200)
  const id = await newCampaign(at, {
    user: fixtures.user,
    line: fixtures.line,
    phones,
    flow: at.flow(0),
    reservePaisa: 200,
  })
  const first = at.start()
  const state = () =>
    at.db.selectFrom('trunk_state').select('takes_cps').where('trunk_id', '=', trunkId).executeTakeFirst()
  await vi.waitFor(async () => expect((await state())?.takes_cps).toBeLessThanOrEqual(5), polling)
  await first.stop({ drainMs: 0 })
  const refused = async () => {
    const { rows } = await at.pool.query<{ n: number }>(
      'select count(*)::int as n from attempt where campaign_id = $1 and sip_status = 503',
      [id],
    )
    return rows[0]?.n ?? 0
  }
  const [before, { attempts = 0 }] = [await refused(), await counts(at, id)]
  expect(before).toBeGreaterThan(2)
  const second = at.start({ engineId: 'second' })
  await vi.waitFor(async () => expect((await counts(at, id))['attempts']).toBeGreaterThan(attempts + 25), polling)
  expect((await refused()) - before).toBeLessThan(2)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', id).execute()
  await at.status(id, 'cancelled')
  await second.stop({ drainMs: 0 })
})

test('draining: no call begins, those that are up finish, and the next engine need not wait', async () => {
  const fixtures = await newFixtures(at, { cps: 20, channels: 20 })
  const { user } = fixtures
  const id = await newCampaign(at, {
    user,
    line: fixtures.line,
    phones: numbersEnding(['50', '51', '52'], 40),
    flow: at.flow(0),
    reservePaisa: 40,
  })
  const engine = at.start()
  while (!(await counts(at, id))['in_call']) await at.tick(() => true)
  await engine.stop({ drainMs: 60_000 })
  expect(await counts(at, id)).toMatchObject({ in_call: 0 })
  expect(await row(id)).toMatchObject({ status: 'running' })
  const free = "select from dialer_lease where dialer_id = $1 and expires_at + interval '3 seconds' < clock_timestamp()"
  expect((await at.pool.query(free, [fixtures.line.dialerId])).rowCount).toBe(1)
  at.start({ engineId: 'third' })
  await at.tick((report) => report.dialled > 0)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', id).execute()
  await at.status(id, 'cancelled')
  await expectSoundFiles(at)
})
