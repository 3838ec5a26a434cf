import { randomUUID } from 'node:crypto'
import type { OwnOverview, PlatformOverview, ResellerOverview } from '@ghanti/contract/overview.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { back, newAccountTree, newPaidCampaign, noon } from '../../testing/account-tree.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { giveRupees, newLine, newReseller, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { raiseAlert } from '../alerts/actions.ts'
import { countAll } from '../insight/actions-count.ts'
import { trunksShown } from './rules.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let stranger: Viewer

beforeAll(async () => {
  http = await testHttp(app)
  ;({ boss, reseller, user, stranger } = await newAccountTree(app, {
    prefix: 'over',
    reseller: { rupees: 5000 },
    user: { rupees: 500 },
  }))
})

async function overview<T>(viewer: Viewer, which: 'own' | 'reseller' | 'platform'): Promise<T> {
  const reply = await http.inject({ url: `/api/obd/overview/${which}`, headers: await signedIn(app, viewer) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<T>()
}
const needs = async (viewer: Viewer) =>
  Object.fromEntries((await overview<OwnOverview>(viewer, 'own')).needs.map(({ kind, ...need }) => [kind, need]))

type Held = { status: 'onHold' | 'lowBalance' | 'failed' | 'paused' | 'running'; reason?: string; cause?: 'hours' }
async function campaignOf(owner: Viewer, name: string, { status, reason, cause }: Held): Promise<number> {
  const id = await newCampaign(app, owner, { name })
  const isOver = status === 'failed'
  await app.db
    .updateTable('campaign')
    .set({ status, hold_cause: cause ?? (status === 'onHold' ? 'trunk' : null) })
    .where('id', '=', id)
    .execute()
  const finished_at = isOver ? back(0.5) : null
  await app.db
    .updateTable('campaign_progress')
    .set({ status, reason: reason ?? null, finished_at })
    .where('campaign_id', '=', id)
    .execute()
  return id
}

test('an account that has nothing to do reads so', async () => {
  expect(await needs(reseller)).toEqual({})
})

test('a user reads what was rejected, what is held, and that nothing can be called without a caller ID', async () => {
  expect(await needs(user)).toEqual({ noCli: { count: 1, about: null, reason: null } })
  await newLine(app, { holders: [user] })
  const prompts = [
    await newPrompt(app, user, { name: 'Old', status: 'rejected' }),
    await newPrompt(app, user, { name: 'Welcome', status: 'rejected' }),
  ]
  await app.db.updateTable('prompt').set({ reject_reason: 'Too quiet' }).where('id', 'in', prompts).execute()
  await newPrompt(app, stranger, { status: 'rejected' })
  const campaignId = await campaignOf(user, 'Dashain', { status: 'onHold', reason: 'the trunk is down' })
  await campaignOf(user, 'Asleep', { status: 'onHold', cause: 'hours' })
  await campaignOf(user, 'Mine', { status: 'paused' })
  await campaignOf(user, 'Broken', { status: 'failed', reason: 'no dialer' })
  await newSmsCampaign(app, user)
  expect(await needs(user)).toEqual({
    promptsRejected: { count: 2, about: 'Welcome', reason: 'Too quiet' },
    campaignsHeld: {
      count: 1,
      about: 'Dashain',
      reason: 'the trunk is down',
      hold: { campaignId, cause: 'trunk', heldBy: null },
    },
    campaignsFailed: { count: 1, about: 'Broken', reason: 'no dialer' },
  })
  await app.db.updateTable('prompt').set({ deleted_at: noon }).where('id', 'in', prompts).execute()
  expect(await needs(user)).not.toHaveProperty('promptsRejected')
})

test('texts, sender IDs and exports are listed too, but not old ones', async () => {
  const text = { account_id: user.userId, text: 'Namaste', status: 'rejected' as const }
  await app.db
    .insertInto('sms_text')
    .values([{ ...text, name: 'Offer', reason: 'A link' }])
    .execute()
  const ended = (days: number) => ({
    owner_id: user.userId,
    kind: 'calls' as const,
    format: 'csv' as const,
    filter: '{}',
    file_name: `${days} days.csv`,
    status: 'ready' as const,
    file_hash: `${days}`,
    ended_at: back(days),
    expires_at: back(-7),
  })
  await app.db
    .insertInto('export')
    .values([ended(0.1), ended(2)])
    .execute()
  expect(await needs(user)).toMatchObject({
    textsRejected: { count: 1, about: 'Offer', reason: 'A link' },
    exportsReady: { count: 1, about: '0.1 days.csv' },
  })
})

test('a balance below the account’s notification limit is something to do', async () => {
  const poor = await newUser(app, { parent: reseller, username: 'over-poor', rupees: 20 })
  await newLine(app, { holders: [poor] })
  const own = await overview<OwnOverview>(poor, 'own')
  expect(own).toEqual({
    now: expect.objectContaining({ running: 0, campaigns: [], last: null, menus: [] }),
    lasts: { days: null, perDay: null, ofDays: 0 },
    lowBalanceLimit: 100,
    needs: [{ kind: 'lowBalance', count: 1, about: null, reason: null }],
  })
  await giveRupees(app, poor.userId, 100)
  expect(await needs(poor)).toEqual({})
})

test('a reseller sees who pays most, who has little left, what the month earned, and campaigns in trouble', async () => {
  const himal = await newReseller(app, { parent: boss, username: 'over-agency' })
  const [rich, small] = [
    await newUser(app, { parent: himal, username: 'over-rich', rupees: 900 }),
    await newUser(app, { parent: himal, username: 'over-small', rupees: 30 }),
  ]
  for (const [owner, days] of [
    [rich, [0, 1, 31]],
    [small, [1]],
  ] as const) {
    const campaignId = await newPaidCampaign(app, owner, himal, `Of ${owner.username}`)
    for (const ago of days) await newCall(app, owner, campaignId, { at: back(ago), ...answered(10, back(ago)) })
  }
  await countAll(app.db)
  await campaignOf(rich, 'Stuck', { status: 'lowBalance', reason: 'Rs 1.00 is free' })
  await campaignOf(stranger, 'Of another', { status: 'onHold' })
  const silent = await campaignOf(small, 'Silent', { status: 'running' })
  await app.db.updateTable('campaign_progress').set({ attempts: 25 }).where('campaign_id', '=', silent).execute()
  const seen = await overview<ResellerOverview>(himal, 'reseller')
  expect(seen.month).toEqual({ margin: 0.6, before: 0.2, paid: 1.5 })
  expect(seen.customers).toEqual([
    { userId: rich.userId, username: 'over-rich', today: 0.5, month: 1, margin: 0.4 },
    { userId: small.userId, username: 'over-small', today: 0, month: 0.5, margin: 0.2 },
  ])
  expect([seen.low, seen.lowInAll]).toEqual([
    [{ userId: small.userId, username: 'over-small', free: 30, limit: 100 }],
    1,
  ])
  expect(seen.trouble.map(({ campaignName, trouble }) => `${campaignName} ${trouble}`).toSorted()).toEqual([
    'Silent unanswered',
    'Stuck lowBalance',
  ])
  expect(seen.troubleInAll).toBe(2)
  expect(seen.trouble.find(({ campaignName }) => campaignName === 'Stuck')).toMatchObject({
    userId: rich.userId,
    hold: 'lowBalance',
    heldBy: null,
  })
})

test('the operator sees each trunk against what it may carry, what waits, what is open and what is stopped', async () => {
  const before = await overview<PlatformOverview>(boss, 'platform')
  const { trunkId, dialerId } = await newLine(app, { channels: 40, cps: 10 })
  await app.db
    .insertInto('dialer_lease')
    .values({ dialer_id: dialerId, epoch: 1, engine_id: randomUUID(), expires_at: new Date(Date.now() + 600_000) })
    .execute()
  const state = { trunk_id: trunkId, reachable: true, calls: 9, channels: 12, begun: 4, takes_cps: 6 }
  await app.db.insertInto('trunk_state').values(state).execute()
  await raiseAlert(app.db, 'mail_failed', 'mail', 'nobody took it')
  await newPrompt(app, user, { status: 'pending' })
  const reason = 'The operator asked'
  const headers = await signedIn(app, boss)
  const payload = { kind: 'trunk', targetId: trunkId, reason }
  await http.inject({ method: 'POST', url: '/api/obd/dialblock', payload, headers })
  const ours = async () => {
    const { trunks, ...seen } = await overview<PlatformOverview>(boss, 'platform')
    return { ...seen, trunk: trunks.find((trunk) => trunk.trunkId === trunkId) }
  }
  await expect
    .poll(async () => (await ours()).trunk)
    .toMatchObject({
      now: { callsPerSecond: 4, channelsUsed: 12, held: null, reachable: true },
      cps: 6,
      channels: 40,
      today: { calls: 0, asr: null },
    })
  const seen = await ours()
  expect(seen.totals.channels - before.totals.channels).toBe(40)
  expect(seen.waiting.prompts).toBe(before.waiting.prompts + 1)
  expect(seen.alerts).toMatchObject({ open: 1, first: [{ kind: 'mail_failed', detail: 'nobody took it' }] })
  expect(seen.stopped).toMatchObject([{ reason, by: 'over-boss' }])
})

test('trunks that are held come first, then the busiest', () => {
  const trunk = (trunkName: string, channelsUsed: number, held: string | null = null) => ({
    trunkId: 1,
    trunkName,
    cps: 10,
    channels: 100,
    today: { calls: 0, asr: null },
    now: { callsPerSecond: 1, channelsUsed, held, reachable: true },
  })
  const { trunks, trunksLeftOut, totals } = trunksShown([
    trunk('b', 5),
    trunk('a', 5),
    trunk('busy', 50),
    trunk('down', 0, 'why'),
    ...Array.from({ length: 30 }, () => trunk('z', 0)),
  ])
  expect(trunks.slice(0, 4).map(({ trunkName }) => trunkName)).toEqual(['down', 'busy', 'a', 'b'])
  expect([trunks.length, trunksLeftOut, totals.channels]).toEqual([25, 9, 3400])
})

test('only resellers have a reseller’s dashboard, and only super admins see the lines', async () => {
  const status = async (viewer: Viewer, which: string) =>
    (await http.inject({ url: `/api/obd/overview/${which}`, headers: await signedIn(app, viewer) })).statusCode
  expect(await Promise.all([status(user, 'reseller'), status(reseller, 'platform'), status(boss, 'own')])).toEqual([
    403, 403, 403,
  ])
})
