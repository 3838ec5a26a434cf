import { messages } from '@ghanti/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { expectSoundBooks } from '../../voice/testing/fixtures.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser, sumOfBalances } from '../../testing/seed.ts'
import { balanceOf } from '../credits/actions.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let planId: number
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  planId = await newPlan(app)
})

/** Each below the one before. `shop` has 100 channels, of which `clerk` has 30. */
let top: Viewer
let shop: Viewer
let clerk: Viewer
beforeEach(async () => {
  top = await newReseller(app, { parent: boss, channels: 1000, planId })
  shop = await newReseller(app, { parent: top, channels: 100, planId, rupees: 500 })
  clerk = await newUser(app, { parent: shop, channels: 30, planId, rupees: 100 })
})

type Fields = Record<string, unknown>
async function post(viewer: Viewer, path: string, payload: Fields) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method: 'POST', url: `/api/obd/${path}`, headers, payload })
  const { message, errors } = reply.json<{ message: string; errors?: { field: string; text: string }[] }>()
  return { status: reply.statusCode, message, errors: errors?.map(({ field, text }) => `${field} ${text}`) }
}
async function get<T>(viewer: Viewer, path: string): Promise<T> {
  return (await http.inject({ url: `/api/obd/${path}`, headers: await signedIn(app, viewer) })).json<T>()
}
const rupees = async ({ userId }: Viewer) => (await balanceOf(app.db, userId)).paisa / 100
type Notice = { kind: string; about: string; subjectId: number; reason: string }
const noticesOf = async (viewer: Viewer) =>
  (await get<Notice[]>(viewer, 'notices'))
    .filter(({ kind }) => kind === 'childChanged')
    .map(({ about, subjectId, reason }) => ({ about, subjectId, reason }))
    .toReversed()
const of = (reason: string) => ({ about: clerk.username, subjectId: clerk.userId, reason })
const audited = async (action: string) => {
  const lines = await app.db
    .selectFrom('audit_log')
    .select('actor_id')
    .where('action', '=', action)
    .where('target', '=', `user ${clerk.userId}`)
    .execute()
  return lines.map(({ actor_id }) => actor_id)
}
const person = {
  name: 'Maya Lama',
  emailid: 'maya@example.com',
  number: '9841000009',
  company: 'Lama Tea',
  address: 'Ilam',
  pincode: '57300',
  accountType: 0,
  userType: 'user',
  expiryDate: '2099-12-31',
}
const update = (viewer: Viewer, more: Fields = {}) =>
  post(viewer, 'user/update', { userId: clerk.userId, ...person, ...more })

test('a super admin recharges an account below a reseller out of the mint: the reseller keeps what it has, both histories name the platform, and the reseller is told', async () => {
  const paid = { userId: clerk.userId, credits: '50.25' }
  expect(await post(boss, 'credits/add', { ...paid, reference: 'Invoice 7' })).toMatchObject({ status: 200 })
  expect(await post(boss, 'credits/remove', { userId: clerk.userId, credits: 20 })).toMatchObject({ status: 200 })
  expect([await rupees(clerk), await rupees(shop), await rupees(top)]).toEqual([130.25, 500, 0])
  expect(await sumOfBalances(app)).toBe(0)
  const { rows } = await app.pool.query(
    `select p.kind as payer, t.payer_id, t.payee_id, t.amount_paisa from transfer t join account p on p.id = t.payer_id
     where $1 in (t.payer_id, t.payee_id) order by t.id desc limit 2`,
    [clerk.userId],
  )
  expect(rows).toMatchObject([
    { payer: 'ordinary', payer_id: clerk.userId, amount_paisa: 2000 },
    { payer: 'mint', payee_id: clerk.userId, amount_paisa: 5025 },
  ])
  type Line = { fromUsername: string; toUsername: string; credits: number; reference: string | null }
  for (const viewer of [clerk, boss]) {
    const [back, given] = await get<Line[]>(viewer, `credits/history/${clerk.userId}`)
    expect(given).toMatchObject({ fromUsername: boss.username, toUsername: clerk.username, reference: 'Invoice 7' })
    expect(back).toMatchObject({ fromUsername: clerk.username, toUsername: boss.username })
  }
  expect(await noticesOf(shop)).toEqual([of('Rs 50.25 were added'), of('Rs 20.00 were taken back')])
  expect([await noticesOf(top), await noticesOf(clerk)]).toEqual([[], []])
  expect(await audited('credits.add')).toEqual([boss.userId])
  await expectSoundBooks({ engine: app.pool })
})

