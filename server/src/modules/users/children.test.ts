import { messages } from '@ghanti/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import {
  newLine,
  newPlan,
  newReseller,
  newSuperAdmin,
  newUser,
  seededPassword,
  sumOfBalances,
} from '../../testing/seed.ts'
import type { Viewer } from '../../policy.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss, channels: 100, planId: await newPlan(app), rupees: 100 })
})

type Said = { message: string; errors?: { field: string; text: string }[] }
type Fields = Record<string, unknown>
async function call(viewer: Viewer, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: Fields) {
  const reply = await http.inject({
    method,
    url: `/api/obd/${path}`,
    headers: await signedIn(app, viewer),
    ...(payload && { payload }),
  })
  const { message, errors } = reply.json<Said>()
  return { status: reply.statusCode, message, text: errors?.map(({ text }) => text).join() }
}
const remove = (viewer: Viewer, { userId }: Viewer) => call(viewer, 'DELETE', `user/${userId}`, { parent: 1 })
const disable = (viewer: Viewer, { userId }: Viewer, more: Fields = {}) =>
  call(viewer, 'POST', 'user/disable', { userId, reason: 'Unpaid', ...more })
const reset = (viewer: Viewer, { userId }: Viewer, password: string) =>
  call(viewer, 'POST', 'pwd/reset', { userId, parent: 1, password })
const signIn = (username: string, password: string) =>
  http.inject({ method: 'POST', url: '/api/obd/login', payload: { username, password } })
const isSignedIn = async (headers: Record<string, string>) =>
  (await http.inject({ url: '/api/obd/session', headers })).statusCode === 200
const logged = (action: string, { userId }: Viewer) =>
  app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'detail'])
    .where('action', '=', action)
    .where('target', '=', `user ${userId}`)
    .execute()
const ok = { status: 200, message: messages.success, text: undefined }
const notThere = { status: 404, message: messages.noData, text: undefined }

describe('whose accounts somebody may change', () => {
  test('of the reseller’s own children; one deeper is refused naming its parent, a stranger’s is not there', async () => {
    const below = await newReseller(app, { parent: reseller })
    const deep = await newUser(app, { parent: below })
    const stranger = await newUser(app)
    for (const act of [remove, disable, (viewer: Viewer, whom: Viewer) => reset(viewer, whom, 'a new password')]) {
      expect(await act(reseller, deep)).toEqual({
        status: 403,
        message: messages.notAllowed,
        text: `belongs to '${below.username}': only that account can do this`,
      })
      expect(await act(reseller, stranger)).toEqual(notThere)
      expect(await act(reseller, { ...stranger, userId: 999_999 })).toEqual(notThere)
      expect(await act(reseller, reseller)).toMatchObject({ status: 403, text: 'is your own account' })
      expect(await act(below, reseller)).toEqual(notThere)
      expect(await act(deep, deep)).toMatchObject({ status: 403 })
    }
    for (const act of [remove, (viewer: Viewer, whom: Viewer) => reset(viewer, whom, 'a new password')])
      expect(await act(boss, await newSuperAdmin(app))).toMatchObject({ status: 403, text: 'is a super admin' })
  })

  test('the super admin disables anybody, but does not delete what a reseller made', async () => {
    const user = await newUser(app, { parent: reseller })
    expect(await remove(boss, user)).toMatchObject({ status: 403 })
    expect(await disable(boss, user)).toEqual(ok)
  })

  test('a deleted account is nobody’s any more', async () => {
    const user = await newUser(app, { parent: reseller })
    expect(await remove(reseller, user)).toEqual(ok)
    for (const act of [remove, disable]) expect(await act(reseller, user)).toEqual(notThere)
  })
})

