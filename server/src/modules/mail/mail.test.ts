import { messages } from '@ghanti/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mail } from '../../drivers/mail/driver.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { sendResetMail } from '../auth/actions-reset.ts'
import { queueNoticeMails, sendNoticeMail } from '../notices/actions-mail.ts'
import { giveNotice } from '../notices/actions.ts'
import { forgetOldMails, queueVerifications, sendVerification } from './actions.ts'

const app = await testApp({ publicUrl: 'https://calls.example.com', basePath: '/build' })
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let planId: number
const minute = 60_000
const day = 24 * 60 * minute
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  planId = await newPlan(app)
})
let start = Date.parse('2026-11-22T03:00:00Z')
beforeEach(async () => {
  app.mail.sent.length = 0
  app.clock.set(new Date((start += 10 * day))) // every test has days of its own
  await app.db.deleteFrom('mail_verification_due').execute()
  await app.db.deleteFrom('rate_limit').execute()
  reseller = await newReseller(app, { parent: boss, planId, channels: 10_000 })
})

const get = async (viewer: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, viewer) })
const post = async (viewer: Viewer | null, url: string, payload: object = {}) =>
  http.inject({ method: 'POST', url, payload, headers: viewer ? await signedIn(app, viewer) : {} })
let serial = 0
const plans = new Map<number, number>()
const person = {
  name: 'Ram Thapa',
  number: '9841000001',
  company: 'Himal',
  address: 'Kathmandu',
  pincode: '44600',
  accountType: 0,
  userType: 'user',
}
async function register(by: Viewer, emailid: string, more: object = {}): Promise<Viewer> {
  const username = `Customer ${++serial}`
  const own = plans.get(by.userId) ?? (await newPlan(app, { owner: by }))
  plans.set(by.userId, own)
  const password = 'sunlit-teapot-47-goat'
  const said = { ...person, emailid, username, password, planId: own, channels: 1, ...more }
  const reply = await post(by, '/api/obd/register', said)
  expect(reply.json()).toMatchObject({ message: messages.userCreated })
  return { userId: reply.json<{ userId: number }>().userId, username, role: 'user', parentId: by.userId }
}
type Job = { name: string; data: { userId: number; emailid: string; noticeIds: number[]; askedAt: string } }
async function mails(): Promise<Mail[]> {
  app.mail.sent.length = 0
  await app.pool.query('delete from pgboss.job')
  await queueVerifications(app)
  await queueNoticeMails(app)
  const { rows } = await app.pool.query<Job>('select name, data from pgboss.job order by created_on')
  for (const { name, data } of rows)
    await (name === 'verification-mail' ? sendVerification(app, data) : sendNoticeMail(app, data))
  return app.mail.sent
}
const link = /^https:\/\/calls\.example\.com\/build\/(?:verify-mail|invitation)\/([\w-]{43})$/m
const tokenOf = (mail: Mail | undefined) => link.exec(mail?.text ?? '')?.[1] ?? 'the mail has no link'
const verify = async (token: string) => {
  const { statusCode, ...reply } = await post(null, '/api/obd/mail/verify', { token })
  const { message, errors = [] } = JSON.parse(reply.payload) as { message: string; errors?: { code: string }[] }
  return [statusCode, errors[0]?.code ?? message]
}
const stateOf = async (viewer: Viewer) =>
  (await get(viewer, `/api/obd/user/profile/${viewer.userId}`)).json<{ mail: string }>().mail
const notify = async (viewer: Viewer, choice = { onScreen: true, byMail: true }) => {
  await post(viewer, '/api/obd/notices/choices', { choices: [{ kind: 'promptApproved', ...choice }] })
  const notice = { userId: viewer.userId, kind: 'promptApproved', subjectId: 1, about: 'A', reason: null } as const
  await app.db.transaction().execute((tx) => giveNotice(tx, notice))
}
const shown = async (viewer: Viewer) => (await get(viewer, '/api/obd/notices')).json<unknown[]>().length

