import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { giveRupees, newReseller, newUser, seededPassword } from '../../testing/seed.ts'
import { sendResetMail } from '../auth/actions-reset.ts'
import { sendSecurityMail } from './actions.ts'

const app = await testApp({ publicUrl: 'https://calls.example.com', basePath: '/build' })
let http: FastifyInstance
let reseller: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  reseller = await newReseller(app)
})
beforeEach(() => {
  app.mail.sent.length = 0
})

type Headers = Record<string, string>
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 <b>evil</b>'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
const post = (url: string, payload: object, headers: Headers = {}, remoteAddress = '103.10.28.7') =>
  http.inject({ method: 'POST', url, payload, headers, remoteAddress })
const login = ({ username }: Viewer, headers: Headers = {}, ip?: string, password = seededPassword) =>
  post('/api/obd/login', { username, password }, headers, ip)
const noticesOf = async ({ userId }: Viewer) =>
  await app.db.selectFrom('notice').select(['kind', 'about']).where('user_id', '=', userId).orderBy('id').execute()
type Job = Parameters<typeof sendSecurityMail>[1]
async function jobsOf({ userId }: Viewer): Promise<Job[]> {
  const { rows } = await app.pool.query<{ data: Job }>(
    "select data from pgboss.job where name = 'security-mail' and (data->>'userId')::int = $1 order by created_on",
    [userId],
  )
  return rows.map(({ data }) => data)
}

/** The token of the link in the mail about the account's last event. */
async function linkOf(user: Viewer): Promise<string> {
  const job = (await jobsOf(user)).at(-1)
  if (!job) throw new Error('nothing is mailed')
  await sendSecurityMail(app, job)
  const token = /https:\/\/calls\.example\.com\/build\/not-me\/([\w-]{43})$/m.exec(app.mail.sent.at(-1)?.text ?? '')
  if (!token?.[1]) throw new Error('the mail has no link')
  return token[1]
}

/** A user who signed in from Chrome at home, and then somebody from Firefox elsewhere. */
async function usedElsewhere(): Promise<{ user: Viewer; stranger: Headers }> {
  const user = await newUser(app, { parent: reseller })
  await login(user, { 'user-agent': chrome })
  const reply = await login(user, { 'user-agent': firefox }, '8.8.8.8')
  return { user, stranger: { authorization: `Bearer ${reply.json<{ token: string }>().token}` } }
}

describe('a new browser', () => {
  test('is told on screen and by mail, in fixed words: time, network and family, never what the program calls itself', async () => {
    const user = await newUser(app)
    await login(user, { 'user-agent': firefox })
    expect(await noticesOf(user), 'the first sign-in is none').toEqual([])
    await login(user, { 'user-agent': chrome }, '8.8.8.8')
    expect(await noticesOf(user)).toEqual([{ kind: 'newBrowser', about: 'Chrome · Windows · 8.8.8.8' }])
    await linkOf(user)
    const [mail] = app.mail.sent
    expect(mail?.to).toBe(`${user.username}@example.com`)
    expect(mail?.text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(Nepal · नेपाल\) · 8\.8\.8\.8 · Chrome · Windows/)
    expect(mail?.text).not.toContain('evil')
  })

  test('is one that has neither our cookie nor was seen in its network; a program is told of once in each', async () => {
    const user = await newUser(app)
    const first = await login(user, { 'user-agent': chrome })
    const device = first.cookies.find(({ name }) => name === 'device')?.value ?? ''
    await login(user, { 'user-agent': chrome, cookie: `device=${device}` }, '8.8.8.8')
    await login(user, { 'user-agent': chrome })
    expect(await noticesOf(user)).toEqual([])
    for (let n = 0; n < 3; n++) await login(user, { 'user-agent': 'curl/8.15.0' }, '9.9.9.9')
    expect(await noticesOf(user)).toEqual([{ kind: 'newBrowser', about: '9.9.9.9' }])
  })

  test('is told of again and again on screen, but by ten mails a day; a password by more', async () => {
    const user = await newUser(app)
    for (let n = 0; n < 13; n++) await login(user, { 'user-agent': chrome }, `8.8.${n}.8`)
    expect(await noticesOf(user)).toHaveLength(12)
    expect(await jobsOf(user)).toHaveLength(10)
    const headers = await signedIn(app, user)
    await post('/api/obd/password', { current: seededPassword, password: 'granite otter lantern 58' }, headers)
    expect((await jobsOf(user)).at(-1)).toMatchObject({ kind: 'passwordChanged' })
  })

  test('of an account without a confirmed address is on screen only', async () => {
    const user = await newUser(app)
    await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
    await login(user, { 'user-agent': chrome })
    await login(user, { 'user-agent': firefox })
    expect([await noticesOf(user), await jobsOf(user)]).toMatchObject([[{ kind: 'newBrowser' }], []])
  })
})

