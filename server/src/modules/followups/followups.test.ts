import * as path from 'node:path'
import type { Followup } from '@ghanti/contract/followups.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { createSimulator } from '../../drivers/telephony/simulator/simulator.ts'
import { startEngine } from '../../voice/engine.ts'
import { faultsOf } from '../../dispatch/faults.ts'
import { checkInvariants } from '../../voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { polling } from '../../testing/timeouts.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { changeSetting } from '../platform/actions.ts'
import { defaultCallingHours } from '../platform/rules-hours.ts'

const app = await testApp()
const pool = openPool(
  { connectionString: app.url, max: 6, name: 'ghanti-engine', options: enginePoolOptions },
  () => {},
)
/** Set by the test that starts an engine: a hook that a test registers itself never runs. */
let stopDialling = async (): Promise<void> => undefined
afterAll(async () => {
  await stopDialling()
  await pool.end()
})
let http: FastifyInstance
let reseller: Viewer
let user: Viewer
let line: Awaited<ReturnType<typeof newLine>>
let campaignId: number

const hours = (enabled: boolean) =>
  app.db
    .transaction()
    .execute((tx) =>
      changeSetting(tx, 'callingHours', { ...defaultCallingHours, enabled, from: '03:00', to: '03:01' }, null),
    )

beforeAll(async () => {
  http = await testHttp(app)
  reseller = await newReseller(app, { planId: await newPlan(app, { pulseSeconds: 15, pulsePaisa: 40 }) })
  const planId = await newPlan(app, { owner: reseller, pulseSeconds: 15, pulsePaisa: 50 })
  user = await newUser(app, { parent: reseller, planId, rupees: 100 })
  line = await newLine(app, { holders: [user], channels: 10 })
  campaignId = await newCampaign(app, user, { status: 'complete', name: 'Dashain', line })
  await hours(false)
})

/** 33 answers and stays until somebody hangs up; 37 speaks and hangs up after 10 s. */
const agent = '+9779801111133'
let numbers = 9_779_841_000_000
const customer = (suffix: number) => (numbers += 100) + suffix
const called = (suffix: number, more: object = {}) =>
  newCall(app, user, campaignId, { phone: customer(suffix), agent, ...more })

async function send(url: string, payload: object, as: Viewer = user, more: Record<string, string> = {}) {
  const headers = { ...(await signedIn(app, as)), ...more }
  return http.inject({ method: 'POST', url: `/api/obd/followup${url}`, headers, payload })
}
const begin = (callUID: unknown, as: Viewer = user) => send('/', { callUID }, as)
async function get<Reply>(url: string, as: Viewer = user): Promise<Reply> {
  return (await http.inject({ url: `/api/obd/${url}`, headers: await signedIn(app, as) })).json<Reply>()
}
const seen = (followupId: number) => get<Followup>(`followup/${followupId}`)
async function refusalOf(callUID: unknown, as: Viewer = user): Promise<string> {
  const reply = await begin(callUID, as)
  const { errors = [], message } = reply.json<{ message: string; errors?: { field: string; text: string }[] }>()
  return `${reply.statusCode} ${errors[0] ? `${errors[0].field} ${errors[0].text}` : message}`
}
const followups = () => app.db.selectFrom('campaign').select('id').where('is_call_now', '=', true).execute()

