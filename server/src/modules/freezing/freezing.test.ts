import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { mintId } from '../../db/platform-accounts.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import {
  giveRupees,
  newLine,
  newPlan,
  newReseller,
  newSuperAdmin,
  newUser,
  seededPassword,
  sumOfBalances,
} from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})

type Said = { message: string; errors?: { field: string; text: string }[] }
type Fields = Record<string, unknown>
async function call(viewer: Viewer, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: Fields) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method, url: `/api/obd/${path}`, headers, ...(payload && { payload }) })
  return {
    status: reply.statusCode,
    text: reply
      .json<Said>()
      .errors?.map(({ text }) => text)
      .join(),
  }
}
const freeze = (viewer: Viewer, { userId }: Viewer, more: Fields = {}) =>
  call(viewer, 'POST', 'user/freeze', { userId, reason: 'Stolen', ...more })
const lift = (viewer: Viewer, whom: Viewer) => freeze(viewer, whom, { frozen: false })
const reach = async (viewer: Viewer, { userId }: Viewer) =>
  (await http.inject({ url: `/api/obd/user/freezing/${userId}`, headers: await signedIn(app, viewer) })).json<unknown>()
async function signIn({ username }: Viewer) {
  const payload = { username, password: seededPassword }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/login', payload })
  return { status: reply.statusCode, text: reply.json<Said>().errors?.[0]?.text }
}
const isSignedIn = async (headers: Record<string, string>) =>
  (await http.inject({ url: '/api/obd/session', headers })).statusCode === 200
const marks = async (...whom: Viewer[]) => {
  const of = await app.db
    .selectFrom('account')
    .select(['id', 'frozen'])
    .where(
      'id',
      'in',
      whom.map(({ userId }) => userId),
    )
    .execute()
  return whom.map(({ userId }) => of.find(({ id }) => id === userId)?.frozen)
}
const balanceOf = async ({ userId }: Viewer) =>
  (await app.db.selectFrom('account').select('balance_paisa').where('id', '=', userId).executeTakeFirstOrThrow())
    .balance_paisa

const ok = { status: 200, text: undefined }
const isFrozen = 'is frozen: nothing moves until it is lifted'

async function tree() {
  const top = await newReseller(app, { parent: boss, rupees: 100, channels: 300, planId: await newPlan(app) })
  const middle = await newReseller(app, { parent: top, rupees: 50, channels: 200 })
  const user = await newUser(app, { parent: middle, rupees: 20 })
  const beside = await newUser(app, { parent: top, rupees: 5 })
  return { top, middle, user, beside }
}