describe('an address', () => {
  test('of a new account gets a link, and nothing else before that link was used, signed out, by a press', async () => {
    const user = await register(reseller, 'gita@example.com')
    expect(await stateOf(user)).toBe('unconfirmed')
    await notify(user, { onScreen: false, byMail: true })
    const [mail, ...others] = await mails()
    expect([mail?.to, others]).toEqual(['gita@example.com', []])
    expect(await shown(user), 'the notice is in the console, though it was to go by mail alone').toBe(1)
    expect(await verify(tokenOf(mail))).toEqual([200, 'The address is confirmed'])
    expect(await stateOf(user)).toBe('confirmed')
    await notify(user)
    expect(await mails()).toMatchObject([{ to: 'gita@example.com', subject: 'Voice file approved' }])
    const audited = app.db.selectFrom('audit_log').selectAll().where('action', '=', 'mail.verify')
    expect(await audited.execute()).toMatchObject([{ actor_id: user.userId, target: `user ${user.userId}` }])
  })

  test('is mailed in words of ours alone: nothing that whoever made the account wrote', async () => {
    const hostile = 'You won! http://evil.example'
    await register(reseller, 'stranger@example.com', { name: hostile, company: hostile, address: hostile })
    await app.db
      .updateTable('users')
      .set({ username: `${hostile} ${serial}` })
      .where('emailid', '=', 'stranger@example.com')
      .execute()
    const [mail] = await mails()
    expect(`${mail?.subject}${mail?.text}`).not.toMatch(/evil|won/)
    expect(mail?.text).toContain('calls.example.com')
  })

  test('that is changed is confirmed anew, and the link to the one before does nothing', async () => {
    const user = await register(reseller, 'old@example.com')
    const [old] = await mails()
    const change = (emailid: string) =>
      post(reseller, '/api/obd/user/update', { ...person, userId: user.userId, emailid, expiryDate: '2099-12-31' })
    expect((await change('new@example.com')).statusCode).toBe(200)
    expect(await verify(tokenOf(old))).toEqual([400, 'changed'])
    const [mail] = await mails()
    expect(mail?.to).toBe('new@example.com')
    expect(await verify(tokenOf(mail))).toEqual([200, 'The address is confirmed'])
    await change('new@example.com')
    expect(await mails(), 'the same address is not asked again').toEqual([])
    await change('third@example.com')
    expect(await stateOf(user)).toBe('unconfirmed')
  })

  test('of an account below a disabled one is mailed nothing until that is lifted, neither what was queued', async () => {
    const user = await register(reseller, 'waits@example.com')
    const set = (disabled_at: Date | null) =>
      app.db.updateTable('users').set({ disabled_at }).where('id', '=', reseller.userId).execute()
    await set(new Date())
    expect(await mails()).toEqual([])
    await sendVerification(app, { userId: user.userId, emailid: 'waits@example.com' })
    expect(app.mail.sent).toEqual([])
    await set(null)
    expect(await mails()).toMatchObject([{ to: 'waits@example.com' }])
  })

  test('of accounts from before has to be confirmed too, but for the demo’s', async () => {
    const user = await newUser(app, { parent: reseller })
    await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
    expect(await stateOf(user)).toBe('unconfirmed')
    const list = (await get(reseller, `/api/obd/user/${reseller.userId}`)).json<{ users: { mail: string }[] }>()
    expect(list.users).toMatchObject([{ mail: 'unconfirmed' }])
  })
})

describe('the link', () => {
  test('works once, of any number that use it at once, and says of itself that it was used', async () => {
    await register(reseller, 'once@example.com')
    const token = tokenOf((await mails())[0])
    const replies = await Promise.all([verify(token), verify(token), verify(token)])
    expect(replies.toSorted()).toEqual([
      [200, 'The address is confirmed'],
      [400, 'used'],
      [400, 'used'],
    ])
    expect(await verify('x'.repeat(43))).toEqual([400, 'no_link'])
  })

  test('works for three days, and says afterwards that it is over', async () => {
    const user = await register(reseller, 'late@example.com')
    const token = tokenOf((await mails())[0])
    app.clock.advance(3 * day)
    await forgetOldMails(app)
    expect(await verify(token)).toEqual([400, 'late'])
    expect(await stateOf(user)).toBe('unconfirmed')
    app.clock.advance(31 * day)
    await forgetOldMails(app)
    expect(await verify(token)).toEqual([400, 'no_link'])
  })

  test('is neither in the database nor in the job, and not taken by an opened page', async () => {
    await register(reseller, 'hash@example.com')
    const token = tokenOf((await mails())[0])
    const kept = await app.db.selectFrom('mail_verification').selectAll().execute()
    const { rows } = await app.pool.query('select * from pgboss.job')
    expect(JSON.stringify([kept, rows])).not.toContain(token)
    expect((await http.inject(`/api/obd/mail/verify?token=${token}`)).statusCode).toBe(405)
    expect((await verify(token))[0]).toBe(200)
  })

  test('of a deleted account does nothing', async () => {
    const user = await register(reseller, 'deleted@example.com')
    const token = tokenOf((await mails())[0])
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.userId).execute()
    expect(await verify(token)).toEqual([400, 'no_link'])
  })

  test('is sent again to whoever asks for it, not twice in five minutes, and three times a day', async () => {
    const user = await register(reseller, 'again@example.com')
    expect(await mails()).toHaveLength(1)
    const again = () => post(user, '/api/obd/mail/verify/again')
    const early = await again()
    expect([early.statusCode, early.json(), Number(early.headers['retry-after'])]).toMatchObject([
      429,
      { errors: [{ field: 'emailid' }] },
      300,
    ])
    for (let n = 0; n < 2; n++) {
      app.clock.advance(6 * minute)
      expect((await again()).statusCode).toBe(200)
      expect(await mails()).toHaveLength(1)
    }
    app.clock.advance(6 * minute)
    expect((await again()).json()).toMatchObject({ errors: [{ text: 'gets three links a day, and no more today' }] })
    app.clock.advance(day)
    expect((await again()).statusCode).toBe(200)
    const [mail] = await mails()
    await verify(tokenOf(mail))
    expect((await again()).json()).toMatchObject({ errors: [{ code: 'confirmed' }] })
  })
})

