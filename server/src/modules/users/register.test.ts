import { messages } from '@ghanti/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { pictureFile } from '../../testing/files/picture.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import type { Viewer } from '../../policy.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let planId: number
let platformPlan: number
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  platformPlan = await newPlan(app, { pulsePaisa: 40 })
  reseller = await newReseller(app, { parent: boss, channels: 10_000, planId: platformPlan })
  planId = await newPlan(app, { owner: reseller, pulsePaisa: 50 })
})

type Fields = Record<string, unknown>
type Said = { message: string; userId?: number; errors?: { field: string; text: string }[] }
let serial = 0
const person = (more: Fields = {}): Fields => ({
  username: `new ${++serial}`,
  password: 'xk7Qp2!v',
  name: 'Gita Rai',
  emailid: 'gita@example.com',
  number: '9841000001',
  company: 'Himal',
  address: 'Kathmandu',
  pincode: '44600',
  accountType: 0,
  userType: 'user',
  planId,
  ...more,
})
async function post(viewer: Viewer, path: string, payload: Fields) {
  const reply = await http.inject({
    method: 'POST',
    url: `/api/obd/${path}`,
    headers: await signedIn(app, viewer),
    payload,
  })
  const { message, userId, errors = [] } = reply.json<Said>()
  return { status: reply.statusCode, message, userId, errors: errors.map(({ field, text }) => `${field} ${text}`) }
}
const register = (viewer: Viewer, more: Fields = {}) => post(viewer, 'register', person(more))
const stored = (userId: number | undefined) =>
  app.db
    .selectFrom('users')
    .innerJoin('account_channels as c', 'c.account_id', 'users.id')
    .selectAll('users')
    .select('c.channels')
    .where('users.id', '=', userId ?? 0)
    .executeTakeFirstOrThrow()
const signIn = (username: string, password: string) =>
  http.inject({ method: 'POST', url: '/api/obd/login', payload: { username, password } })

