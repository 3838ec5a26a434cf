import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'
import { settingOf } from '../platform/actions.ts'
import {
  beginWithFactors,
  resetPasswordByName,
  setDisabledByName,
  signOutAll,
  signOutByName,
  superAdminLines,
} from './actions-operator.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})
/** Only the current test's super admins count. */
beforeEach(() =>
  app.db
    .updateTable('users')
    .set({ disabled_at: new Date(), disabled_reason: 'of an earlier test' })
    .where('role', '=', 'superAdmin')
    .execute(),
)

type Headers = Record<string, string>
type Said = { errors?: { text: string }[] }
const ask = async (headers: Headers, { userId }: Viewer, disabled = true) => {
  const payload = { userId, disabled, reason: 'Left us' }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/user/disable', headers, payload })
  return { status: reply.statusCode, text: reply.json<Said>().errors?.[0]?.text }
}
const signIn = async ({ username }: Viewer, password = seededPassword) =>
  (await http.inject({ method: 'POST', url: '/api/obd/login', payload: { username, password } })).statusCode
const sessionOf = async (headers: Headers) => (await http.inject({ url: '/api/obd/session', headers })).statusCode
const live = async () => {
  const rows = await app.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superAdmin')
    .where('disabled_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
const logged = (action: string, { userId }: Viewer) =>
  app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'ip', 'detail'])
    .where('action', '=', action)
    .where('target', '=', `user ${userId}`)
    .execute()
const ok = { status: 200, text: undefined }
const command = (username: string, disabled: boolean) =>
  setDisabledByName(app.db, username, { disabled, reason: 'stolen laptop', at: new Date() })

test('a super admin disables another, who is signed out at once; nothing of what that one made stops; another lifts it', async () => {
  const [boss, other] = [await newSuperAdmin(app), await newSuperAdmin(app)]
  const reseller = await newReseller(app, { parent: other })
  const headers = {
    boss: await signedIn(app, boss),
    other: await signedIn(app, other),
    reseller: await signedIn(app, reseller),
  }
  await newCampaign(app, await newUser(app, { parent: reseller }))
  const reach = await http.inject({ url: `/api/obd/user/disabling/${other.userId}`, headers: headers.boss })
  expect(reach.json()).toEqual({ accounts: 0, campaigns: 0 })
  expect(await ask(headers.boss, other)).toEqual(ok)
  expect([await sessionOf(headers.other), await sessionOf(headers.reseller)]).toEqual([401, 200])
  expect([await signIn(other), await signIn(reseller)]).toEqual([403, 200])
  const rows = await http.inject({ url: `/api/obd/superadmins?search=${other.username}`, headers: headers.boss })
  expect(rows.json()).toMatchObject([
    { userId: other.userId, sessions: 0, disabled: { reason: 'Left us', by: boss.username } },
  ])
  const listed = async (state: string) =>
    (await http.inject({ url: `/api/obd/superadmins?state=${state}`, headers: headers.boss }))
      .json<{ userId: number }[]>()
      .map(({ userId }) => userId)
  expect(await listed('disabled')).toContain(other.userId)
  expect(await listed('active')).toEqual(await live())
  expect(await ask(headers.boss, other)).toEqual({ status: 409, text: 'is disabled already' })
  expect(await ask(headers.boss, other, false)).toEqual(ok)
  expect(await signIn(other)).toBe(200)
  expect(await logged('user.disable', other)).toMatchObject([{ actor_id: boss.userId }])
})

test('nobody disables their own account', async () => {
  const boss = await newSuperAdmin(app)
  await newSuperAdmin(app)
  expect(await ask(await signedIn(app, boss), boss)).toEqual({ status: 403, text: 'is your own account' })
  expect(await signIn(boss)).toBe(200)
})

test('two disable each other at once and one stays, ten times over', async () => {
  for (let n = 0; n < 10; n++) {
    const pair = [await newSuperAdmin(app), await newSuperAdmin(app)] as const
    const [one, other] = [await signedIn(app, pair[0]), await signedIn(app, pair[1])]
    const replies = await Promise.all([ask(one, pair[1]), ask(other, pair[0])])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
    const stayed = await live()
    expect(stayed).toHaveLength(1)
    await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', 'in', stayed).execute()
  }
})

test('five disable one another at once, and one stays', async () => {
  const five: Viewer[] = []
  for (let n = 0; n < 5; n++) five.push(await newSuperAdmin(app))
  const headers = await Promise.all(five.map((viewer) => signedIn(app, viewer)))
  await Promise.all(five.flatMap((_, n) => five.filter((_, m) => m !== n).map((whom) => ask(headers[n] ?? {}, whom))))
  expect((await live()).length).toBe(1)
})

test('by command the last who can sign in cannot be disabled, and stays signed in; an expired one counts for nobody', async () => {
  const boss = await newSuperAdmin(app)
  await newSuperAdmin(app, { expiresAt: new Date(Date.now() - 1000) })
  const headers = await signedIn(app, boss)
  await expect(command(boss.username, true)).rejects.toThrow(`${boss.username} is the last super admin who can sign in`)
  expect(await sessionOf(headers)).toBe(200)
  expect(await logged('user.disable', boss)).toEqual([])
})

