import { beforeAll, expect, test } from 'vitest'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { defaultCallingHours } from '../../../modules/platform/rules-hours.ts'
import { newPrompt } from '../../../testing/campaigns.ts'
import { giveRupees } from '../../../testing/seed.ts'
import {
  counts,
  expectSoundFiles,
  newCampaign,
  newFixtures,
  type NewCampaign,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

const at = await dialling({ speed: 50, timeScale: 0.001 })
let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await newFixtures(at, { users: 6, cps: 200, channels: 500, rupees: 100 })
  at.start()
})

const user = (n: number) => fixtures.users[n] ?? fixtures.top
/** Numbers that answer and listen; the flow lasts 2 s, at this speed 40 ms. */
const talkers = (n: number) => Array.from({ length: n }, (_, i) => 9779800000050 + 100 * Math.floor(i / 40) + (i % 40))
const campaign = (n: number, of: Partial<NewCampaign> = {}) =>
  newCampaign(at, {
    user: user(n),
    line: fixtures.line,
    phones: talkers(200),
    status: 'ready',
    channels: 50,
    flow: at.flow(0),
    reservePaisa: 40,
    ...of,
  })
const act = (id: number, set: Record<string, unknown>) =>
  at.db.updateTable('campaign').set(set).where('id', '=', id).execute()
const row = (id: number) => at.db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const begun = async (id: number): Promise<number> =>
  (
    await at.pool.query<{ n: number }>(
      'select count(*)::int as n from (select id from attempt where campaign_id = $1 union all select id from attempt_open where campaign_id = $1) t',
      [id],
    )
  ).rows[0]?.n ?? 0
const dials = (id: number) =>
  at.tick((report) => report.campaigns.some((one) => one.campaignId === id && one.did.startsWith('dial ')))
const said = (id: number, what: RegExp) =>
  at.tick((report) => report.campaigns.some((one) => one.campaignId === id && what.test(one.reason ?? '')))
const twoTicks = async () => {
  await at.tick(() => true)
  await at.tick(() => true)
}

test('pause: from the next tick on no attempt begins any more, the calls in progress end, then it is paused; resumed it completes', async () => {
  const id = await campaign(0)
  await dials(id)
  await act(id, { status: 'pausing' })
  await twoTicks()
  const when = await begun(id)
  await at.status(id, 'paused')
  await twoTicks()
  expect(await begun(id)).toBe(when)
  expect(when).toBeLessThan(200)
  await act(id, { status: 'resuming' })
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 200, done: 200 })
})

test('a ready campaign that is not due is paused at once and, resumed, waits for its time again; one that is pausing is resumed before its calls have ended', async () => {
  const later = await campaign(4, { startAt: new Date(Date.now() + 3600_000) })
  await act(later, { status: 'pausing' })
  await at.status(later, 'paused')
  await act(later, { status: 'resuming' })
  await at.status(later, 'ready')
  await act(later, { status: 'cancelling' })
  await at.status(later, 'cancelled')
  const id = await campaign(4, { phones: talkers(60) })
  await dials(id)
  await act(id, { status: 'pausing' })
  await act(id, { status: 'resuming' })
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 60, done: 60 })
})

test('a telephone rings as long as the campaign says and no longer than the trunk lets it', async () => {
  const slow = Array.from({ length: 5 }, (_, i) => 9779800020007 + 100 * i) // they pick up after 8 s
  const ends = async (id: number) => {
    await at.status(id, 'complete')
    const { rows } = await at.pool.query<{ how: string; n: number }>(
      'select disposition as how, count(*)::int as n from attempt where campaign_id = $1 group by 1',
      [id],
    )
    return rows
  }
  const ring = (id: number, ring_seconds: number) =>
    at.db.updateTable('campaign').set({ ring_seconds }).where('id', '=', id).execute()
  const impatient = await campaign(4, { phones: slow, retries: 0, status: 'paused' })
  await ring(impatient, 6)
  await act(impatient, { status: 'resuming' })
  expect(await ends(impatient)).toEqual([{ how: 'NO ANSWER', n: 5 }])
  expect(await ends(await campaign(4, { phones: slow, retries: 0 }))).toEqual([{ how: 'ANSWER', n: 5 }])
  const trunk = at.db.updateTable('trunk').where('id', '=', fixtures.line.trunkId)
  await trunk.set({ ring_seconds: 5 }).execute()
  await twoTicks()
  const bounded = await campaign(4, { phones: slow, retries: 0, status: 'paused' })
  await ring(bounded, 60)
  await act(bounded, { status: 'resuming' })
  expect(await ends(bounded)).toEqual([{ how: 'NO ANSWER', n: 5 }])
  await trunk.set({ ring_seconds: 45 }).execute()
  await twoTicks()
})