test('a password set from above is told without the network of who set it, another address to the one before', async () => {
  const user = await newUser(app, { parent: reseller })
  const above = await signedIn(app, reseller)
  await post('/api/obd/pwd/reset', { userId: user.userId, password: 'sunlit-teapot-47-goat' }, above)
  expect(await noticesOf(user)).toEqual([{ kind: 'passwordChanged', about: '' }])
  const account = await app.db.selectFrom('users').selectAll().where('id', '=', user.userId).executeTakeFirstOrThrow()
  const { name, number, company, pincode } = account
  const person = { name, number, company, pincode, address: 'Patan', expiryDate: '2033-01-01' }
  const payload = { userId: user.userId, ...person, emailid: 'thief@example.com', accountType: 0, userType: 'user' }
  const reply = await post('/api/obd/user/update', payload, above)
  expect(reply.json()).toEqual({ message: 'Success' })
  expect((await jobsOf(user)).at(-1)).toMatchObject({
    kind: 'emailChanged',
    to: `${user.username}@example.com`,
    place: '',
    program: '',
  })
})

describe('‘It was not me’', () => {
  test('ends every session, voids the password, and mails the link for another, which opens the account again', async () => {
    const { user, stranger } = await usedElsewhere()
    const token = await linkOf(user)
    expect((await http.inject({ url: '/api/obd/session', headers: stranger })).statusCode).toBe(200)
    const reply = await post('/api/obd/notme', { token })
    expect([reply.statusCode, reply.json()]).toEqual([200, { message: 'Success' }])
    expect((await http.inject({ url: '/api/obd/session', headers: stranger })).statusCode).toBe(401)
    for (const password of [seededPassword, '']) {
      const refused = await login(user, {}, undefined, password)
      expect(refused.statusCode).toBeGreaterThanOrEqual(400)
    }
    const { rows } = await app.pool.query(
      "select from pgboss.job where name = 'reset-mail' and (data->>'userId')::int = $1",
      [user.userId],
    )
    expect(rows).toHaveLength(1)
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    const link = /update-pwd\/([\w-]{43})$/m.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
    await post('/api/obd/update/pwd', { token: link, password: 'granite otter lantern 58' })
    expect((await login(user, {}, undefined, 'granite otter lantern 58')).statusCode).toBe(200)
    const lines = await app.db.selectFrom('audit_log').select('action').where('actor_id', '=', user.userId).execute()
    expect(lines).toContainEqual({ action: 'password.void' })
  })

  test('works once: of fifty at once one wins', async () => {
    const { user } = await usedElsewhere()
    const token = await linkOf(user)
    const replies = await Promise.all(Array.from({ length: 50 }, () => post('/api/obd/notme', { token })))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(replies.find(({ statusCode }) => statusCode !== 200)?.json()).toMatchObject({
      errors: [{ field: 'token', text: 'is no longer valid: each link works once, within seven days' }],
    })
  })

  test('is over after seven days, and once a mailed link has set another password', async () => {
    const { user } = await usedElsewhere()
    const [late, moot] = [await linkOf(user), await linkOf(user)]
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    const link = /update-pwd\/([\w-]{43})$/m.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
    expect((await post('/api/obd/update/pwd', { token: link, password: 'granite otter lantern 58' })).statusCode).toBe(
      200,
    )
    expect((await post('/api/obd/notme', { token: moot })).statusCode).toBe(400)
    const fresh = await linkOf(user)
    app.clock.advance(7 * 24 * 3600_000 + 1)
    for (const token of [late, fresh]) expect((await post('/api/obd/notme', { token })).statusCode).toBe(400)
  })

  test('where the address is no longer confirmed, the link that confirms it is mailed, and the account above can help', async () => {
    const { user } = await usedElsewhere()
    const token = await linkOf(user)
    await app.db.updateTable('users').set({ emailid: 'other@example.com' }).where('id', '=', user.userId).execute()
    expect((await post('/api/obd/notme', { token })).statusCode).toBe(200)
    const asked = await app.db
      .selectFrom('mail_verification_due')
      .select('emailid')
      .where('user_id', '=', user.userId)
      .execute()
    expect(asked).toEqual([{ emailid: 'other@example.com' }])
    const payload = { userId: user.userId, password: 'sunlit-teapot-47-goat' }
    const above = await signedIn(app, reseller)
    expect((await post('/api/obd/pwd/reset', payload, above)).statusCode).toBe(200)
    const lift = { userId: user.userId, frozen: false, reason: 'The owner called' }
    expect((await post('/api/obd/user/freeze', lift, above)).statusCode).toBe(200)
    expect((await login(user, {}, undefined, 'sunlit-teapot-47-goat')).statusCode).toBe(200)
  })

  test('freezes a user, whose account nobody but those above sees move, until the mailed link has set a password', async () => {
    const { user } = await usedElsewhere()
    const state = () =>
      app.db
        .selectFrom('users')
        .innerJoin('account', 'account.id', 'users.id')
        .select(['frozen_by', 'frozen_reason', 'frozen_ends_calls', 'disabled_at', 'account.frozen'])
        .where('users.id', '=', user.userId)
        .executeTakeFirstOrThrow()
    expect((await post('/api/obd/notme', { token: await linkOf(user) })).statusCode).toBe(200)
    expect(await state()).toMatchObject({
      frozen_by: user.userId,
      frozen_reason: 'It was not me',
      frozen_ends_calls: true,
      frozen: true,
    })
    await giveRupees(app, reseller.userId, 10)
    const payload = { userId: user.userId, credits: 5 }
    const recharge = await post('/api/obd/credits/add', payload, await signedIn(app, reseller))
    expect(recharge.json()).toMatchObject({ errors: [{ text: 'is frozen: nothing moves until it is lifted' }] })
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    const link = /update-pwd\/([\w-]{43})$/m.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
    await post('/api/obd/update/pwd', { token: link, password: 'granite otter lantern 58' })
    expect(await state()).toMatchObject({ frozen_by: null, disabled_at: null, frozen: false })
    expect((await login(user, {}, undefined, 'granite otter lantern 58')).statusCode).toBe(200)
  })

  test('does not lift what somebody above froze, nor freeze a reseller', async () => {
    const { user } = await usedElsewhere()
    const token = await linkOf(user)
    const above = await signedIn(app, reseller)
    const freeze = (userId: number, frozen: boolean) =>
      post('/api/obd/user/freeze', { userId, frozen, reason: 'Stolen' }, above)
    expect((await post('/api/obd/notme', { token })).statusCode).toBe(200)
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    const link = /update-pwd\/([\w-]{43})$/m.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
    expect((await freeze(user.userId, false)).statusCode).toBe(200)
    expect((await freeze(user.userId, true)).statusCode).toBe(200)
    const set = await post('/api/obd/update/pwd', { token: link, password: 'granite otter lantern 58' })
    expect(set.statusCode).toBe(400)
    expect((await login(user, {}, undefined, 'granite otter lantern 58')).statusCode).not.toBe(200)
    const other = await newReseller(app)
    await login(other, { 'user-agent': chrome })
    await login(other, { 'user-agent': firefox }, '8.8.8.8')
    expect((await post('/api/obd/notme', { token: await linkOf(other) })).statusCode).toBe(200)
    const { frozen_at } = await app.db
      .selectFrom('users')
      .select('frozen_at')
      .where('id', '=', other.userId)
      .executeTakeFirstOrThrow()
    expect(frozen_at).toBeNull()
  })
})
