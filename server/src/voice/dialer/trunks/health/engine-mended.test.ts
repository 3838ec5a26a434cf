import { expect, test, vi } from 'vitest'
import { sipSecretPurpose } from '../../../../modules/dialers/rules-secrets.ts'
import { seal } from '../../../../lib/secrets.ts'
import { newCampaign, newFixtures, type Fixtures } from '../../../testing/fixtures.ts'
import { dialling } from '../../../testing/engine.ts'
import { polling } from '../../../../testing/timeouts.ts'

const at = await dialling({ speed: 50, timeScale: 1 })
const hourMs = 3600_000

/** Its trunk was put on hold before its engine came, and the next probe is an hour away. */
async function heldFixtures(): Promise<Fixtures> {
  const fixtures = await newFixtures(at, { cps: 100 })
  const held_since = at.clock.now()
  await at.db
    .insertInto('trunk_health')
    .values({
      trunk_id: fixtures.line.trunkId,
      held_since,
      hold_reason: 'SIP 503',
      probes: 3,
      next_probe_at: new Date(held_since.getTime() + hourMs),
      held_for_refusals: false,
    })
    .execute()
  return fixtures
}
const changed = await heldFixtures()
const called = await heldFixtures()
at.start()

async function heldCampaign(fixtures: Fixtures): Promise<number> {
  const phones = Array.from({ length: 5 }, (_, i) => 9779800000050 + 100 * i)
  const { user } = fixtures
  const id = await newCampaign(at, { user, line: fixtures.line, phones, flow: at.flow(0), reservePaisa: 40 })
  await at.status(id, 'onHold')
  return id
}

const healthOf = ({ line }: Fixtures) =>
  at.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', line.trunkId).executeTakeFirstOrThrow()

async function testCall({ line, users }: Fixtures, phone: number): Promise<boolean | null> {
  const asked = { kind: 'call' as const, phone, cli: line.cli, by_user_id: users[0]?.userId ?? 0 }
  const { id } = await at.db
    .insertInto('trunk_test')
    .values({ ...asked, trunk_id: line.trunkId, dialer_id: line.dialerId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = () => at.db.selectFrom('trunk_test').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await vi.waitFor(async () => expect((await row()).ended_at).not.toBeNull(), polling)
  return (await row()).passed
}

test('a change of a held trunk’s SIP settings makes its probe due as soon as the dialer knows them, another change does not', async () => {
  const id = await heldCampaign(changed)
  const change = (set: object) => at.db.updateTable('trunk').set(set).where('id', '=', changed.line.trunkId).execute()
  await change({ name: 'Renamed', channels: 3 })
  for (let ticks = 0; ticks < 3; ticks += 1) await at.tick(({ dialerId }) => dialerId === changed.line.dialerId)
  const { held_since, next_probe_at } = await healthOf(changed)
  expect((next_probe_at?.getTime() ?? 0) - (held_since?.getTime() ?? 0)).toBe(hourMs)
  await change({ sip_user: 'line1', sip_secret_sealed: seal(at.secret, sipSecretPurpose, 'right') })
  await at.status(id, 'complete')
  expect(await healthOf(changed)).toMatchObject({ held_since: null })
})

test('a test call that passes makes a held trunk’s probe due at once, one that fails does not', async () => {
  const id = await heldCampaign(called)
  expect(await testCall(called, 9779841000006)).toBe(false)
  const { held_since, next_probe_at } = await healthOf(called)
  expect((next_probe_at?.getTime() ?? 0) - (held_since?.getTime() ?? 0)).toBe(hourMs)
  expect(await testCall(called, 9779841000050)).toBe(true)
  await at.status(id, 'complete')
  expect(await healthOf(called)).toMatchObject({ held_since: null })
})