describe('a frozen account', () => {
  test('and everybody below are signed out and let in no more, in words that a thief may read; whoever is beside goes on', async () => {
    const { top, middle, user, beside } = await tree()
    const headers = await Promise.all([middle, user, beside, top].map((viewer) => signedIn(app, viewer)))
    expect(await freeze(top, middle)).toEqual(ok)
    expect(await Promise.all(headers.map(isSignedIn))).toEqual([false, false, true, true])
    for (const one of [middle, user]) expect(await signIn(one)).toEqual({ status: 403, text: isFrozen })
    expect(await signIn(beside)).toMatchObject({ status: 200 })
    expect(await marks(top, middle, user, beside)).toEqual([false, true, true, false])
    expect(await lift(top, middle)).toEqual(ok)
    expect(await Promise.all(headers.map(isSignedIn))).toEqual([false, false, true, true])
    expect(await signIn(user)).toMatchObject({ status: 200 })
    expect(await marks(middle, user)).toEqual([false, false])
  })

  test('gets and gives no credits, channels, plan or caller ID, and neither it nor those below are changed', async () => {
    const { top, middle, user } = await tree()
    const { cliId } = await newLine(app, { holders: [user] })
    const other = await newLine(app, {})
    const { userId } = user
    await freeze(top, middle)
    const sum = await sumOfBalances(app)
    const { name, number, emailid, company, pincode } = await app.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const person = { name, number, emailid, company, pincode, address: 'Patan', accountType: 0, userType: 'user' }
    const update = {
      userId,
      ...person,
      expiryDate: 'never',
      planId: await newPlan(app, { owner: middle }).catch(() => 1),
    }
    const tries: [Viewer, 'POST' | 'DELETE', string, Fields][] = [
      [boss, 'POST', 'credits/add', { userId, credits: 5 }],
      [boss, 'POST', 'credits/remove', { userId, credits: 5 }],
      [top, 'POST', 'credits/add', { userId: middle.userId, credits: 5 }],
      [boss, 'POST', 'user/channels', { userId, channels: 20 }],
      [boss, 'POST', 'user/update', { ...update, planId: undefined }],
      [boss, 'POST', 'allocate/cli', { cliRows: [{ cliId: other.cliId, userId }] }],
      [boss, 'DELETE', 'cli/deallocate', { cliId, userId }],
      [boss, 'POST', 'user/disable', { userId, reason: 'Unpaid' }],
      [boss, 'POST', 'user/disable', { userId: middle.userId, disabled: false, reason: 'Paid' }],
      [top, 'DELETE', `user/${middle.userId}`, {}],
    ]
    for (const [viewer, method, path, fields] of tries) {
      const { status, text } = await call(viewer, method, path, fields)
      const wanted =
        path.startsWith('user/') && method === 'DELETE'
          ? expect.stringMatching(/^(has the accounts|is frozen)/)
          : isFrozen
      expect({ path, status, text }).toEqual({ path, status: 409, text: wanted })
    }
    expect([await balanceOf(middle), await balanceOf(user), await sumOfBalances(app)]).toEqual([5000, 2000, sum])
    await expect(newUser(app, { parent: middle })).rejects.toThrow(/is frozen/)
    await expect(newPlan(app, { owner: middle })).rejects.toThrow(/is frozen/)
    await lift(top, middle)
    expect(await call(boss, 'POST', 'credits/add', { userId, credits: 5 })).toEqual(ok)
    expect(await call(boss, 'POST', 'user/channels', { userId, channels: 20 })).toEqual(ok)
    expect(await call(boss, 'DELETE', 'cli/deallocate', { cliId, userId })).toEqual(ok)
  })

  test('gets another password, since that opens nothing before the freeze is lifted', async () => {
    const { top, middle, user } = await tree()
    await freeze(top, middle)
    const payload = { userId: user.userId, password: 'sunlit-teapot-47-goat' }
    expect(await call(boss, 'POST', 'pwd/reset', payload)).toMatchObject({ status: 200 })
    const login = { username: user.username, password: 'sunlit-teapot-47-goat' }
    const enter = async () => (await http.inject({ method: 'POST', url: '/api/obd/login', payload: login })).statusCode
    expect(await enter()).toBe(403)
    await lift(top, middle)
    expect(await enter()).toBe(200)
  })

  test('pays and is paid for what was begun, and for nothing else, whoever writes the transfer', async () => {
    const { top, middle, user } = await tree()
    await freeze(top, middle)
    const between = { payer_id: user.userId, payee_id: middle.userId, amount_paisa: 100 }
    const write = (kind: 'calls' | 'sms' | 'credit_add' | 'credit_remove') =>
      app.db.transaction().execute((tx) =>
        tx
          .insertInto('transfer')
          .values({ ...between, kind })
          .execute(),
      )
    await expect(write('credit_add')).rejects.toMatchObject({ code: 'GH010' })
    await expect(write('credit_remove')).rejects.toMatchObject({ code: 'GH010' })
    await write('calls')
    await write('sms')
    await expect(giveRupees(app, middle.userId, 1)).rejects.toMatchObject({ code: 'GH010' })
  })
})