test('stop: what rings is cancelled and given back, what is answered ends; nothing begins after it', async () => {
  const ringing = Array.from({ length: 300 }, (_, i) => 9779800010002 + 100 * i)
  const id = await campaign(1, { phones: ringing })
  await dials(id)
  await act(id, { status: 'cancelling', reason: 'Stopped by an administrator: test' })
  await at.status(id, 'cancelled')
  expect(await row(id)).toMatchObject({ reason: 'Stopped by an administrator: test' })
  const sum = await counts(at, id)
  expect(sum).toMatchObject({ in_call: 0, answered: 0 })
  expect(sum['fresh']).toBeGreaterThan(200)
  const { rows } = await at.pool.query('select distinct disposition from attempt where campaign_id = $1', [id])
  expect(rows).toContainEqual({ disposition: 'CANCEL' })
  const when = await begun(id)
  await twoTicks()
  expect(await begun(id)).toBe(when)
  await expectSoundFiles(at)
})

test('stop at once ends answered calls too', async () => {
  const id = await campaign(1, { flow: at.flow(1, { menuWaitSeconds: 600 }), reservePaisa: 1600, phones: talkers(20) })
  await dials(id)
  await at.tick((report) => report.up > 0)
  await act(id, { status: 'cancelling', end_now: true })
  await at.status(id, 'cancelled')
  const { rows } = await at.pool.query<{ bill_ms: number | null }>(
    'select bill_ms from attempt where campaign_id = $1',
    [id],
  )
  for (const { bill_ms } of rows) expect(bill_ms ?? 0).toBeLessThan(600_000)
})

test('without money for one call it is Low Balance, saying so; when one is affordable it is On Hold and can be resumed', async () => {
  const poor = user(2)
  await at.db.updateTable('account').set({ balance_paisa: 0 }).where('id', '=', poor.userId).execute()
  const mint = await at.db.selectFrom('account').select('id').where('kind', '=', 'mint').executeTakeFirstOrThrow()
  await at.db
    .updateTable('account')
    .set((e) => ({ balance_paisa: e('balance_paisa', '+', 10_000) }))
    .where('id', '=', mint.id)
    .execute()
  await at.db
    .insertInto('transfer')
    .values({ payer_id: poor.userId, payee_id: mint.id, amount_paisa: 10_000, kind: 'credit_remove' })
    .execute()
  await giveRupees(at, poor.userId, 2)
  const id = await campaign(2, { phones: talkers(40) })
  await at.status(id, 'lowBalance')
  expect(await row(id)).toMatchObject({ reason: 'one call may cost Rs 0.40, you have Rs 0.00' })
  expect(await counts(at, id)).toMatchObject({ answered: 5 })
  await giveRupees(at, poor.userId, 100)
  await at.status(id, 'onHold')
  expect(await row(id)).toMatchObject({
    hold_cause: 'balance',
    reason: 'one call may cost Rs 0.40, you have Rs 100.00: resume it to go on',
  })
  await act(id, { status: 'resuming', hold_cause: null })
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 40 })
  await expectSoundFiles(at)
})