test('with its first super admin an installation asks super admins for a second factor, and not with a later one', async () => {
  const [other, first, second] = [await testApp(), 'first', 'second']
  const begin = (userId: number) => other.db.transaction().execute((tx) => beginWithFactors(tx, userId))
  const rule = () => settingOf(other.db, 'secondFactor')
  const demo = await newSuperAdmin(other)
  await other.db.updateTable('users').set({ is_demo: true }).where('id', '=', demo.userId).execute()
  expect(await begin((await newSuperAdmin(other, { username: first })).userId)).toBe(true)
  expect(await rule()).toEqual({ superAdmins: 'required', resellers: 'off', users: 'off' })
  await other.db.deleteFrom('platform_setting').execute()
  expect(await begin((await newSuperAdmin(other, { username: second })).userId)).toBe(false)
  expect(await rule()).toMatchObject({ superAdmins: 'off' })
})

test('by command any account is disabled and enabled, with an audit line that names nobody', async () => {
  await newSuperAdmin(app)
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  const headers = await signedIn(app, user)
  expect(await command(reseller.username.toUpperCase(), true)).toBe(
    `${reseller.username} is disabled, its sessions are ended`,
  )
  expect([await sessionOf(headers), await signIn(user)]).toEqual([401, 403])
  await expect(command(reseller.username, true)).rejects.toThrow(`${reseller.username} is disabled already`)
  expect(await command(reseller.username, false)).toBe(`${reseller.username} is enabled`)
  await expect(command(reseller.username, false)).rejects.toThrow(`${reseller.username} is not disabled`)
  expect(await signIn(user)).toBe(200)
  const line = { actor_id: null, ip: 'admin command', detail: { username: reseller.username, reason: 'stolen laptop' } }
  expect([await logged('user.disable', reseller), await logged('user.enable', reseller)]).toEqual([[line], [line]])
})

test('by command a password is made anew: the old one is over, so is whatever was signed in', async () => {
  const boss = await newSuperAdmin(app)
  const headers = await signedIn(app, boss)
  const said = await resetPasswordByName(app.db, boss.username, null)
  const [, password = ''] = /^new password of \S+: (\S{20})$/.exec(said) ?? []
  expect([await sessionOf(headers), await signIn(boss), await signIn(boss, password)]).toEqual([401, 401, 200])
  await expect(resetPasswordByName(app.db, boss.username, `${boss.username}!`)).rejects.toThrow(
    /^the password is made of names/,
  )
  expect(await resetPasswordByName(app.db, boss.username, 'a password of mine')).not.toContain('mine')
  const told = await app.db.selectFrom('notice').select('kind').where('user_id', '=', boss.userId).execute()
  expect(told, 'its owner is told').toContainEqual({ kind: 'passwordChanged' })
  expect([await signIn(boss, password), await signIn(boss, 'a password of mine')]).toEqual([401, 200])
  const lines = await logged('user.resetPassword', boss)
  expect(lines).toMatchObject([{ actor_id: null, ip: 'admin command' }, { actor_id: null }])
  expect(JSON.stringify(lines)).not.toContain(password)
})

test('by command one account is signed out, or everybody', async () => {
  const [boss, user] = [await newSuperAdmin(app), await newUser(app)]
  const headers = [await signedIn(app, boss), await signedIn(app, boss), await signedIn(app, user)]
  expect(await signOutByName(app.db, boss.username)).toBe(`${boss.username}: ended 2 sessions`)
  expect(await Promise.all(headers.map(sessionOf))).toEqual([401, 401, 200])
  expect(await signOutByName(app.db, boss.username)).toBe(`${boss.username}: no session was open`)
  expect(await signOutAll(app.db)).toMatch(/^everybody: ended \d+ sessions?$/)
  expect(await sessionOf(headers[2] ?? {})).toBe(401)
  expect(await signIn(boss)).toBe(200)
})

test('an unknown name is one clear sentence, whatever is asked of it', async () => {
  const unknown = "there is no account 'nobody'"
  await expect(command('nobody', true)).rejects.toThrow(unknown)
  await expect(command('nobody', false)).rejects.toThrow(unknown)
  await expect(resetPasswordByName(app.db, 'nobody', null)).rejects.toThrow(unknown)
  await expect(signOutByName(app.db, 'nobody')).rejects.toThrow(unknown)
})

test('the list names each super admin with what keeps it out', async () => {
  const boss = await newSuperAdmin(app)
  const other = await newSuperAdmin(app)
  await signedIn(app, boss)
  await command(other.username, true)
  const lines = await superAdminLines(app.db, new Date())
  const lineOf = ({ username }: Viewer) => lines.find((line) => line.startsWith(`${username} `))
  expect(lineOf(boss)).toBe(`${boss.username}  Name of ${boss.username}  ${boss.username}@example.com  live  1 session`)
  expect(lineOf(other)).toContain('disabled: stolen laptop  0 sessions')
})
