import { messages } from '@ghanti/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { sql, type Updateable } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Users } from '../../db/tables.ts'
import { smtpMail } from '../../drivers/mail/smtp.ts'
import { startWorkers } from '../../jobs.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser, seededPassword } from '../../testing/seed.ts'
import { smtpError, testSmtp, textOf } from '../../testing/smtp.ts'
import { sendResetMail } from './actions-reset.ts'
import { resetMail } from './rules-reset.ts'
import { tidySignIns } from './actions.ts'
import { polling } from '../../testing/timeouts.ts'

const app = await testApp({ publicUrl: 'https://calls.example.com', basePath: '/build' })
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})
beforeEach(async () => {
  app.config.resetHidesAccounts = false
  app.mail.sent.length = 0
  await app.db.deleteFrom('rate_limit').execute()
})

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  http.inject({ method: 'POST', url, payload, headers })
const ask = (username: string, headers = {}, remoteAddress = '127.0.0.1') =>
  http.inject({ method: 'POST', url: '/api/obd/reset/pwd', payload: { username }, headers, remoteAddress })
const use = (token: string, password = 'a new password') => post('/api/obd/update/pwd', { token, password })
const login = (username: string, password: string) => post('/api/obd/login', { username, password })
const link = /https:\/\/calls\.example\.com\/build\/update-pwd\/([\w-]{43})$/m

async function setBy(id: number, ...changes: Updateable<Users>[]): Promise<void> {
  for (const change of changes) await app.db.updateTable('users').set(change).where('id', '=', id).execute()
}

async function linkFor(user: Viewer): Promise<string> {
  await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
  const token = link.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
  if (!token) throw new Error('the mail has no link')
  return token
}
const jobsOf = async () =>
  (await app.pool.query<{ data: { userId: number | null } }>("select data from pgboss.job where name = 'reset-mail'"))
    .rows

/** After how many seconds each of the account's jobs was to start. */
async function jobWaits({ userId }: Viewer): Promise<number[]> {
  const { rows } = await app.pool.query<{ seconds: number }>(
    `select round(extract(epoch from start_after - created_on))::int as seconds from pgboss.job
      where name = 'reset-mail' and (data->>'userId')::int = $1 order by start_after`,
    [userId],
  )
  return rows.map(({ seconds }) => seconds)
}
const age = (seconds: number) =>
  app.db
    .updateTable('rate_limit')
    .set({ expire: sql`expire - ${seconds * 1000}` })
    .execute()

test.each([
  'URGENT: pay at https://evil.example/now',
  'pay.evil.example',
  'a'.repeat(31),
  '9841000001',
  'call-९८४१०००००१',
])('the mail leaves out a username that could be a message or an address: %s', (username) => {
  const { subject, text } = resetMail({ username, link: 'https://calls.example.com/update-pwd/x' })
  expect(subject + text).not.toContain(username)
  expect(resetMail({ username: 'maya_lama-7', link: 'x' }).text).toContain("'maya_lama-7'")
})

