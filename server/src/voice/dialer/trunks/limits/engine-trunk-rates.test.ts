import { expect, test, vi } from 'vitest'
import { polling } from '../../../../testing/timeouts.ts'
import { trunkName } from '../../../model/calls/trunk-data.ts'
import {
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  type NewCampaign,
  type Fixtures,
} from '../../../testing/fixtures.ts'
import { dialling } from '../../../testing/engine.ts'

/** trunk-rate.test.ts has the pace that is learnt; that both screens say it takes half a minute of calls. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 50, timeScale: 0.004, inRealTime: true })
at.start()
const talkers = (n: number, from = 50) =>
  Array.from({ length: n }, (_, i) => 9779800000000 + 100 * Math.floor(i / 40) + from + (i % 40))
const campaign = (fixtures: Fixtures, n: number, of: Partial<NewCampaign> = {}) =>
  newCampaign(at, {
    user: fixtures.users[n] ?? fixtures.top,
    line: fixtures.line,
    phones: talkers(100),
    flow: at.flow(0),
    channels: 1000,
    reservePaisa: 40,
    ...of,
  })
/** What they dial from the first tick on in which the last of them dials: before, its rows and channels are still on their way. */
const dialledOf = (ids: readonly number[]) => {
  let began = false
  const sums = new Map(ids.map((id) => [id, 0]))
  return {
    sums,
    listen: at.tick((report) => {
      began ||= report.campaigns.some((one) => one.campaignId === ids.at(-1) && one.did.startsWith('dial '))
      if (!began) return false
      for (const one of report.campaigns) {
        const n = Number(/^dial (\d+)$/.exec(one.did)?.[1] ?? 0)
        if (sums.has(one.campaignId)) sums.set(one.campaignId, (sums.get(one.campaignId) ?? 0) + n)
      }
      return [...sums.values()].reduce((a, b) => a + b, 0) >= 60
    }),
  }
}

test('two users share a trunk by turns, whatever the size and number of their campaigns; the trunk’s calls per second hold', async () => {
  const fixtures = await newFixtures(at, { users: 2, cps: 20 })
  const big = await Promise.all([0, 1, 2].map(() => campaign(fixtures, 0, { phones: talkers(2000) })))
  const small = await campaign(fixtures, 1, { phones: talkers(200) })
  const { sums, listen } = dialledOf([...big, small])

  await listen
  const theirs = big.reduce((sum, id) => sum + (sums.get(id) ?? 0), 0)
  expect(Math.abs(theirs - (sums.get(small) ?? 0))).toBeLessThan(8)
  for (const id of big) expect(sums.get(id)).toBeGreaterThan(5)
  await at.db
    .updateTable('campaign')
    .set({ status: 'cancelling' })
    .where('id', 'in', [...big, small])
    .execute()
  for (const id of [...big, small]) await at.status(id, 'cancelled')
  const { rows } = await at.pool.query<{ at: Date }>(
    'select started_at as at from attempt where q850_cause is not null order by at', // what was given back before it rang has none
  )
  const times = rows.map((row) => row.at.getTime())
  for (const [i, time] of times.entries()) expect((times[i + 20] ?? Infinity) - time).toBeGreaterThan(950)
})

test('a wrong password holds the trunk at once', async () => {
  const fixtures = await newFixtures(at, { users: 1, cps: 2 })
  const { host, port } = await at.db
    .selectFrom('dialer')
    .selectAll()
    .where('id', '=', fixtures.line.dialerId)
    .executeTakeFirstOrThrow()
  await at.simulator.control({ host, port }).setTrunkFault(trunkName(fixtures.line.trunkId), 'wrongPassword')
  const id = await campaign(fixtures, 0, { phones: talkers(50) })
  await at.status(id, 'onHold')
  expect((await counts(at, id))['attempts']).toBeLessThan(5)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', id).execute()
  await at.status(id, 'cancelled')
})

test(
  'an operator who takes fewer calls a second than the contract is not held: calls go out slower, both screens say so, and nobody is lost',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { users: 1, cps: 10 })
    const dialer = await at.db
      .selectFrom('dialer')
      .select(['host', 'port'])
      .where('id', '=', fixtures.line.dialerId)
      .executeTakeFirstOrThrow()
    const control = at.simulator.control(dialer)
    await control.setTrunkLimit(trunkName(fixtures.line.trunkId), { callsPerSecond: 5 })
    const id = await campaign(fixtures, 0, { phones: talkers(60) })
    const said = (what: RegExp) =>
      at.tick((report) => report.campaigns.some((one) => one.campaignId === id && what.test(one.reason ?? '')))
    await said(/^trunk Trunk \d+: asked for 10\/s, operator takes [45](\.\d)?\/s$/)
    const takes = async () =>
      (
        await at.db
          .selectFrom('trunk_state')
          .select('takes_cps')
          .where('trunk_id', '=', fixtures.line.trunkId)
          .executeTakeFirst()
      )?.takes_cps
    await vi.waitFor(async () => expect(await takes()).toBeLessThanOrEqual(5), polling)
    await at.status(id, 'complete')
    expect(await counts(at, id)).toMatchObject({ answered: 60, done: 60 })
    const { rows } = await at.pool.query<{ n: number }>(
      `select count(*)::int as n from attempt where campaign_id = $1 and sip_status = 503`,
      [id],
    )
    expect(rows[0]?.n).toBeGreaterThan(0)
    expect(rows[0]?.n).toBeLessThan(12)
    expect(
      await at.db
        .selectFrom('trunk_health')
        .selectAll()
        .where('trunk_id', '=', fixtures.line.trunkId)
        .executeTakeFirst(),
    ).toBeUndefined()
    await control.setTrunkLimit(trunkName(fixtures.line.trunkId), { callsPerSecond: 1, retryAfterMs: 3000 })
    const next = await campaign(fixtures, 0, { phones: talkers(8) })
    await at.status(next, 'complete')
    expect(await counts(at, next)).toMatchObject({ answered: 8, done: 8 })
    await expectSoundBooks(at)
  },
)
