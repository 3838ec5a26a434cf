import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { messages } from '@ghanti/contract/messages.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})

type Said = { message: string; errors?: { field: string; code: string; text: string }[] }
const signIn = async ({ username }: Viewer) => {
  const reply = await http.inject({
    method: 'POST',
    url: '/api/obd/login',
    payload: { username, password: seededPassword },
  })
  return { status: reply.statusCode, message: reply.json<Said>().message, error: reply.json<Said>().errors?.[0] }
}
const disable = async (viewer: Viewer, { userId }: Viewer, disabled = true) => {
  const headers = await signedIn(app, viewer)
  const payload = { userId, disabled, reason: 'Unpaid' }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/user/disable', headers, payload })
  return { status: reply.statusCode, text: reply.json<Said>().errors?.[0]?.text }
}
const enable = (viewer: Viewer, whom: Viewer) => disable(viewer, whom, false)
const reach = async (viewer: Viewer, { userId }: Viewer) => {
  const headers = await signedIn(app, viewer)
  return (await http.inject({ url: `/api/obd/user/disabling/${userId}`, headers })).json<unknown>()
}
const sessionOf = async (headers: Record<string, string>) =>
  (await http.inject({ url: '/api/obd/session', headers })).statusCode
const ok = { status: 200, text: undefined }
const refused = { status: 403, message: messages.notAllowed }

async function tree() {
  const top = await newReseller(app, { parent: boss })
  const middle = await newReseller(app, { parent: top })
  const user = await newUser(app, { parent: middle })
  const beside = await newUser(app, { parent: top })
  return { top, middle, user, beside }
}

describe('a reseller is disabled', () => {
  test('everybody below is signed out at once and not let in, told that it is an account above and not why; whoever is beside goes on', async () => {
    const { top, middle, user, beside } = await tree()
    const headers = await Promise.all([middle, user, beside, top].map((viewer) => signedIn(app, viewer)))
    expect(await disable(top, middle)).toEqual(ok)
    expect(await Promise.all(headers.map(sessionOf))).toEqual([401, 401, 200, 200])
    const own = { field: 'username', code: 'disabled', text: 'is disabled: Unpaid' }
    expect(await signIn(middle)).toEqual({ ...refused, error: own })
    expect(await signIn(user)).toEqual({
      ...refused,
      error: { ...own, text: 'is disabled: an account above it is disabled' },
    })
    expect(await signIn(beside)).toMatchObject({ status: 200 })
  })

  test('a wrong password is told nothing of it', async () => {
    const { middle, user } = await tree()
    await disable(boss, middle)
    const payload = { username: user.username, password: 'not the password' }
    const reply = await http.inject({ method: 'POST', url: '/api/obd/login', payload })
    expect([reply.statusCode, reply.json()]).toEqual([401, { message: messages.badCredentials }])
  })

  test('a session that was opened while it was disabled is worth nothing, then or when it is lifted', async () => {
    const { middle, user } = await tree()
    await disable(boss, middle)
    const headers = await signedIn(app, user) // like a sign-in that was under way
    expect(await sessionOf(headers)).toBe(401)
    await enable(boss, middle)
    expect(await sessionOf(headers)).toBe(401)
    expect(await signIn(user)).toMatchObject({ status: 200 })
  })

  test('an account that is made below it afterwards is not live either', async () => {
    const { middle } = await tree()
    await disable(boss, middle)
    const late = await newUser(app, { parent: middle })
    expect(await sessionOf(await signedIn(app, late))).toBe(401)
    expect(await signIn(late)).toMatchObject(refused)
    await enable(boss, middle)
    expect(await signIn(late)).toMatchObject({ status: 200 })
  })

  test('an event stream of somebody below ends within a second', async () => {
    const { middle, user } = await tree()
    const url = '/api/obd/events'
    const opened = await http.inject({ method: 'GET', url, headers: await signedIn(app, user), payloadAsStream: true })
    expect(opened.statusCode).toBe(200)
    const stream = opened.stream().resume()
    const ended = new Promise((resolve) => stream.once('end', resolve))
    await disable(boss, middle)
    const at = performance.now()
    await ended
    expect(performance.now() - at).toBeLessThan(1000)
  })
})