describe('a reset link', () => {
  const ask = (user: Viewer) => post(null, '/api/obd/reset/pwd', { username: user.username })
  test('goes to no address that nobody confirmed: there goes the link that confirms it', async () => {
    const user = await register(reseller, 'reset@example.com')
    await mails()
    const reply = await ask(user)
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { errors: [{ field: 'username', code: 'not_confirmed' }] },
    ])
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    const [mail, ...others] = await mails()
    expect([mail?.subject, others]).toEqual([expect.stringContaining('Confirm'), []])
    await verify(tokenOf(mail))
    expect((await ask(user)).statusCode).toBe(200)
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    expect(app.mail.sent.at(-1)?.text).toContain('/update-pwd/')
  })

  test('is there for the owner however many a stranger asks for and whatever else was mailed; beyond twenty only one at a time', async () => {
    const user = await newUser(app, { parent: reseller })
    for (let n = 0; n < 25; n++) {
      await notify(user)
      await mails()
      app.clock.advance(6 * minute)
    }
    app.mail.sent.length = 0
    const reset = () => sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    for (let n = 0; n < 40; n++) await reset()
    expect(app.mail.sent).toHaveLength(20)
    app.clock.advance(31 * minute)
    await reset()
    await reset()
    expect(app.mail.sent, 'no link worked any more, so another went').toHaveLength(21)
  })
})

describe('an invitation', () => {
  type Opened = { message: string; invited?: { username: string; token: string } }
  const open = async (mail: Mail | undefined) =>
    (await post(null, '/api/obd/mail/verify', { token: tokenOf(mail) })).json<Opened>()
  const signIn = (username: string, password: string) => post(null, '/api/obd/login', { username, password })
  const choose = (token: string | undefined, password: string) =>
    post(null, '/api/obd/update/pwd', { token: token ?? 'none', password })
  const invited = { password: undefined, invite: true }

  test('confirms the address, names the account and lets its reader choose the password: once, and before that nothing opens the account', async () => {
    const user = await register(reseller, 'invited@example.com', invited)
    expect((await signIn(user.username, 'sunlit-teapot-47-goat')).statusCode).toBe(401)
    const [mail, ...others] = await mails()
    expect([mail?.to, mail?.subject, others]).toEqual([
      'invited@example.com',
      expect.stringContaining('Choose your password'),
      [],
    ])
    expect(mail?.text).not.toContain(user.username)
    const { invited: opened } = await open(mail)
    expect([opened?.username, await stateOf(user)]).toEqual([user.username, 'confirmed'])
    expect((await open(mail)).invited, 'the link works once').toBeUndefined()
    const password = 'three-kites-over-patan'
    expect((await choose(opened?.token, password)).statusCode).toBe(200)
    expect((await choose(opened?.token, 'another-kite-over-patan')).statusCode).toBe(400)
    const reply = await signIn(user.username, password)
    expect([reply.statusCode, reply.json()], 'it is the owner’s own: no other is asked for').toMatchObject([
      200,
      { message: 'Success' },
    ])
    const { must } = (await get(user, '/api/obd/session')).json<{ must?: string }>()
    expect(must).toBeUndefined()
  })

  test('that expired is mailed again to whoever asks for a new password', async () => {
    const user = await register(reseller, 'late@example.com', invited)
    const [first] = await mails()
    app.clock.advance(4 * day)
    expect((await open(first)).invited).toBeUndefined()
    expect((await post(null, '/api/obd/reset/pwd', { username: user.username })).json()).toMatchObject({
      errors: [{ code: 'not_confirmed' }],
    })
    const [second] = await mails()
    expect((await open(second)).invited?.username).toBe(user.username)
  })

  test('is not made by the link of an account that has a password', async () => {
    const user = await register(reseller, 'has@example.com')
    const [mail] = await mails()
    expect(mail?.subject).toContain('Confirm')
    expect(await open(mail)).toEqual({ message: 'The address is confirmed' })
    expect(await stateOf(user)).toBe('confirmed')
  })

  test.each([
    ['with a password', { invite: true }, 'password is chosen by the owner, who is sent an invitation'],
    ['without one, and without an invitation', { password: undefined }, 'password is required'],
    ['that is refused', { password: undefined, invite: 'false' }, 'password is required'],
    ['neither yes nor no', { invite: 'perhaps' }, 'invite must be true or false'],
  ])('is refused %s', async (_, more, text) => {
    const own = await newPlan(app, { owner: reseller })
    const username = `Nobody ${++serial}`
    const said = { ...person, emailid: 'x@example.com', username, password: 'sunlit-teapot-47-goat', planId: own }
    const reply = await post(reseller, '/api/obd/register', { ...said, channels: 1, ...more })
    const { errors } = reply.json<{ errors: { field: string; text: string }[] }>()
    expect(reply.statusCode).toBe(400)
    expect(errors.map(({ field, text }) => `${field} ${text}`)).toContain(text)
    const made = app.db.selectFrom('users').select('id').where('username', '=', username)
    expect(await made.execute()).toEqual([])
  })
})