describe('register', () => {
  test('makes an account right below whoever asks, whatever parent says, with 30 channels, for ever', async () => {
    const made = await register(reseller, { parent: boss.userId, userId: boss.userId, number: '+977 98410-00001' })
    expect(made).toMatchObject({ status: 200, message: 'User Created Successfully' })
    expect(await stored(made.userId)).toMatchObject({
      parent_id: reseller.userId,
      role: 'user',
      channels: 30,
      expires_at: null,
      number: '+9779841000001',
      plan_id: planId,
    })
    expect((await signIn(`NEW ${serial}`, 'xk7Qp2!v')).statusCode).toBe(200)
  })

  test('blanks at the ends of a password are its own', async () => {
    const { userId } = await register(reseller, { password: ' xk7Qp2!v ' })
    const { username } = await stored(userId)
    expect((await signIn(username, ' xk7Qp2!v ')).statusCode).toBe(200)
    expect((await signIn(username, 'xk7Qp2!v')).statusCode).toBe(401)
  })

  test('a reseller has resellers, who have users', async () => {
    const below = await register(reseller, { userType: 'Reseller', channels: '50' })
    const username = `new ${serial}`
    const viewer: Viewer = { userId: below.userId ?? 0, username, role: 'reseller', parentId: reseller.userId }
    const own = await newPlan(app, { owner: viewer, pulsePaisa: 60 })
    const deep = await register(viewer, { planId: own })
    expect((await stored(deep.userId)).path).toEqual([boss.userId, reseller.userId, viewer.userId, deep.userId])
    expect(await register(viewer, { planId: own, channels: 21 })).toMatchObject({ message: messages.channelLimit })
  })

  test.each([
    [
      'seven characters are no password',
      { password: 'seven c' },
      400,
      'password Password cannot be less than 8 characters',
    ],
    ['no address for mail', { emailid: 'nobody' }, 400, 'emailid must be an e-mail address'],
    [
      'a line break would be another header of a mail',
      { emailid: 'a@b.np\nBcc: c@d.np' },
      400,
      'emailid has line breaks or control characters',
    ],
    ['no number', { number: '98x1000001' }, 400, 'number must be a telephone number'],
    [
      'an invisible sign in a name',
      { username: 'ram\u200bthapa' },
      400,
      'username has line breaks or control characters',
    ],
    [
      'a Cyrillic letter in a Latin name',
      { username: 'sup\u0435radmin' },
      400,
      'username must be of Latin letters and digits or of Devanagari ones, not of both, with blanks and the signs of a keyboard',
    ],
    ['no such type', { userType: 'superAdmin' }, 400, 'userType must be reseller or user'],
    ['a day that is over', { expiryDate: '2026-01-01' }, 400, 'expiryDate is before today'],
    ['a day that there is not', { expiryDate: '2099-02-30' }, 400, 'expiryDate is not a day of the calendar'],
    [
      'an hour that there is not',
      { expiryDate: '2099-02-20 25:00:00' },
      400,
      'expiryDate is not a day of the calendar',
    ],
    ['another type than the reseller’s', { accountType: 1 }, 400, 'accountType must be that of your own account'],
    ['no channel', { channels: 0 }, 400, 'channels must be a whole number from 1 to 100000'],
  ])('%s', async (_, more, status, error) => {
    app.clock.set(new Date('2026-11-22T03:00:00Z'))
    expect(await register(reseller, more)).toMatchObject({ status, errors: [error] })
  })

  test('two names that differ by case are one, also of two at once', async () => {
    const names = ['Ram Thapa', 'ram thapa', 'RAM THAPA']
    const replies = await Promise.all(names.map((username) => register(reseller, { username })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(replies.flatMap(({ errors }) => errors)).toContainEqual(expect.stringMatching(/^username '.*' is taken$/))
  })

  test('the last day is whole: until 23:59:59 in Nepal; today is one', async () => {
    app.clock.set(new Date('2026-11-22T17:00:00Z')) // 22:45 in Nepal
    for (const expiryDate of ['2026-11-22', '2026-11-22 00:00:00', '2026-11-22 23:59:59']) {
      const made = await register(reseller, { expiryDate })
      expect((await stored(made.userId)).expires_at?.toISOString()).toBe('2026-11-22T18:14:59.000Z')
    }
    app.clock.set(new Date('2026-11-22T18:30:00Z')) // 00:15 of the next day
    expect(await register(reseller, { expiryDate: '2026-11-22' })).toMatchObject({ status: 400 })
  })

  test('a plan is one that the parent gives: the parent’s own, enabled, not cheaper than what the parent pays', async () => {
    const cheap = await newPlan(app, { owner: reseller, pulsePaisa: 39 })
    const disabled = await newPlan(app, { owner: reseller, pulsePaisa: 90 })
    await app.db.updateTable('plan').set({ enabled: false }).where('id', '=', disabled).execute()
    const others = await newPlan(app, { owner: await newReseller(app) })
    for (const wrong of [cheap, disabled, others, platformPlan, 999_999])
      expect(await register(reseller, { planId: wrong })).toMatchObject({
        status: 400,
        errors: [expect.stringMatching(/^planId /)],
      })
    expect(await register(boss, { planId: platformPlan, accountType: 1, userType: 'reseller' })).toMatchObject({
      status: 200,
    })
  })

  test('20 are created at once, and as many succeed as there are channels for', async () => {
    const parent = await newReseller(app, { parent: boss, channels: 100, planId: platformPlan })
    const own = await newPlan(app, { owner: parent })
    const replies = await Promise.all(Array.from({ length: 20 }, () => register(parent, { planId: own })))
    expect(replies.map(({ message }) => message).toSorted()).toEqual([
      ...Array(17).fill(messages.channelLimit),
      ...Array(3).fill(messages.userCreated),
    ])
    expect(replies.find(({ status }) => status !== 200)?.errors).toEqual([
      'channels are more than the 10 that are free',
    ])
    const channels = await http.inject({
      url: `/api/obd/user/channels/${parent.userId}`,
      headers: await signedIn(app, parent),
    })
    expect(channels.json()).toEqual({ userChannels: 90, channels: 100, free: 10 })
  })

  test('register1 takes a logo and a domain; a file that is no picture makes no account', async () => {
    const send = async (more: Fields, logo: File) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(person(more))) form.append(name, String(value))
      form.append('logo', logo)
      const body = new Response(form)
      return http.inject({
        method: 'POST',
        url: '/api/obd/register1',
        headers: { ...(await signedIn(app, reseller)), 'content-type': body.headers.get('content-type') ?? '' },
        payload: Buffer.from(await body.arrayBuffer()),
      })
    }
    const made = await send({ userType: 'reseller', domain: 'voice.himal.example' }, pictureFile('logo.png'))
    expect(made.json()).toMatchObject({ message: messages.userCreated })
    const waiting = await app.db.selectFrom('brand_domain').select(['hostname', 'user_id']).execute()
    expect(waiting).toEqual([{ hostname: 'voice.himal.example', user_id: made.json<Said>().userId }])
    const before = serial
    expect((await send({}, new File(['<svg/>'], 'logo.png'))).statusCode).toBe(415)
    await app.db.updateTable('brand_domain').set({ confirmed_at: new Date() }).execute()
    expect((await send({ domain: 'voice.himal.example' }, pictureFile('logo.png'))).statusCode).toBe(409)
    const none = await app.db
      .selectFrom('users')
      .select('id')
      .where('username', 'in', [`new ${before + 1}`, `new ${before + 2}`])
      .execute()
    expect(none).toEqual([])
  })
})