describe('asking for a link', () => {
  test('answers the catalogue’s text, queues the mail, and neither job nor database holds the link', async () => {
    const user = await newUser(app)
    const reply = await ask(user.username.toUpperCase(), { host: 'evil.example.com' })
    expect([reply.statusCode, reply.json()]).toEqual([200, { message: 'Link sent to registered mail' }])
    expect((await jobsOf()).map(({ data }) => data.userId)).toEqual([user.userId])
    const token = await linkFor(user)
    expect(app.mail.sent).toMatchObject([{ to: `${user.username}@example.com` }])
    const kept = await app.db.selectFrom('password_reset').selectAll().execute()
    expect(JSON.stringify([kept, await jobsOf()])).not.toContain(token)
    const audited = await app.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').executeTakeFirst()
    expect(audited).toMatchObject({ action: 'password.resetAsked', target: `user ${user.userId}`, actor_id: null })
  })

  test('an unknown name gets another answer unless the installation hides accounts; the same work is done for it', async () => {
    const forNobody = async () => (await jobsOf()).filter(({ data }) => data.userId === null).length
    const before = await forNobody()
    const reply = await ask('nobody of that name')
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { message: 'Parameters Incorrect', errors: [{ field: 'username', code: 'unknown', text: 'Wrong username' }] },
    ])
    app.config.resetHidesAccounts = true
    const hidden = await ask('nobody of another name')
    expect([hidden.statusCode, hidden.json()]).toEqual([200, { message: 'Link sent to registered mail' }])
    expect(await forNobody()).toBe(before + 2)
    await sendResetMail(app, { userId: null, askedAt: app.clock.now() })
    expect(app.mail.sent).toEqual([])
  })

  test('without a name: the catalogue’s text at the field', async () => {
    const reply = await ask(' ')
    expect(reply.json()).toMatchObject({ errors: [{ field: 'username', text: 'Please enter Username' }] })
  })

  test('an account without an address, and a server without mail, say so', async () => {
    const user = await newUser(app)
    await app.db.updateTable('users').set({ emailid: '' }).where('id', '=', user.userId).execute()
    expect((await ask(user.username)).json()).toMatchObject({
      errors: [{ text: 'has no mail address, ask who gave you the account' }],
    })
    const { mail } = app
    Object.assign(app, { mail: null })
    const reply = await ask(user.username)
    Object.assign(app, { mail })
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({ errors: [{ code: 'no_mail' }] })
  })

  test('however many ask at once, one mail goes out, and one more after the gap; nobody is refused', async () => {
    const user = await newUser(app)
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(user.username, {}, `10.0.0.${n}`)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    const waits = () => jobWaits(user)
    expect(await waits()).toEqual([0, 300])
    const again = await ask(user.username)
    expect([again.statusCode, again.json<{ inSeconds?: number }>().inSeconds]).toEqual([200, expect.closeTo(300, -1)])
    await age(301)
    expect((await ask(user.username)).json<{ inSeconds?: number }>().inSeconds, 'the gap grows').toBeCloseTo(900, -1)
    expect(await waits()).toEqual([0, 300, expect.closeTo(900, -1)])
  })

  test('a stranger who asks all day long gets twenty mails sent at most, and the owner one within ninety minutes', async () => {
    const user = await newUser(app)
    for (let minutes = 0; minutes < 24 * 60; minutes += 20) {
      expect((await ask(user.username, {}, `10.0.${minutes % 7}.1`)).statusCode).toBe(200)
      await age(20 * 60)
    }
    expect((await jobWaits(user)).length).toBeLessThanOrEqual(20)
    const reply = await ask(user.username)
    expect([reply.statusCode, (reply.json<{ inSeconds?: number }>().inSeconds ?? 0) <= 90 * 60]).toEqual([200, true])
  })

  test('a browser that signed in before gets its mail at once, whatever strangers asked for', async () => {
    const user = await newUser(app)
    const device = (await login(user.username, seededPassword)).cookies.find(({ name }) => name === 'device')?.value
    for (let n = 0; n < 5; n++) await ask(user.username)
    const reply = await ask(user.username, { cookie: `device=${device}` })
    expect(reply.json()).toEqual({ message: 'Link sent to registered mail' })
    expect((await jobWaits(user)).filter((seconds) => seconds === 0)).toHaveLength(2)
  })

  test('a network that asked about twenty names learns of none any more which there are; an owner behind it gets the mail', async () => {
    for (let n = 0; n < 20; n++) expect((await ask(`name ${n}`)).statusCode).toBe(400)
    const audited = () => app.db.selectFrom('audit_log').selectAll().where('target', 'is', null).execute()
    const before = (await audited()).length
    const user = await newUser(app)
    for (let n = 21; n < 24; n++)
      expect((await ask(`name ${n}`)).json()).toMatchObject({ message: 'Link sent to registered mail' })
    expect((await ask(user.username)).json()).toEqual({ message: 'Link sent to registered mail' })
    expect(await jobWaits(user)).toEqual([0])
    expect((await audited()).length - before, 'a flood of names does not fill the audit log').toBeLessThanOrEqual(2)
    expect((await ask('name 25', {}, '10.0.0.2')).statusCode, 'from elsewhere').toBe(400)
  })

  test('networks of one neighbourhood, which come cheap, together ask about a hundred names, and fill no audit log either', async () => {
    const reveals = async (n: number) =>
      (await ask(`cheap ${n}`, {}, `2001:db8:7:${(n >> 3).toString(16)}::1`)).statusCode === 400
    const audited = () => app.db.selectFrom('audit_log').select('id').where('target', 'is', null).execute()
    for (let n = 0; n < 100; n++) expect(await reveals(n), `${n}`).toBe(true)
    const before = (await audited()).length
    for (let n = 100; n < 120; n++) expect(await reveals(n), `${n}`).toBe(false)
    expect((await audited()).length - before).toBeLessThanOrEqual(2)
  })
})

