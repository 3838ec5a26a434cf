import { beforeAll, expect, test } from 'vitest'
import { freezeAccount, liftAccount } from '../../../modules/frozen/actions.ts'
import type { Viewer } from '../../../policy.ts'
import { newReseller, newUser } from '../../../testing/seed.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

/** The engine's own pace, so that what is told of seconds is true; calls pass five times faster. */
const at = await dialling({ speed: 5, timeScale: 1 })
let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await newFixtures(at, { users: 1, cps: 200, channels: 500, rupees: 100 })
  at.start()
})

/** 02 rings and never answers, 50 answers and listens. */
const ringers = (n: number) => Array.from({ length: n }, (_, i) => 9779800010002 + 100 * i)
const talkers = (n: number) => Array.from({ length: n }, (_, i) => 9779800010050 + 100 * i)
const longCalls = () => ({ flow: at.flow(1, { menuWaitSeconds: 600 }), reservePaisa: 1600 })

async function family(): Promise<{ top: Viewer; user: Viewer }> {
  const top = await newReseller(at, { channels: 1000 })
  return { top, user: await newUser(at, { parent: top, channels: 1000, rupees: 1000 }) }
}
const campaign = (user: Viewer, phones: number[], of: object = {}) =>
  newCampaign(at, {
    user,
    line: fixtures.line,
    phones,
    status: 'ready',
    channels: 50,
    retries: 0,
    ...longCalls(),
    ...of,
  })
const freeze = ({ userId }: Viewer, endsCalls: boolean) =>
  at.db
    .transaction()
    .execute((tx) =>
      freezeAccount(tx, userId, { isPlatform: true, at: new Date(), by: null, reason: 'stolen', endsCalls }),
    )
const lift = ({ userId }: Viewer) => at.db.transaction().execute((tx) => liftAccount(tx, userId))
const row = (id: number) =>
  at.db.selectFrom('campaign').select(['status', 'hold_cause', 'reason']).where('id', '=', id).executeTakeFirstOrThrow()
const act = (id: number, set: Record<string, unknown>) =>
  at.db.updateTable('campaign').set(set).where('id', '=', id).execute()
async function query<Row>(text: string, id: number): Promise<Row[]> {
  const { rows } = await at.pool.query(text, [id])
  return rows as Row[]
}
const open = async (id: number) =>
  (await query<{ n: number }>('select count(*)::int as n from attempt_open where campaign_id = $1', id))[0]?.n ?? 0
const answeredNow = async (id: number) =>
  (
    await query<{ n: number }>(
      'select count(*)::int as n from attempt_step s join attempt_open o on o.id = s.attempt_id where o.campaign_id = $1 and s.answered_at is not null',
      id,
    )
  )[0]?.n ?? 0
const outcomes = (id: number) =>
  query<{ how: string; n: number; billed: number | null }>(
    'select disposition as how, count(*)::int as n, max(bill_ms) as billed from attempt where campaign_id = $1 group by 1 order by 1',
    id,
  )
const until = async (satisfied: () => Promise<boolean>) => {
  while (!(await satisfied())) await at.tick(() => true)
}
const above = { status: 'onHold', hold_cause: 'disabled', reason: 'an account above its owner is frozen' }

test('calls of a frozen tree end within two seconds: what rings is cancelled and goes back, what is answered is charged until then; the campaign waits with the reason, and lifted it goes on', async () => {
  const { top, user } = await family()
  const id = await campaign(user, [...ringers(10), ...talkers(10)])
  await until(async () => (await answeredNow(id)) === 10 && (await open(id)) === 20)
  const began = performance.now()
  await freeze(top, true)
  await until(async () => (await open(id)) === 0)
  expect(performance.now() - began).toBeLessThan(2000)
  expect(await outcomes(id)).toEqual([
    { how: 'ANSWER', n: 10, billed: expect.any(Number) },
    { how: 'CANCEL', n: 10, billed: null },
  ])
  for (const { billed } of await outcomes(id)) expect(billed ?? 0).toBeLessThan(60_000)
  await at.status(id, 'onHold')
  expect(await row(id)).toEqual(above)
  expect(await counts(at, id)).toMatchObject({ fresh: 10, done: 10, answered: 10 })
  await expectSoundBooks(at)
  await lift(top)
  await until(async () => (await open(id)) === 10)
  await act(id, { status: 'cancelling', end_now: true })
  await at.status(id, 'cancelled')
  await expectSoundBooks(at)
})

test('so do those of a campaign that is paused or pausing, and of one that was on hold before', async () => {
  const { user } = await family()
  const pausing = await campaign(user, talkers(4))
  const held = await campaign(
    user,
    talkers(4).map((phone) => phone + 1_000_000),
  )
  await until(async () => (await open(pausing)) === 4 && (await open(held)) === 4)
  await act(pausing, { status: 'pausing' })
  await act(held, { status: 'onHold', hold_cause: 'administrator', reason: 'wait' })
  const began = performance.now()
  await freeze(user, true)
  await until(async () => (await open(pausing)) + (await open(held)) === 0)
  expect(performance.now() - began).toBeLessThan(2000)
  await at.status(pausing, 'paused')
  expect(await row(held)).toMatchObject({ status: 'onHold', hold_cause: 'administrator', reason: 'wait' })
  await lift(user)
  expect(await row(pausing)).toMatchObject({ status: 'paused' })
})

test('calls that may finish do, and reserve nothing more; nothing begins beside them', async () => {
  const { user } = await family()
  const id = await campaign(user, talkers(60), { flow: at.flow(0), channels: 5 })
  await until(async () => (await open(id)) === 5)
  await freeze(user, false)
  const begun = async () =>
    (
      await query<{ n: number }>(
        'select ((select count(*) from attempt where campaign_id = $1) + (select count(*) from attempt_open where campaign_id = $1))::int as n',
        id,
      )
    )[0]?.n
  const when = await begun()
  await until(async () => (await open(id)) === 0)
  expect(await row(id)).toEqual({ status: 'onHold', hold_cause: 'disabled', reason: 'the account is frozen: stolen' })
  expect(await outcomes(id)).toMatchObject([{ how: 'ANSWER', n: when }])
  expect(await begun()).toBe(when)
  const { reserved_paisa } = await at.db
    .selectFrom('account')
    .select('reserved_paisa')
    .where('id', '=', user.userId)
    .executeTakeFirstOrThrow()
  expect(reserved_paisa).toBe(0)
  await lift(user)
  await until(async () => ((await begun()) ?? 0) > (when ?? 0))
  await act(id, { status: 'cancelling', end_now: true })
  await at.status(id, 'cancelled')
  await expectSoundBooks(at)
})