describe('update', () => {
  const { username: _u, password: _p, planId: _, ...common } = person()
  const update = (viewer: Viewer, { userId }: Viewer, more: Fields = {}) =>
    post(viewer, 'user/update', { ...common, userId, expiryDate: '2099-12-31', ...more })

  test('changes what is said and leaves the rest', async () => {
    const user = await newUser(app, { parent: reseller, planId })
    expect(await update(reseller, user, { company: 'New company', channels: 40 })).toMatchObject({ status: 200 })
    expect(await stored(user.userId)).toMatchObject({
      username: user.username,
      company: 'New company',
      plan_id: planId,
      channels: 40,
      expires_at: new Date('2099-12-31T18:14:59Z'),
    })
    const [line] = await app.db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'user.update')
      .where('target', '=', `user ${user.userId}`)
      .execute()
    expect(line?.detail).toMatchObject({ before: { expiresAt: null }, after: { planId } })
    expect(line?.detail, 'which, not what they are').toHaveProperty('replaced.emailid', true)
    expect(JSON.stringify(line?.detail)).not.toContain(common['emailid'])
  })

  test('an expiry date is required; one that is over may stay but not be chosen', async () => {
    app.clock.set(new Date('2026-11-22T03:00:00Z'))
    const user = await newUser(app, { parent: reseller, expiresAt: new Date('2026-01-01T18:14:59Z') })
    expect(await update(reseller, user, { expiryDate: '' })).toMatchObject({
      status: 400,
      errors: ['expiryDate Please Select Expiry Date'],
    })
    expect(await update(reseller, user, { expiryDate: '2026-01-01' })).toMatchObject({ status: 200 })
    expect(await update(reseller, user, { expiryDate: '2026-01-02' })).toMatchObject({ status: 400 })
  })

  test('an account without an expiry date stays so when it is updated, and one with a date loses it, by ‘never’', async () => {
    for (const expiresAt of [null, new Date('2099-01-01T18:14:59Z')]) {
      const user = await newUser(app, { parent: reseller, ...(expiresAt && { expiresAt }) })
      expect(await update(reseller, user, { expiryDate: 'never' })).toMatchObject({ status: 200 })
      expect(await stored(user.userId)).toMatchObject({ expires_at: null })
    }
  })

  test('a domain stays when nothing is said of it, gives its place to another, and can be taken away', async () => {
    const user = await newReseller(app, { parent: reseller })
    const say = (more: Fields) => update(reseller, user, { userType: 'reseller', ...more })
    const domain = async () => {
      const url = `/api/obd/user/profile/${user.userId}`
      return (await http.inject({ url, headers: await signedIn(app, reseller) })).json<{ domain: string | null }>()
        .domain
    }
    expect(await domain()).toBeNull()
    await say({ domain: 'one.example' })
    expect([await say({}), await domain()]).toMatchObject([{ status: 200 }, 'one.example'])
    await say({ domain: 'two.example' })
    expect([await say({ removeDomain: false }), await domain()]).toMatchObject([{ status: 200 }, 'two.example'])
    expect(await say({ domain: 'three.example', removeDomain: 'true' })).toMatchObject({ status: 400 })
    expect([await say({ removeDomain: 'true' }), await domain()]).toMatchObject([{ status: 200 }, null])
  })

  test('the type stays while there are children or campaigns; a change signs out', async () => {
    const parent = await newReseller(app, { parent: reseller })
    const child = await newUser(app, { parent })
    const conflict = { status: 409, message: 'User Updation Failed' }
    expect(await update(reseller, parent, { userType: 'user' })).toMatchObject({
      ...conflict,
      errors: [`userType cannot change: there are the accounts '${child.username}'`],
    })
    const user = await newUser(app, { parent: reseller })
    await newCampaign(app, user, { status: 'complete' })
    expect(await update(reseller, user, { userType: 'reseller' })).toMatchObject({
      ...conflict,
      errors: ['userType cannot change: there are campaigns'],
    })
    const free = await newUser(app, { parent: reseller })
    const headers = await signedIn(app, free)
    expect(await update(reseller, free, { userType: 'RESELLER' })).toMatchObject({ status: 200 })
    expect((await stored(free.userId)).role).toBe('reseller')
    expect((await http.inject({ url: '/api/obd/session', headers })).statusCode).toBe(401)
  })

  test('channels stay between what those below have and what the parent has left', async () => {
    const parent = await newReseller(app, { parent: boss, channels: 100 })
    const one = await newReseller(app, { parent, channels: 40 })
    const two = await newUser(app, { parent, channels: 40 })
    await newUser(app, { parent: one, channels: 25 })
    expect(await update(parent, one, { channels: 61, userType: 'reseller' })).toMatchObject({
      status: 400,
      message: messages.channelLimit,
      errors: ['channels are more than the 60 that are free'],
    })
    expect(await update(parent, one, { channels: 24, userType: 'reseller' })).toMatchObject({
      status: 400,
      errors: ['channels are fewer than the 25 that the accounts below have'],
    })
    const both = await Promise.all([
      update(parent, one, { channels: 55, userType: 'reseller' }),
      update(parent, two, { channels: 55 }),
    ])
    expect(both.map(({ status }) => status).toSorted(), 'one of two that together are too many').toEqual([200, 400])
  })

  test('a reseller’s new plan undercuts no plan of the children', async () => {
    const parent = await newReseller(app, { parent: boss, planId: platformPlan })
    const child = await newUser(app, { parent, planId: await newPlan(app, { owner: parent, pulsePaisa: 50 }) })
    const dear = await newPlan(app, { pulsePaisa: 51 })
    const refused = await update(boss, parent, { planId: dear, userType: 'reseller' })
    expect(refused.status).toBe(400)
    expect(refused.errors.join()).toMatch(new RegExp(`^planId .*${child.username}`))
    const fair = await newPlan(app, { pulsePaisa: 50 })
    expect(await update(boss, parent, { planId: fair, userType: 'reseller' })).toMatchObject({ status: 200 })
  })

  test('a plan that was disabled meanwhile stays with whoever is on it', async () => {
    const plan = await newPlan(app, { owner: reseller, pulsePaisa: 70 })
    const user = await newUser(app, { parent: reseller, planId: plan })
    await app.db.updateTable('plan').set({ enabled: false }).where('id', '=', plan).execute()
    expect(await update(reseller, user, { planId: plan })).toMatchObject({ status: 200 })
  })
})