describe('reset password', () => {
  test('by the parent: the old one is over, and so is whatever was signed in', async () => {
    const user = await newUser(app, { parent: reseller })
    const headers = await signedIn(app, user)
    expect(await reset(reseller, user, 'xk7Qp2!v')).toEqual({ ...ok, message: messages.passwordReset })
    expect(await isSignedIn(headers)).toBe(false)
    expect((await signIn(user.username, seededPassword)).statusCode).toBe(401)
    expect((await signIn(user.username, 'xk7Qp2!v')).statusCode).toBe(200)
    const log = await logged('user.resetPassword', user)
    expect(log).toEqual([{ actor_id: reseller.userId, detail: { username: user.username } }])
  })

  test('its owner reads who did it, though whoever sets a password can then sign in as the owner', async () => {
    const user = await newUser(app, { parent: reseller })
    await reset(reseller, user, 'xk7Qp2!v')
    const url = '/api/obd/audit?action=user.resetPassword'
    const linesOf = async (viewer: Viewer) =>
      (await http.inject({ url, headers: await signedIn(app, viewer) })).json<{ action: string }[]>()
    expect(await linesOf(user)).toMatchObject([{ action: 'user.resetPassword', username: reseller.username, ip: '' }])
    expect(await linesOf(await newUser(app, { parent: reseller }))).toEqual([])
  })

  test('seven characters are too few', async () => {
    const user = await newUser(app, { parent: reseller })
    expect(await reset(reseller, user, 'seven c')).toEqual({
      status: 400,
      message: messages.badInput,
      text: 'Password cannot be less than 8 characters',
    })
  })

  test('nobody reads a password', async () => {
    const user = await newUser(app, { parent: reseller })
    const reply = await http.inject({ url: `/api/obd/pwd/${user.userId}`, headers: await signedIn(app, reseller) })
    expect(reply.json()).toEqual({ password: null, message: messages.passwordUnreadable })
    expect(await call(await newReseller(app), 'GET', `pwd/${user.userId}`)).toEqual(notThere)
  })
})

describe('disable', () => {
  test('ends the sessions and says why at the next sign-in; enabled again its owner may sign in', async () => {
    const user = await newUser(app, { parent: reseller })
    const headers = await signedIn(app, user)
    expect(await disable(reseller, user)).toEqual(ok)
    expect(await isSignedIn(headers)).toBe(false)
    const refused = await signIn(user.username, seededPassword)
    expect([refused.statusCode, refused.json<Said>().errors?.[0]?.text]).toEqual([403, 'is disabled: Unpaid'])
    expect(await disable(reseller, user)).toMatchObject({ status: 409, text: 'is disabled already' })
    expect(await disable(reseller, user, { disabled: false, reason: 'Paid' })).toEqual(ok)
    expect((await signIn(user.username, seededPassword)).statusCode).toBe(200)
    expect(await disable(reseller, user, { disabled: false })).toMatchObject({ status: 409, text: 'is not disabled' })
    expect(await logged('user.enable', user)).toMatchObject([{ detail: { reason: 'Paid' } }])
  })

  test('what a super admin disabled no reseller enables; a super admin takes over what a reseller disabled', async () => {
    const user = await newUser(app, { parent: reseller })
    const enable = { disabled: false, reason: 'Please' }
    const byPlatform = 'was disabled by the platform: only a super admin can enable it'
    expect(await disable(boss, user)).toEqual(ok)
    expect(await disable(reseller, user, enable)).toMatchObject({ status: 403, text: byPlatform })
    expect(await disable(boss, user, enable)).toEqual(ok)
    expect(await disable(reseller, user)).toEqual(ok)
    expect(await disable(boss, user)).toEqual(ok)
    expect(await disable(reseller, user, enable)).toMatchObject({ status: 403, text: byPlatform })
    expect(await disable(boss, user)).toMatchObject({ status: 409 })
  })
})