test('a call that cannot be made is refused with the reason, and nothing is stored', async () => {
  const stranger = await newUser(app, { parent: reseller })
  const call = await called(37)
  expect(await refusalOf('x')).toMatch(/^400 callUID must be a whole number/)
  expect(await refusalOf(undefined)).toBe('400 callUID is required')
  expect(await refusalOf(999_999_999)).toBe('404 No data found')
  expect(await refusalOf(call, stranger), 'a stranger’s call').toBe('404 No data found')
  expect(await refusalOf(call, reseller), 'the call of a customer').toBe('403 Not allowed')
  const number = (
    await app.db.selectFrom('users').select('number').where('id', '=', user.userId).executeTakeFirstOrThrow()
  ).number
  const profile = (number: string) =>
    app.db.updateTable('users').set({ number }).where('id', '=', user.userId).execute()
  await profile('1234567')
  expect(await refusalOf(await called(37, { agent: null }))).toBe(
    '409 callUID had no agent, and your profile has no number that can be called: ask for one to be entered there',
  )
  await profile('9841999937')
  expect(await refusalOf(await called(37, { agent: null, phone: 9_779_841_999_937 }))).toMatch(
    /^409 callUID is the number in your own profile/,
  )
  await profile(number)
  const barred = customer(37)
  await app.db.insertInto('blacklist').values({ phone: barred, owner_id: reseller.userId }).execute()
  expect(await refusalOf(await called(37, { phone: barred }))).toBe('409 callUID is on a blacklist')
  await app.db.insertInto('blacklist').values({ phone: 9_779_801_111_199, owner_id: reseller.userId }).execute()
  expect(await refusalOf(await called(37, { agent: '+9779801111199' }))).toBe(
    '409 callUID cannot be called: 9801111199, the agent’s number, is on a blacklist',
  )
  await hours(true)
  expect(await refusalOf(call)).toMatch(/^409 callUID cannot be called: outside calling hours, dials from/)
  await hours(false)
  const account = app.db.updateTable('account').where('id', '=', user.userId)
  await account.set({ reserved_paisa: 9_900 }).execute()
  expect(await refusalOf(call)).toBe('409 callUID cannot be called: one call may cost Rs 6.50, you have Rs 1.00')
  await account.set({ reserved_paisa: 0 }).execute()
  await app.db
    .insertInto('dial_block')
    .values({ kind: 'platform', by_user_id: reseller.userId, reason: 'a fire', what: 'calls' })
    .execute()
  expect(await refusalOf(call)).toMatch(/a fire$/)
  await app.db.updateTable('dial_block').set({ lifted_at: new Date() }).execute()
  const busy = customer(37)
  const use = (phone: number, values: object) =>
    app.db
      .insertInto('number_use')
      .values({ phone, attempt_id: null, ...values })
      .onConflict((on) => on.column('phone').doUpdateSet(values))
      .execute()
  await use(busy, { attempt_id: 77 })
  await use(Number(agent.slice(1)), { attempt_id: 78 })
  expect(await refusalOf(await called(37, { phone: busy }))).toMatch(
    /^409 callUID must wait: another call to \d+ is under way$/,
  )
  expect(await refusalOf(call), 'its agent is in a call').toBe(
    '409 callUID must wait: another call to 9801111133 is under way',
  )
  await use(Number(agent.slice(1)), { attempt_id: null })
  const often = customer(37)
  const today = sql<string>`nepal_day(now())`
  await use(often, { account_id: user.userId, day: today, tried: 10, answered: 0 })
  expect(await refusalOf(await called(37, { phone: often }))).toMatch(
    /^409 callUID must wait: \d+ was called 10 times today$/,
  )
  await use(9_779_801_111_188, { account_id: 0, day: today, tried: 20, answered: 0 })
  expect(await refusalOf(await called(37, { agent: '+9779801111188' })), 'its agent').toMatch(
    /^409 callUID must wait: 9801111188 was called 20 times today$/,
  )
  await app.db.updateTable('cli').set({ trunk_id: null }).where('id', '=', line.cliId).execute()
  expect(await refusalOf(call)).toBe('409 cli is missing: your account has no active caller ID')
  await app.db.updateTable('cli').set({ trunk_id: line.trunkId }).where('id', '=', line.cliId).execute()
  await app.db.updateTable('users').set({ plan_id: null }).where('id', '=', user.userId).execute()
  expect(await refusalOf(call)).toMatch(/^400 plan /)
  await app.db
    .updateTable('users')
    .set({ plan_id: (await app.db.selectFrom('plan').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id })
    .where('id', '=', user.userId)
    .execute()
  expect(await followups()).toEqual([])
  expect(
    await app.db.selectFrom('number_use').select('phone').where('attempt_id', '>', 0).orderBy('phone').execute(),
  ).toEqual([{ phone: busy }])
  await use(busy, { attempt_id: null })
})

test('asked for twice at once it calls once; under one key both get the same; it is stopped once, by its owner alone', async () => {
  const call = await called(37)
  const twice = await Promise.all([begin(call), begin(await called(37))])
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await followups()).toHaveLength(1)
  const { followupId } = twice.map((reply) => reply.json<{ followupId?: number }>()).find((one) => one.followupId) ?? {}
  if (!followupId) throw new Error('none was begun')
  const stop = async (as: Viewer = user) => (await send(`/stop/${followupId}`, {}, as)).statusCode
  expect(await stop(await newUser(app, { parent: reseller }))).toBe(404)
  expect(await stop(reseller)).toBe(403)
  expect(await stop()).toBe(200)
  expect(await stop()).toBe(409)
  await app.db.updateTable('campaign').set({ status: 'cancelled' }).where('id', '=', followupId).execute()
  expect(await seen(followupId)).toMatchObject({
    state: 'ended',
    reason: 'the call was stopped',
    seconds: 0,
    cost: 0,
    attemptId: null,
  })
  const key = { 'idempotency-key': 'call now' }
  const one = await send('/', { callUID: call }, user, key)
  const other = await send('/', { callUID: call }, user, key)
  expect(one.json()).toEqual(other.json())
  expect(await followups()).toHaveLength(2)
  await app.db.updateTable('campaign').set({ status: 'cancelled' }).where('is_call_now', '=', true).execute()
  const test = await http.inject({
    url: `/api/obd/campaign/test-call/${followupId}`,
    headers: await signedIn(app, user),
  })
  expect(test.statusCode, 'it is no test call').toBe(404)
})