describe('who freezes and lifts', () => {
  test('any account above, at any depth; nobody beside, below, or the account itself', async () => {
    const { top, middle, user, beside } = await tree()
    expect(await freeze(top, user)).toEqual(ok)
    expect(await lift(middle, user), 'top, which froze it, is above middle').toEqual({
      status: 403,
      text: 'was frozen by an account above you: only that account can lift it',
    })
    expect(await lift(top, user)).toEqual(ok)
    expect(await freeze(middle, user)).toEqual(ok)
    expect(await lift(top, user)).toEqual(ok)
    const stranger = await newReseller(app)
    expect(await freeze(stranger, user)).toMatchObject({ status: 404 })
    expect(await freeze(middle, top)).toMatchObject({ status: 404 })
    expect(await freeze(middle, beside)).toMatchObject({ status: 404 })
    expect(await freeze(user, user)).toMatchObject({ status: 403 })
  })

  test('nobody freezes itself or a super admin, freezes twice, or lifts what is not frozen', async () => {
    const { top, middle } = await tree()
    expect(await freeze(top, top)).toEqual({
      status: 409,
      text: 'is your own account: only one above freezes it',
    })
    expect(await freeze(boss, await newSuperAdmin(app))).toEqual({
      status: 409,
      text: 'is a super admin: disable it instead',
    })
    expect(await lift(top, middle)).toEqual({ status: 409, text: 'is not frozen' })
    expect(await freeze(top, middle)).toEqual(ok)
    expect(await freeze(top, middle)).toEqual({ status: 409, text: 'is frozen already' })
    expect(await freeze(top, middle, { calls: 'later' })).toEqual({ status: 400, text: 'must be one of end, finish' })
    expect(await freeze(top, middle, { reason: ' ' })).toEqual({ status: 400, text: 'is required' })
    const twice = await Promise.all([lift(top, middle), lift(top, middle)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('what the platform froze, or took over, only the platform lifts', async () => {
    const { top, middle, user } = await tree()
    const byPlatform = { status: 403, text: 'was frozen by the platform: only a super admin can lift it' }
    await freeze(boss, middle)
    expect(await lift(top, middle)).toEqual(byPlatform)
    expect(await lift(await newSuperAdmin(app), middle)).toEqual(ok)
    await freeze(middle, user)
    expect(await freeze(boss, user)).toEqual(ok)
    expect(await lift(middle, user)).toEqual(byPlatform)
    expect(await freeze(boss, user)).toEqual({ status: 409, text: 'is frozen already' })
    expect(await lift(boss, user)).toEqual(ok)
    expect(await signIn(user)).toMatchObject({ status: 200 })
  })

  test('is in the audit log and told to the account between', async () => {
    const { top, middle } = await tree()
    await freeze(boss, middle, { calls: 'finish' })
    await lift(boss, middle)
    const lines = await app.db
      .selectFrom('audit_log')
      .select(['action', 'detail'])
      .where('target', '=', `user ${middle.userId}`)
      .where('action', 'in', ['user.freeze', 'user.lift'])
      .orderBy('id')
      .execute()
    const { username } = middle
    expect(lines).toEqual([
      { action: 'user.freeze', detail: { username, reason: 'Stolen', calls: 'finish' } },
      { action: 'user.lift', detail: { username, reason: 'Stolen' } },
    ])
    const told = await app.db
      .selectFrom('notice')
      .select(['kind', 'about', 'reason'])
      .where('user_id', '=', top.userId)
      .orderBy('id')
      .execute()
    const kind = 'childChanged'
    expect(told).toEqual([
      { kind, about: username, reason: 'It was frozen' },
      { kind, about: username, reason: 'Its freeze was lifted' },
    ])
  })
})

describe('lifting restores exactly what the freeze held', () => {
  test('what was disabled before is disabled afterwards, with its reason', async () => {
    const { top, middle, user } = await tree()
    const state = () =>
      app.db
        .selectFrom('users')
        .select(['disabled_at', 'disabled_by', 'disabled_reason'])
        .where('id', '=', middle.userId)
        .executeTakeFirst()
    await call(top, 'POST', 'user/disable', { userId: middle.userId, reason: 'Unpaid' })
    const before = await state()
    await freeze(boss, middle)
    await lift(boss, middle)
    expect(await state()).toEqual(before)
    expect(before).toMatchObject({ disabled_reason: 'Unpaid', disabled_by: top.userId })
    expect(await signIn(middle)).toEqual({ status: 403, text: 'is disabled: Unpaid' })
    expect(await marks(middle, user)).toEqual([false, false])
  })

  test('an account that is frozen below another stays frozen when only the one above is lifted', async () => {
    const { top, middle, user } = await tree()
    await freeze(middle, user)
    await freeze(boss, top)
    expect(await marks(top, middle, user)).toEqual([true, true, true])
    await lift(boss, top)
    expect(await marks(top, middle, user)).toEqual([false, false, true])
    expect(await signIn(middle)).toMatchObject({ status: 200 })
    expect(await signIn(user)).toEqual({ status: 403, text: isFrozen })
    await lift(middle, user)
    expect(await signIn(user)).toMatchObject({ status: 200 })
  })
})

test('its reach is counted before: accounts, open sign-ins, campaigns, calls in progress and messages under way', async () => {
  const { top, middle, user, beside } = await tree()
  for (const viewer of [middle, user, user, beside]) await signedIn(app, viewer)
  for (const status of ['running', 'paused', 'complete'] as const) await newCampaign(app, user, { status })
  const { dialerId, cliId, trunkId } = await newLine(app, {})
  const campaignId = await newCampaign(app, user, { status: 'running' })
  await app.pool.query(
    `insert into attempt_open (dialer_id, epoch, campaign_id, no, attempt_no, from_state, account_id, phone, reserved_paisa, trunk_id, cli_id)
     select $1, 1, $2, n, 1, 'fresh', $3, 9779800000000 + n, 0, $4, $5 from generate_series(1, 3) n`,
    [dialerId, campaignId, user.userId, trunkId, cliId],
  )
  expect(await reach(top, middle)).toEqual({ accounts: 1, sessions: 3, campaigns: 2, calls: 3, messages: 0 })
  expect(await reach(boss, beside)).toMatchObject({ accounts: 0, sessions: 1, campaigns: 0, calls: 0 })
  await app.pool.query('delete from attempt_open where campaign_id = $1', [campaignId])
})

test('lists and pages say what is frozen and with whom, also as CSV', async () => {
  const { top, middle, user } = await tree()
  await freeze(top, middle)
  const rowOf = async ({ userId, username }: Viewer) => {
    const url = `/api/obd/user/${top.userId}?search=${username}`
    const page = await http.inject({ url, headers: await signedIn(app, top) })
    return page.json<{ users: { userId: number }[] }>().users.find((row) => row.userId === userId)
  }
  expect(await rowOf(middle)).toMatchObject({
    frozen: { reason: 'Stolen', byPlatform: false, byOwner: false },
    frozenBy: null,
  })
  expect(await rowOf(user)).toMatchObject({ frozen: null, frozenBy: middle.username })
  const csv = await http.inject({
    url: `/api/obd/user/${top.userId}/users.csv?columns=all`,
    headers: await signedIn(app, top),
  })
  expect(csv.body).toContain('Frozen: Stolen')
  expect(csv.body).toContain(`Frozen with ${middle.username}`)
})

test('a campaign’s page says with which account it is frozen, and who may lift that', async () => {
  const { top, middle, user } = await tree()
  const pages = [
    `/app/sms/campaign/summary/${await newSmsCampaign(app, user)}`,
    `/api/obd/campaign/detail/${await newCampaign(app, user, { status: 'running' })}`,
  ]
  const seenBy = async (viewer: Viewer) => {
    const headers = await signedIn(app, viewer)
    const replies = await Promise.all(pages.map((url) => http.inject({ url, headers })))
    return replies.map((reply) => reply.json<{ frozen: unknown }>().frozen)
  }
  expect(await seenBy(top)).toEqual([null, null])
  const both = ({ userId, username }: Viewer, mayLift: boolean, byPlatform: boolean) => {
    const said = { userId, username, mayLift, byPlatform }
    return [said, said]
  }
  await freeze(top, user)
  expect(await seenBy(top)).toEqual(both(user, true, false))
  expect(await seenBy(middle)).toEqual(both(user, false, false))
  await lift(top, user)
  await freeze(boss, middle)
  expect(await seenBy(top)).toEqual(both(middle, false, true))
  expect(await seenBy(boss)).toEqual(both(middle, true, true))
})

test('the mint is nobody’s to freeze', async () => {
  expect(await freeze(boss, { ...boss, userId: await mintId(app.db) })).toMatchObject({ status: 404 })
})