describe('at most', () => {
  test('twenty mails a day go to an account, Nepal’s day; what is beyond is on screen, which says so', async () => {
    const user = await newUser(app, { parent: reseller })
    app.clock.set(new Date(Math.floor(start / day) * day + 12 * 60 * minute)) // 17:45 in Nepal
    const used = async () => (await get(user, '/api/obd/notices/choices')).json<{ mailsUsedUp: boolean }>().mailsUsedUp
    let mailed = 0
    for (let n = 0; n < 23; n++) {
      await notify(user, { onScreen: false, byMail: true })
      mailed += (await mails()).length
      app.clock.advance(6 * minute)
      await app.pool.query("update notice set mailed_at = mailed_at - interval '1 hour' where mailed_at is not null")
    }
    expect([mailed, await shown(user), await used()]).toEqual([20, 3, true])
    app.clock.advance(5 * 60 * minute)
    await notify(user)
    expect(await used(), 'after Nepal’s midnight').toBe(false)
    expect(await mails()).toHaveLength(1)
  })

  test('fifty links a day are caused by a reseller and all below it; the rest wait, which the account says, and go the next day', async () => {
    const below = await newReseller(app, { parent: reseller, planId, channels: 1000 })
    const made: Viewer[] = []
    for (let n = 0; n < 60; n++) made.push(await register(n % 2 ? reseller : below, `stranger${n}@example.com`))
    expect(await mails()).toHaveLength(50)
    const states = await Promise.all(made.map(stateOf))
    expect([states.filter((one) => one === 'waiting').length, states.at(0)]).toEqual([10, 'unconfirmed'])
    expect(await mails()).toEqual([])
    const other = await newReseller(app, { parent: boss, planId, channels: 10 })
    await register(other, 'customer@example.com')
    expect(await mails(), 'another reseller’s customers do not wait').toHaveLength(1)
    app.clock.advance(day)
    expect(await mails()).toHaveLength(10)
    expect(await stateOf(made.at(-1) ?? boss)).toBe('unconfirmed')
  })

  // The limits that the test before has are counted by what caused a mail.
  test(
    'an owner’s own link does not wait for links that a reseller caused or other owners asked for',
    { tags: ['exhaustive'] },
    async () => {
      const branch = (parent: Viewer) => newReseller(app, { parent, planId, channels: 1000 })
      const [hostile, good] = [await branch(reseller), await branch(reseller)]
      const theirs: Viewer[] = []
      for (let n = 0; n < 55; n++) theirs.push(await register(hostile, `planted${n}@example.com`))
      const mine = await register(good, 'mine@example.com')
      expect((await mails()).map(({ to }) => to)).toHaveLength(50)
      expect(await stateOf(mine)).toBe('waiting')
      const again = async (owner: Viewer) => (await post(owner, '/api/obd/mail/verify/again')).statusCode
      app.clock.advance(6 * minute)
      for (const owner of theirs) expect(await again(owner)).toBe(200)
      expect(await again(mine)).toBe(200)
      const sent = (await mails()).map(({ to }) => to)
      expect(sent).toContain('mine@example.com')
      expect(sent, 'fifty of one branch').toHaveLength(51)
    },
  )

  test('three links a day go to one address, whatever accounts name it', async () => {
    const other = await newReseller(app, { parent: boss, planId, channels: 10 })
    for (const by of [reseller, other, reseller, other]) await register(by, 'One@Example.com')
    expect(await mails()).toHaveLength(3)
  })

  test('so many, when several processes look at once', async () => {
    for (let n = 0; n < 5; n++) await register(reseller, 'same@example.com')
    await app.pool.query('delete from pgboss.job')
    await Promise.all(Array.from({ length: 5 }, () => queueVerifications(app)))
    const { rows } = await app.pool.query("select data from pgboss.job where name = 'verification-mail'")
    expect(rows).toHaveLength(3)
  })
})