test('from the moment it is shown as ended it cannot be stopped and the next one can begin, although its campaign is not complete yet', async () => {
  const call = await called(37)
  const followupId = (await begin(call)).json<{ followupId: number }>().followupId
  await app.db.updateTable('campaign').set({ status: 'running' }).where('id', '=', followupId).execute()
  expect((await seen(followupId)).state).toBe('waiting')
  expect(await refusalOf(call)).toBe('409 callUID must wait: another Call Now of yours is under way')
  await app.db
    .insertInto('campaign_contact')
    .values({ campaign_id: followupId, no: 0, line: 1, phone: numbers + 37, state: 'done' })
    .execute()
  expect((await seen(followupId)).state).toBe('ended')
  expect((await send(`/stop/${followupId}`, {})).statusCode).toBe(409)
  expect((await begin(call)).statusCode).toBe(200)
  await app.db.deleteFrom('campaign_contact').where('campaign_id', '=', followupId).execute()
  await app.db.updateTable('campaign').set({ status: 'cancelled' }).where('is_call_now', '=', true).execute()
})

test('no account begins more than its share in a minute', async () => {
  const { WorkLimits } = await import('../limits/actions.ts')
  const { workLimits } = await import('../limits/rules.ts')
  const hasty = await testHttp({ ...app, workLimits: new WorkLimits(workLimits) })
  const headers = await signedIn(app, user)
  const ask = () =>
    hasty.inject({ method: 'POST', url: '/api/obd/followup', headers, payload: { callUID: 999_999_999 } })
  const replies = []
  for (let n = 0; n <= workLimits.callsNow.perMinute; n++) replies.push(await ask())
  const last = replies.at(-1)
  expect(last?.statusCode).toBe(429)
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
  await hasty.close()
})

function dialling(): void {
  const simulator = createSimulator({ recordFolder: path.join(app.config.dataFolder, 'record'), speed: 20 })
  const dialerSettings = { secret: app.config.secret, mediaFolder: path.join(app.config.dataFolder, 'media') }
  const { files, clock, log } = app
  const engine = startEngine({
    pool,
    telephony: [simulator],
    files,
    speech: app,
    dialerSettings,
    clock,
    log,
    engineId: 'test',
    timeScale: 0.01,
  })
  stopDialling = async () => {
    await engine.stop({ drainMs: 0 })
    simulator.close()
  }
}

/** The calls that it follows have no engine, so they are left out of the check. */
async function expectSoundBooks(): Promise<void> {
  const owner = new Client({ connectionString: app.url })
  await owner.connect()
  await owner.query('delete from attempt where campaign_id = $1', [campaignId])
  await owner.end()
  expect(faultsOf(await checkInvariants(pool))).toEqual([])
}

async function begun(callUID: number): Promise<number> {
  const reply = await begin(callUID)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ followupId: number }>().followupId
}
async function ended(followupId: number): Promise<Followup> {
  await expect.poll(async () => (await seen(followupId)).state, polling).toBe('ended')
  await expect
    .poll(
      async () =>
        app.db
          .selectFrom('campaign')
          .select('status')
          .where('id', '=', followupId)
          .where('status', 'in', ['complete', 'cancelled', 'failed'])
          .execute(),
      polling,
    )
    .toHaveLength(1)
  return await seen(followupId)
}
const attemptOf = (id: number | null) =>
  app.db
    .selectFrom('attempt')
    .selectAll()
    .where('id', '=', id ?? 0)
    .executeTakeFirstOrThrow()
const owed = async () => {
  const { rows } = await sql<{
    level: number
    paisa: number
  }>`select level, sum(amount_paisa)::int as paisa from transfer where kind = 'calls' group by 1 order by 1`.execute(
    app.db,
  )
  return rows.map(({ paisa }) => paisa)
}
async function states(followupId: number, until: Followup['state']): Promise<void> {
  await expect.poll(async () => (await seen(followupId)).state, { ...polling, interval: 20 }).toBe(until)
}