test('a super admin is asked again about the last movement between the account and the platform, not about the reseller’s', async () => {
  type Account = { last: { credits: number } | null; ownFree: number | null }
  const last = async (viewer: Viewer) => (await get<Account>(viewer, `credits/account/${clerk.userId}`)).last?.credits
  await post(shop, 'credits/add', { userId: clerk.userId, credits: 7 })
  expect([await last(boss), await last(shop)]).toEqual([100, 7])
  await post(boss, 'credits/add', { userId: clerk.userId, credits: 9 })
  expect([await last(boss), await last(shop)]).toEqual([9, 7])
})

test('recharges by the platform and by the reseller at once all count, and the books stay exact', async () => {
  const twenty = Array.from({ length: 20 }, (_, i) => i)
  const done = await Promise.all(
    twenty.flatMap(() => [
      post(boss, 'credits/add', { userId: clerk.userId, credits: 3 }),
      post(shop, 'credits/add', { userId: clerk.userId, credits: 2 }),
      post(shop, 'credits/remove', { userId: clerk.userId, credits: 1 }),
      post(boss, 'credits/remove', { userId: clerk.userId, credits: 1 }),
    ]),
  )
  expect(done.filter(({ status }) => status !== 200)).toEqual([])
  expect([await rupees(clerk), await rupees(shop)]).toEqual([160, 480])
  expect(await sumOfBalances(app)).toBe(0)
  expect(await noticesOf(shop)).toHaveLength(40)
  await expectSoundBooks({ engine: app.pool })
})

test('a super admin takes back no more than is free, and then nobody is told', async () => {
  expect(await post(boss, 'credits/remove', { userId: clerk.userId, credits: 100.01 })).toMatchObject({
    status: 400,
    errors: ['credits is more than the Rs 100.00 that are free'],
  })
  expect(await noticesOf(shop)).toEqual([])
})

test('a super admin resets the password of whoever is below, and the parent is told', async () => {
  const headers = await signedIn(app, clerk)
  const reset = { userId: clerk.userId, password: 'marigold tunnel 58' }
  expect(await post(boss, 'pwd/reset', reset)).toEqual({ status: 200, message: messages.passwordReset })
  expect((await http.inject({ url: '/api/obd/session', headers })).statusCode).toBe(401)
  expect(await noticesOf(shop)).toEqual([of('Its password was reset')])
  expect(await audited('user.resetPassword')).toEqual([boss.userId])
})

test('a super admin edits whoever is below, and the parent is told what was changed', async () => {
  expect(await update(boss, { channels: 40 })).toMatchObject({ status: 200 })
  const expiry = await app.db.selectFrom('users').select('name').where('id', '=', clerk.userId).executeTakeFirst()
  expect(expiry).toEqual({ name: person.name })
  expect(await update(boss, { channels: 40 }), 'nothing is changed').toMatchObject({ status: 200 })
  expect(await post(boss, 'user/channels', { userId: clerk.userId, channels: 50 })).toMatchObject({ status: 200 })
  expect(await noticesOf(shop)).toEqual([
    of('Changed: personal details, channels, expiry date'),
    of('It has 50 channels, before 40'),
  ])
  expect(await audited('user.update')).toEqual([boss.userId, boss.userId])
})

