import { beforeAll, expect, test } from 'vitest'
import type { HoldCause } from '../../../db/tables.ts'
import type { Viewer } from '../../../policy.ts'
import { newReseller, newUser } from '../../../testing/seed.ts'
import { expectSoundBooks, newCampaign, newFixtures, type NewCampaign, type Fixtures } from '../../testing/fixtures.ts'
import { dialling, poolWith } from '../../testing/engine.ts'

const at = await dialling({ speed: 50, timeScale: 0.001 })
let fixtures: Fixtures
/** While true, claims wait with what they have already asked for. */
let gate: { reached(): void; opened: Promise<void> } | null = null
beforeAll(async () => {
  fixtures = await newFixtures(at, { users: 1, cps: 200, channels: 500, rupees: 100 })
  const pool = poolWith(at, 'claim', async (send) => {
    gate?.reached()
    await gate?.opened
    return send()
  })
  at.start({ pool })
})

const talkers = (n: number) => Array.from({ length: n }, (_, i) => 9779800000050 + 100 * Math.floor(i / 40) + (i % 40))
const campaign = (user: Viewer, of: Partial<NewCampaign> = {}) =>
  newCampaign(at, {
    user,
    line: fixtures.line,
    phones: talkers(150),
    status: 'ready',
    channels: 20,
    flow: at.flow(0),
    reservePaisa: 40,
    ...of,
  })
const row = (id: number) =>
  at.db.selectFrom('campaign').select(['status', 'hold_cause', 'reason']).where('id', '=', id).executeTakeFirstOrThrow()
const begun = async (id: number): Promise<number> => {
  const { rows } = await at.pool.query<{ n: number }>(
    'select count(*)::int as n from (select id from attempt where campaign_id = $1 union all select id from attempt_open where campaign_id = $1) t',
    [id],
  )
  return rows[0]?.n ?? 0
}
const dials = (id: number) =>
  at.tick((report) => report.campaigns.some((one) => one.campaignId === id && one.did.startsWith('dial ')))
const seconds = async (n: number) => {
  for (let tick = 0; tick < 4 * n; tick++) await at.tick(() => true)
}
const set = ({ userId }: Viewer, to: { disabled_at: Date | null; disabled_reason: string | null }) =>
  at.db.updateTable('users').set(to).where('id', '=', userId).execute()
const disable = (whom: Viewer) => set(whom, { disabled_at: new Date(), disabled_reason: 'fraud' })
const lift = (whom: Viewer) => set(whom, { disabled_at: null, disabled_reason: null })
const above = { status: 'onHold', hold_cause: 'disabled', reason: 'an account above its owner is disabled' }

/** A user two resellers deep. */
async function family(): Promise<{ top: Viewer; middle: Viewer; user: Viewer }> {
  const top = await newReseller(at, { channels: 1000 })
  const middle = await newReseller(at, { parent: top, channels: 1000 })
  return { top, middle, user: await newUser(at, { parent: middle, channels: 1000, rupees: 1000 }) }
}

test('a disabled reseller’s users dial no more, their campaigns go on hold with the reason; lifted, just these go on', async () => {
  const { top, user } = await family()
  const running = await campaign(user)
  const scheduled = await campaign(user, { startAt: new Date(Date.now() + 3600_000) })
  const paused = await campaign(user, { status: 'paused' })
  const byCause = async (hold_cause: HoldCause) => {
    const id = await campaign(user, { status: 'onHold' })
    await at.db.updateTable('campaign').set({ hold_cause }).where('id', '=', id).execute()
    return id
  }
  const administrators = await byCause('administrator')
  await dials(running)
  await disable(top)
  const night = await byCause('hours')
  await at.status(running, 'onHold')
  await seconds(2)
  expect(await Promise.all([running, scheduled, night].map(row))).toEqual([above, above, above])
  expect(await row(paused)).toMatchObject({ status: 'paused' })
  expect(await row(administrators)).toMatchObject({ status: 'onHold', hold_cause: 'administrator' })
  const when = await begun(running)
  await seconds(1)
  expect(await begun(running)).toBe(when)
  await lift(top)
  await at.status(running, 'complete')
  await at.status(scheduled, 'ready')
  await at.status(night, 'complete')
  expect(await row(paused)).toMatchObject({ status: 'paused' })
  expect(await row(administrators)).toMatchObject({ status: 'onHold', hold_cause: 'administrator' })
  await expectSoundBooks(at)
})

test('with two above disabled, lifting one moves nothing; the last one does', async () => {
  const { top, middle, user } = await family()
  const id = await campaign(user)
  await dials(id)
  await disable(middle)
  await disable(top)
  await at.status(id, 'onHold')
  await lift(middle)
  await seconds(2)
  expect(await row(id)).toEqual(above)
  await disable(user)
  await lift(top)
  await seconds(2)
  expect(await row(id)).toEqual({ ...above, reason: 'the account is disabled: fraud' })
  await lift(user)
  await at.status(id, 'complete')
})

test('a campaign that comes due later, or is still being prepared, is held before it begins', async () => {
  const { top, user } = await family()
  await disable(top)
  const [composed, due] = [await campaign(user, { status: 'processing' }), await campaign(user)]
  for (const id of [composed, due]) await at.status(id, 'onHold')
  expect([await begun(composed), await begun(due)]).toEqual([0, 0])
  expect(await row(composed)).toEqual(above)
})

test('a claim that was about to be sent when the reseller was disabled brings no call', async () => {
  const { top, user } = await family()
  let open = (): void => {}
  const reached = new Promise<void>((resolve) => {
    gate = { reached: resolve, opened: new Promise((done) => (open = done)) }
  })
  const id = await campaign(user)
  await reached
  await disable(top)
  gate = null
  open()
  await at.status(id, 'onHold')
  expect(await begun(id)).toBe(0)
})