test('an agent and the customer are joined: both legs are charged at every level, the talk is recorded, the report has it', async () => {
  dialling()
  const call = await called(37)
  const followupId = await begun(call)
  await states(followupId, 'talking')
  const is = await ended(followupId)
  expect(is).toMatchObject({ state: 'ended', reason: null, disposition: 'ANSWER', agentNo: '9801111133' })
  const attempt = await attemptOf(is.attemptId)
  expect(attempt).toMatchObject({
    kind: 'callNow',
    agent,
    agent_missed: null,
    trail: null,
    uncollected_paisa: 0,
    account_id: user.userId,
  })
  expect(attempt.bill_ms).toBeGreaterThan(9_900)
  expect(attempt.patch_bill_ms, 'the agent was called first').toBeGreaterThan(attempt.bill_ms ?? 0)
  expect(is.seconds).toBe(Math.ceil((attempt.bill_ms ?? 0) / 1000))
  const pulses = [attempt.bill_ms, attempt.patch_bill_ms].reduce<number>(
    (sum, ms) => sum + Math.ceil((ms ?? 0) / 15_000),
    0,
  )
  expect(is.cost).toBe(pulses * 0.5)
  expect(await owed()).toEqual([pulses * 50, pulses * 40])
  const [row] = await get<{ kind: string; agentNo: string; campaignName: string; status: string }[]>(
    `campaign/report/${user.userId}?kind=callNow`,
  )
  expect(row).toMatchObject({
    kind: 'callNow',
    agentNo: '9801111133',
    campaignName: 'Call Now: Dashain',
    status: 'Success',
  })
  await expect
    .poll(
      () =>
        app.db
          .selectFrom('recording')
          .select('id')
          .where('attempt_id', '=', is.attemptId ?? 0)
          .execute(),
      polling,
    )
    .toEqual([{ id: attempt.recording }])
  await expectSoundBooks()
})

test('an agent who does not answer costs nothing, the customer is not called, and nobody is called again', async () => {
  const before = await owed()
  const is = await ended(await begun(await called(37, { agent: '+9779801111102' })))
  expect(is).toMatchObject({ reason: 'the agent did not answer', disposition: 'CANCEL', seconds: 0, cost: 0 })
  const attempts = await app.db
    .selectFrom('attempt')
    .select(['id', 'alerted'])
    .where('campaign_id', '=', is.followupId)
    .execute()
  expect(attempts).toEqual([{ id: is.attemptId, alerted: false }])
  expect(await owed()).toEqual(before)
  await expectSoundBooks()
})

test.each([
  { suffix: 1, disposition: 'BUSY', reason: 'the customer’s number is busy' },
  { suffix: 4, disposition: 'INVALID', reason: 'the customer’s number does not exist' },
])(
  'a customer who is not reached ($disposition): the agent’s leg is charged at every level',
  async ({ suffix, disposition, reason }) => {
    const before = await owed()
    const is = await ended(await begun(await called(suffix)))
    expect(is).toMatchObject({ reason, disposition, seconds: 0 })
    const attempt = await attemptOf(is.attemptId)
    expect(attempt).toMatchObject({ bill_ms: null, answered_at: null, recording: null })
    expect(attempt.patch_bill_ms).toBeGreaterThan(0)
    expect(attempt.cost_paisa).toBe(50 * Math.max(1, Math.ceil((attempt.patch_bill_ms ?? 0) / 15_000)))
    expect(await owed()).toEqual([
      (before[0] ?? 0) + attempt.cost_paisa,
      (before[1] ?? 0) + (attempt.cost_paisa / 50) * 40,
    ])
    await expectSoundBooks()
  },
)

test('a talk ends when its owner hangs up; a customer who never answers rings until then', async () => {
  const talking = await begun(await called(33))
  await states(talking, 'talking')
  expect((await send(`/stop/${talking}`, {})).statusCode).toBe(200)
  expect(await ended(talking)).toMatchObject({ disposition: 'ANSWER', reason: null })
  const ringing = await begun(await called(2))
  await states(ringing, 'customerRinging')
  expect((await send(`/stop/${ringing}`, {})).statusCode).toBe(200)
  expect(await ended(ringing)).toMatchObject({ disposition: 'CANCEL', reason: 'the call was stopped' })
  await expectSoundBooks()
  expect(await app.db.selectFrom('number_use').select('phone').where('attempt_id', '>', 0).execute()).toEqual([])
  expect(
    (await app.db.selectFrom('alert').select(['kind', 'detail']).execute()).filter(
      ({ kind }) => kind.startsWith('judge') || kind === 'record',
    ),
  ).toEqual([])
})