test('how long a user keeps recordings is changed from above, within the platform’s days, in the audit log, and the parent is told', async () => {
  const days = async () => (await get<{ recordingDays: number }>(shop, `user/profile/${clerk.userId}`)).recordingDays
  expect(await update(shop, { recordingDays: 30 })).toMatchObject({ status: 200 })
  expect(await days()).toBe(30)
  expect(await update(shop), 'left out it stays').toMatchObject({ status: 200 })
  expect(await days()).toBe(30)
  expect(await update(boss, { recordingDays: 20 })).toMatchObject({ status: 200 })
  expect(await noticesOf(shop)).toEqual([of('Changed: days that recordings are kept')])
  const details = await app.db
    .selectFrom('audit_log')
    .select('detail')
    .where('action', '=', 'user.update')
    .where('target', '=', `user ${clerk.userId}`)
    .orderBy('id', 'desc')
    .execute()
  expect(details[0]?.detail).toMatchObject({ before: { recordingDays: 30 }, after: { recordingDays: 20 } })
  expect(await update(shop, { recordingDays: 91 })).toMatchObject({
    status: 400,
    errors: ['recordingDays must not be more than 90: the platform keeps them no longer'],
  })
  expect(await update(shop, { recordingDays: 10, userType: 'reseller' })).toMatchObject({
    status: 400,
    errors: ['recordingDays applies to users only: no one else makes calls'],
  })
  expect(await days()).toBe(20)
})

test('an account below a reseller gets from a super admin what its parent could give it, and no more', async () => {
  const other = await newUser(app, { parent: shop, channels: 60 })
  const tooMany = ['channels are more than the 40 that are free']
  expect(await update(boss, { channels: 41 })).toMatchObject({ status: 400, errors: tooMany })
  const asked = { userId: clerk.userId, channels: 41 }
  expect(await post(boss, 'user/channels', asked)).toMatchObject({ status: 400, errors: tooMany })
  expect(await update(boss, { planId })).toMatchObject({ status: 200 }) // it has this plan already
  const strange = await newPlan(app)
  expect(await update(boss, { planId: strange })).toMatchObject({
    status: 400,
    errors: [`planId cannot be given by '${shop.username}': is not one of your plans`],
  })
  expect(await update(boss, { accountType: 1 })).toMatchObject({
    status: 400,
    errors: [`accountType must be that of '${shop.username}'`],
  })
  expect(await post(shop, 'user/channels', { userId: other.userId, channels: 70 })).toMatchObject({ status: 200 })
  expect((await noticesOf(shop)).map(({ reason }) => reason)).toEqual(['Changed: personal details, expiry date'])
})

test('a reseller’s rights do not change, and changes of a super admin’s own children notify nobody', async () => {
  const paid = { userId: clerk.userId, credits: 1 }
  expect(await post(top, 'credits/add', paid)).toMatchObject({
    status: 403,
    errors: [`userId belongs to ${shop.username}, who recharges it`],
  })
  expect(await update(top)).toMatchObject({ status: 403 })
  expect(await post(top, 'pwd/reset', { userId: clerk.userId, password: 'marigold tunnel 58' })).toMatchObject({
    status: 403,
  })
  expect(await post(top, 'user/channels', { userId: clerk.userId, channels: 5 })).toMatchObject({ status: 403 })
  await post(boss, 'credits/add', { userId: top.userId, credits: 1 })
  await post(shop, 'credits/add', paid)
  for (const viewer of [boss, top, shop]) expect(await noticesOf(viewer)).toEqual([])
})

test('super admins neither recharge, edit nor reset each other or themselves', async () => {
  const other = await newSuperAdmin(app)
  for (const { userId } of [other, boss]) {
    expect(await post(boss, 'credits/add', { userId, credits: 1 })).toMatchObject({ status: 403 })
    expect(await post(boss, 'pwd/reset', { userId, password: 'marigold tunnel 58' })).toMatchObject({ status: 403 })
    expect(await post(boss, 'user/channels', { userId, channels: 5 })).toMatchObject({ status: 403 })
  }
})