describe('the link', () => {
  test('sets the password once; every session and every other link ends; the name may sign in at once', async () => {
    const user = await newUser(app)
    const session = await signedIn(app, user)
    for (let n = 0; n < 11; n++) await login(user.username, 'wrong')
    const [first, other] = [await linkFor(user), await linkFor(user)]
    const replies = await Promise.all([use(first), use(first), use(first)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400])
    expect(replies.find(({ statusCode }) => statusCode === 200)?.json()).toEqual({
      message: 'Password Reset Successfully',
    })
    const again = await use(other, 'yet another password')
    expect(again.json()).toMatchObject({ message: 'Parameters Incorrect', errors: [{ field: 'token' }] })
    expect((await http.inject({ url: '/api/obd/session', headers: session })).statusCode).toBe(401)
    expect((await login(user.username, seededPassword)).statusCode).toBe(401)
    expect((await login(user.username, 'a new password')).statusCode).toBe(200)
    const audited = await app.db.selectFrom('audit_log').selectAll().where('action', '=', 'password.reset').execute()
    expect(audited).toMatchObject([{ actor_id: user.userId, target: `user ${user.userId}` }])
  })

  test('works for thirty minutes', async () => {
    const user = await newUser(app)
    const [early, late] = [await linkFor(user), await linkFor(user)]
    app.clock.advance(29 * 60_000)
    expect((await use(early)).statusCode).toBe(200)
    const another = await linkFor(user)
    app.clock.advance(31 * 60_000)
    expect((await use(late)).statusCode).toBe(400)
    expect((await use(another)).statusCode).toBe(400)
    await tidySignIns(app)
    expect(await app.db.selectFrom('password_reset').selectAll().execute()).toEqual([])
    await sendResetMail(app, { userId: user.userId, askedAt: new Date(app.clock.now().getTime() - 31 * 60_000) })
    expect(app.mail.sent, 'a job that comes too late sends nothing').toHaveLength(3)
  })

  test('a short password is refused at its field, and the link stays good; a made-up one never is', async () => {
    const token = await linkFor(await newUser(app))
    const short = await use(token, 'short')
    expect(short.json()).toMatchObject({
      message: 'Parameters Incorrect',
      errors: [{ field: 'password', text: messages.passwordShort }],
    })
    expect((await use('x'.repeat(43))).statusCode).toBe(400)
    expect((await use(token, ' blanks at its ends ')).statusCode).toBe(200)
  })

  test('lets its owner in while strangers flood the name, and behind a neighbour who tries links all day', async () => {
    const user = await newUser(app)
    const token = await linkFor(user)
    for (let n = 0; n < 60; n++) expect((await use('x'.repeat(43))).statusCode).toBe(400)
    const reply = await use(token)
    expect(reply.statusCode).toBe(200)
    for (let n = 0; n < 12; n++) await login(user.username, 'wrong')
    expect((await login(user.username, 'a new password')).statusCode).toBe(429)
    const device = reply.cookies.find(({ name }) => name === 'device')?.value
    const headers = { cookie: `device=${device}` }
    const payload = { username: user.username, password: 'a new password' }
    expect((await post('/api/obd/login', payload, headers)).statusCode).toBe(200)
  })

  test('of an account below a disabled one is neither sent nor taken, and whoever asks is told', async () => {
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller })
    const token = await linkFor(user)
    const set = (disabled_at: Date | null) =>
      app.db.updateTable('users').set({ disabled_at }).where('id', '=', reseller.userId).execute()
    await set(new Date())
    expect((await use(token)).statusCode).toBe(400)
    const reply = await ask(user.username)
    expect([reply.statusCode, reply.json()]).toEqual([
      403,
      {
        message: 'Not allowed',
        errors: [{ field: 'username', code: 'disabled', text: 'is disabled: no link is sent' }],
      },
    ])
    const sent = app.mail.sent.length
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    expect(app.mail.sent).toHaveLength(sent)
    await set(null)
    expect((await use(token)).statusCode).toBe(200)
  })

  test.each([
    ['another password, set by the account above', (id: number) => setBy(id, { password_hash: 'another' })],
    ['another address', (id: number) => setBy(id, { emailid: 'elsewhere@example.com' })],
    [
      'a disabling, also once that is lifted',
      (id: number) => setBy(id, { disabled_at: new Date() }, { disabled_at: null }),
    ],
  ])('is none any more after %s', async (_, change) => {
    const user = await newUser(app)
    const token = await linkFor(user)
    await change(user.userId)
    expect((await use(token)).statusCode).toBe(400)
  })

  test('of a deleted account is worth nothing', async () => {
    const user = await newUser(app)
    const token = await linkFor(user)
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.userId).execute()
    expect((await use(token)).statusCode).toBe(400)
  })
})

test('from the request to the mail server and back, in the background; an address that is refused becomes an alert', async () => {
  const smtp = await testSmtp()
  const [user, gone] = [await newUser(app), await newUser(app)]
  smtp.refuse = (to) => (to.startsWith(gone.username) ? smtpError(550, 'no such user') : null)
  const sending = smtpMail({ url: smtp.url, from: 'calls@example.com' })
  await startWorkers({ ...app, mail: sending })
  await ask(user.username)
  await ask(gone.username)
  const textsOf = () => smtp.taken.map((mail) => textOf(mail).replaceAll('\r\n', '\n'))
  const links = () => textsOf().filter((text) => link.test(text)) // the tests before left mails of their own
  const alerts = () => app.db.selectFrom('alert').selectAll().where('kind', '=', 'mail_failed').execute()
  await vi.waitFor(async () => {
    expect(links()).toHaveLength(1)
    expect(await alerts()).toMatchObject([{ subject: `user ${gone.userId}` }])
  }, polling)
  sending.close()
  const token = link.exec(links()[0] ?? '')?.[1]
  expect((await use(token ?? '')).statusCode).toBe(200)
})