test.each<{
  why: string
  stopped: readonly ('top' | 'middle' | 'user')[]
  lifted: readonly ('top' | 'middle' | 'user')[]
}>([
  { why: 'one above', stopped: ['top'], lifted: ['top'] },
  { why: 'two above, from below', stopped: ['top', 'middle'], lifted: ['middle', 'top'] },
  { why: 'two above, from above', stopped: ['middle', 'top'], lifted: ['top', 'middle'] },
  { why: 'itself and one above', stopped: ['user', 'top'], lifted: ['top', 'user'] },
  { why: 'one above and then itself', stopped: ['top', 'user'], lifted: ['user', 'top'] },
])('an account is live again when the last of what stopped it is lifted: $why', async ({ stopped, lifted }) => {
  const accounts = await tree()
  for (const which of stopped) expect(await disable(boss, accounts[which])).toEqual(ok)
  for (const which of lifted) {
    expect(await signIn(accounts.user)).toMatchObject(refused)
    expect(await enable(boss, accounts[which])).toEqual(ok)
  }
  expect(await signIn(accounts.user)).toMatchObject({ status: 200 })
})

test.each(['disabled_at', 'deleted_at'] as const)(
  '%s of any account of the path stops it, of a super admin above it does not',
  async (column) => {
    const admin = await newSuperAdmin(app)
    const top = await newReseller(app, { parent: admin })
    const user = await newUser(app, { parent: top })
    const set = (whom: Viewer, at: Date | null) =>
      app.db
        .updateTable('users')
        .set({ [column]: at })
        .where('id', '=', whom.userId)
        .execute()
    await set(admin, new Date())
    expect(await sessionOf(await signedIn(app, user))).toBe(200)
    expect(await sessionOf(await signedIn(app, admin))).toBe(401)
    await set(top, new Date())
    expect(await sessionOf(await signedIn(app, user))).toBe(401)
    await set(top, null)
    await set(user, new Date())
    expect(await sessionOf(await signedIn(app, user))).toBe(401)
  },
)

test('the users of an expired reseller go on', async () => {
  const reseller = await newReseller(app, { parent: boss, expiresAt: new Date(Date.now() - 1000) })
  const user = await newUser(app, { parent: reseller })
  expect(await sessionOf(await signedIn(app, user))).toBe(200)
  expect(await signIn(user)).toMatchObject({ status: 200 })
})

test('disabled or enabled twice is refused in words, and nothing changes', async () => {
  const { top, middle } = await tree()
  expect(await enable(top, middle)).toEqual({ status: 409, text: 'is not disabled' })
  expect(await disable(top, middle)).toEqual(ok)
  expect(await disable(top, middle)).toEqual({ status: 409, text: 'is disabled already' })
  const twice = await Promise.all([enable(top, middle), enable(top, middle)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a reseller below a disabled one neither lifts nor disables any more', async () => {
  const { top, middle, user } = await tree()
  const headers = await signedIn(app, middle)
  await disable(boss, top)
  const payload = { userId: user.userId, reason: 'Unpaid' }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/user/disable', headers, payload })
  expect(reply.statusCode).toBe(401)
})

test('the reach of disabling is counted before: accounts below and campaigns of all, except those that something else stops', async () => {
  const { top, middle, user, beside } = await tree()
  for (const status of ['processing', 'ready', 'running', 'resuming', 'paused', 'lowBalance', 'complete'] as const)
    await newCampaign(app, user, { status })
  await newCampaign(app, beside, { status: 'running' })
  const held = async (hold_cause: 'hours' | 'administrator') => {
    const id = await newCampaign(app, user, { status: 'onHold' })
    await app.db.updateTable('campaign').set({ hold_cause }).where('id', '=', id).execute()
  }
  await held('hours')
  await held('administrator')
  expect(await reach(boss, top)).toEqual({ accounts: 3, campaigns: 6 })
  expect(await reach(top, middle)).toEqual({ accounts: 1, campaigns: 5 })
  expect(await reach(top, user)).toEqual({ accounts: 0, campaigns: 5 })
  await disable(top, middle)
  expect(await reach(boss, top), 'what is below the disabled one is stopped already').toEqual({
    accounts: 1,
    campaigns: 1,
  })
  expect(await reach(top, user)).toEqual({ accounts: 0, campaigns: 0 })
  expect(await reach(top, middle), 'what goes on when it is enabled').toEqual({ accounts: 1, campaigns: 5 })
})