test('Stop all dialling works from the next tick on, is the reason shown, leaves the status alone, and dialling goes on when it is lifted', async () => {
  const id = await campaign(3, { channels: 2 })
  await dials(id)
  const { id: blockId } = await at.db
    .insertInto('dial_block')
    .values({ kind: 'account', target_id: user(3).userId, reason: 'complaints', by_user_id: user(3).userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await twoTicks()
  const when = await begun(id)
  await said(id, /all dialling of the account is stopped by the administrator: complaints/)
  await twoTicks()
  expect(await begun(id)).toBe(when)
  expect(await row(id)).toMatchObject({ status: 'running', reason: expect.stringContaining('complaints') })
  await at.db.updateTable('dial_block').set({ lifted_at: new Date() }).where('id', '=', blockId).execute()
  await dials(id)
  await act(id, { status: 'cancelling' })
  await at.status(id, 'cancelled')
})

test('outside calling hours a ready campaign waits and says from when, a running one is held and goes on by itself', async () => {
  const hours = JSON.stringify({ ...defaultCallingHours, from: '08:00', to: '20:00' })
  await at.db
    .insertInto('account_calling_hours')
    .values({ account_id: user(4).userId, hours, reason: 'test', changed_by: user(4).userId })
    .execute()
  const set = (text: string) => at.clock.set(instantOfNepalTime(`2026-11-20 ${text}`) ?? new Date(0))
  set('07:30:00')
  const id = await campaign(4, { channels: 2 })
  await said(id, /^outside calling hours, dials from 08:00$/)
  expect(await row(id)).toMatchObject({ status: 'ready' })
  set('08:00:00')
  await dials(id)
  set('20:00:00')
  await at.status(id, 'onHold')
  expect(await row(id)).toMatchObject({
    hold_cause: 'hours',
    reason: 'outside calling hours, dials from 2026-11-21 08:00',
  })
  at.clock.set(instantOfNepalTime('2026-11-21 08:00:00') ?? new Date(0))
  await dials(id)
  await act(id, { status: 'cancelling' })
  await at.status(id, 'cancelled')
  at.clock.set(new Date())
})

test('a prompt that is gone when the campaign starts fails it, saying which', async () => {
  const flow = at.flow(0)
  const gone = { ...flow, opening: flow.opening.map((part) => ({ ...part, hash: 'f'.repeat(64) })) }
  const id = await campaign(5, { flow: gone })
  await at.status(id, 'failed')
  expect(await row(id)).toMatchObject({ reason: expect.stringContaining('a prompt of the campaign is gone') })
})

test('a campaign that runs or is retried when its prompt is deleted fails, saying which, and nobody is called', async () => {
  await newPrompt(at, user(5)) // 1, as in the other flows
  const promptId = await newPrompt(at, user(5), { name: 'tihar_menu' })
  await at.db.updateTable('prompt').set({ deleted_at: new Date() }).where('id', '=', promptId).execute()
  const flow = at.flow(0)
  const deleted = { ...flow, opening: flow.opening.map((part) => ({ ...part, promptId })) }
  const running = await campaign(5, { flow: deleted, status: 'running' })
  const retried = await campaign(5, { flow: deleted, status: 'complete' })
  await at.db
    .updateTable('campaign_contact')
    .set({ state: 'done', disposition: 'BUSY' })
    .where('campaign_id', '=', retried)
    .execute()
  await at.pool.query('update campaign_count set fresh = 0, done = fresh where campaign_id = $1', [retried])
  await act(retried, { status: 'running', fresh_next: 181, is_retry: true, retry_requested: true })
  for (const id of [running, retried]) {
    await at.status(id, 'failed')
    expect(await row(id)).toMatchObject({ reason: 'a prompt of the campaign is gone: tihar_menu' })
    expect(await begun(id)).toBe(0)
  }
})

test('an account that is disabled puts its campaigns on hold with the reason', async () => {
  const id = await campaign(5, { channels: 1 })
  await dials(id)
  await at.db
    .updateTable('users')
    .set({ disabled_at: new Date(), disabled_reason: 'fraud' })
    .where('id', '=', user(5).userId)
    .execute()
  await at.status(id, 'onHold')
  expect(await row(id)).toMatchObject({ hold_cause: 'disabled', reason: 'the account is disabled: fraud' })
})

test('after its last day a paused campaign’s rows are closed and it is complete', async () => {
  const id = await campaign(0, { status: 'paused', phones: talkers(30), dialUntil: new Date(Date.now() - 1000) })
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ expired: 30, fresh: 0 })
  await act(id, { status: 'running', is_retry: true, retry_requested: true })
  await at.status(id, 'complete')
  expect((await counts(at, id))['attempts']).toBeGreaterThan(29)
  await expectSoundFiles(at)
})