describe('delete', () => {
  test('the balance goes back to the parent first, the CLIs go back, sessions end, the name is free again', async () => {
    const parent = await newReseller(app, { parent: boss, rupees: 10 })
    const user = await newUser(app, { parent, rupees: 40 })
    await app.db.insertInto('account_income').values({ account_id: user.userId, slot: 1, paisa: 250 }).execute()
    await app.db
      .updateTable('account')
      .set((e) => ({ balance_paisa: e('balance_paisa', '-', 250) }))
      .where('kind', '=', 'mint')
      .execute()
    await newLine(app, { holders: [parent, user] })
    await newCampaign(app, user, { status: 'complete' })
    const headers = await signedIn(app, user)
    expect(await remove(parent, user)).toEqual(ok)
    expect(await isSignedIn(headers)).toBe(false)
    expect((await signIn(user.username, seededPassword)).statusCode).toBe(401)
    const accounts = await app.db
      .selectFrom('account')
      .select('balance_paisa')
      .where('id', 'in', [parent.userId, user.userId])
      .orderBy('id')
      .execute()
    expect(accounts.map(({ balance_paisa }) => balance_paisa)).toEqual([5250, 0])
    expect(await sumOfBalances(app)).toBe(0)
    const held = await app.db
      .selectFrom('cli_holder')
      .select('account_id')
      .where('account_id', '=', user.userId)
      .execute()
    expect(held).toEqual([])
    const log = await logged('user.delete', user)
    expect(log).toMatchObject([{ actor_id: parent.userId, detail: { username: user.username, returnedPaisa: 4250 } }])
    await newUser(app, { parent, username: user.username })
  })

  test('a super admin’s child gives its balance back to the mint', async () => {
    const child = await newReseller(app, { parent: boss, rupees: 7 })
    expect(await remove(await newSuperAdmin(app), child)).toEqual(ok)
    expect(await sumOfBalances(app)).toBe(0)
    const { balance_paisa } = await app.db
      .selectFrom('account')
      .select('balance_paisa')
      .where('id', '=', child.userId)
      .executeTakeFirstOrThrow()
    expect(balance_paisa).toBe(0)
  })

  test('refused while there are accounts below, naming some; deleted ones do not count', async () => {
    const parent = await newReseller(app, { parent: reseller })
    const children = []
    for (let n = 0; n < 7; n++) children.push(await newUser(app, { parent }))
    const [first] = children
    if (!first) throw new Error('no child')
    const refused = await remove(reseller, parent)
    expect(refused).toMatchObject({ status: 409, message: messages.requestFailed })
    expect(refused.text).toBe(
      `has the accounts ${children
        .slice(0, 5)
        .map(({ username }) => `'${username}'`)
        .join(', ')} and 2 more: delete them first`,
    )
    for (const child of children) expect(await remove(parent, child)).toEqual(ok)
    expect(await remove(reseller, parent)).toEqual(ok)
  })

  test.each([
    'processing',
    'ready',
    'running',
    'lowBalance',
    'cancelling',
    'pausing',
    'paused',
    'resuming',
    'onHold',
  ] as const)('refused with a campaign that is %s: nothing has changed then', async (status) => {
    const user = await newUser(app, { parent: reseller, rupees: 5 })
    await newCampaign(app, user, { status, name: 'Dashain' })
    expect(await remove(reseller, user)).toMatchObject({
      status: 409,
      text: "has the unfinished campaigns 'Dashain': stop them first",
    })
    const still = await app.db
      .selectFrom('account')
      .innerJoin('cli_holder', 'cli_holder.account_id', 'account.id')
      .select('balance_paisa')
      .where('account.id', '=', user.userId)
      .execute()
    expect(still).toEqual([{ balance_paisa: 500 }])
  })

  test('refused while money is reserved: calls under way still take it', async () => {
    const user = await newUser(app, { parent: reseller, rupees: 5 })
    await app.db.updateTable('account').set({ reserved_paisa: 150 }).where('account.id', '=', user.userId).execute()
    expect(await remove(reseller, user)).toMatchObject({
      status: 409,
      text: 'has Rs 1.50 reserved by calls or messages: wait until they are settled',
    })
    await app.db.updateTable('account').set({ reserved_paisa: 0 }).where('id', '=', user.userId).execute()
    expect(await remove(reseller, user)).toEqual(ok)
  })

  test('ten at once: one deletes, the money goes back once', async () => {
    const parent = await newReseller(app, { parent: boss })
    const user = await newUser(app, { parent, rupees: 30 })
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove(parent, user)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)])
    const { balance_paisa } = await app.db
      .selectFrom('account')
      .select('balance_paisa')
      .where('id', '=', parent.userId)
      .executeTakeFirstOrThrow()
    expect(balance_paisa).toBe(3000)
    expect(await sumOfBalances(app)).toBe(0)
  })
})
