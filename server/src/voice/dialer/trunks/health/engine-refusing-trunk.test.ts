// @module-tag exhaustive
// engine-refusals.test.ts has a trunk that is held after ten calls and goes on when it is mended, circuit-breaker.test.ts when it is tried.
import { expect, test } from 'vitest'
import { trunkName } from '../../../model/calls/trunk-data.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../../testing/fixtures.ts'
import { dialling } from '../../../testing/engine.ts'

// A rate knows no other time than the real one: with waits much shorter, redials would come before all others at the rate that is left.
const at = await dialling({ speed: 50, timeScale: 0.2, inRealTime: true })
at.start()
const phones = Array.from({ length: 40 }, (_, i) => 9779800000050 + i)
const campaign = (fixtures: Fixtures) =>
  newCampaign(at, {
    user: fixtures.users[0] ?? fixtures.top,
    line: fixtures.line,
    phones,
    flow: at.flow(0),
    channels: 1000,
    reservePaisa: 40,
  })

test('a trunk that refuses everything is held after ten calls, its campaigns with it; a probe lifts it when it works again and all go on', async () => {
  const fixtures = await newFixtures(at, { users: 1, cps: 20 })
  const { host, port } = await at.db
    .selectFrom('dialer')
    .selectAll()
    .where('id', '=', fixtures.line.dialerId)
    .executeTakeFirstOrThrow()
  const control = at.simulator.control({ host, port })
  await control.setTrunkFault(trunkName(fixtures.line.trunkId), 'refusing')
  const ids = [await campaign(fixtures), await campaign(fixtures)]
  for (const id of ids) await at.status(id, 'onHold')
  const held = await at.db
    .selectFrom('campaign')
    .selectAll()
    .where('id', '=', ids[0] ?? 0)
    .executeTakeFirstOrThrow()
  expect(held).toMatchObject({ hold_cause: 'trunk' })
  expect(held.reason).toMatch(
    /^trunk Trunk \d+ is on hold: 10 calls running failed: 503: it takes no calls now; it will be tried again (at|as soon)/,
  )
  const health = () =>
    at.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', fixtures.line.trunkId).executeTakeFirstOrThrow()
  while ((await health()).probes < 2) await at.tick(() => true)
  const probed = await at.pool.query<{ n: number }>(
    'select count(*)::int as n from attempt where campaign_id = any ($1)',
    [ids],
  )
  await control.setTrunkFault(trunkName(fixtures.line.trunkId), null)
  for (const id of ids) await at.status(id, 'complete')
  expect(await health()).toMatchObject({ held_since: null, probes: 0 })
  expect(probed.rows[0]?.n).toBeLessThan(60)
  for (const id of ids) expect(await counts(at, id)).toMatchObject({ answered: 40, done: 40 })
  expect(
    await at.db.selectFrom('alert').select(['kind', 'cleared_at']).where('kind', '=', 'trunk_held').execute(),
  ).toEqual([{ kind: 'trunk_held', cleared_at: expect.any(Date) }])
  await expectSoundBooks(at)
})
