import { sendersMax } from '@ghanti/contract/sms-senders.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { requireSender } from './actions.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer, reseller: Viewer, user: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss })
  user = await newUser(app, { parent: reseller, username: 'himal' })
})
const post = async (viewer: Viewer, path: string, payload: object) =>
  http.inject({ method: 'POST', url: `/app/sms/${path}`, headers: await signedIn(app, viewer), payload })
const get = async (viewer: Viewer, path: string) =>
  (await http.inject({ url: `/app/sms/${path}`, headers: await signedIn(app, viewer) })).json<
    Record<string, unknown>[]
  >()
const ask = async (viewer: Viewer, cliName: string) =>
  (await post(viewer, 'cli', { cliName })).json<{ cliId: number }>().cliId
const usable = (viewer: Viewer, name: string) =>
  app.db.transaction().execute((tx) => requireSender(tx, viewer.userId, name))

test('a user asks for a sender ID, the super admin approves it for some operators, and the user is told and may use it', async () => {
  const cliId = await ask(user, 'HimalBank')
  expect(await get(user, `cli/${user.userId}`)).toMatchObject([
    { cliId, cliName: 'HimalBank', cliStatus: 0, operators: [], reason: null, username: 'himal', others: null },
  ])
  await expect(usable(user, 'HimalBank')).rejects.toMatchObject({
    errors: [{ field: 'cli', code: 'not_approved', text: "'HimalBank' waits for approval" }],
  })
  expect((await post(boss, `cli/approve/${cliId}`, { operators: ['smart', 'ntc'] })).statusCode).toBe(200)
  expect(await get(user, `cli/${user.userId}`)).toMatchObject([{ cliStatus: 1, operators: ['ntc', 'smart'] }])
  expect(await usable(user, 'himalbank')).toEqual({ senderId: cliId, name: 'HimalBank', operators: [1, 3] })
  const notices = await app.db.selectFrom('notice').select(['user_id', 'kind', 'about']).execute()
  expect(notices).toEqual([{ user_id: user.userId, kind: 'senderApproved', about: 'HimalBank' }])
})

test('approved again for the same operators is refused; for others it is changed; a rejection needs a reason, which its account reads', async () => {
  const owner = await newUser(app, { parent: reseller })
  const cliId = await ask(owner, 'Bazaar')
  await post(boss, `cli/approve/${cliId}`, { operators: ['ntc'] })
  const again = await post(boss, `cli/approve/${cliId}`, { operators: ['ntc'] })
  expect([again.statusCode, again.json()]).toMatchObject([409, { errors: [{ field: 'cliId', code: 'decided' }] }])
  expect((await post(boss, `cli/approve/${cliId}`, { operators: ['ncell', 'ntc'] })).statusCode).toBe(200)
  expect((await post(boss, `cli/approve/${cliId}`, { operators: ['ncell', 'ntc'], tps: '20' })).statusCode).toBe(200)
  expect(await get(owner, `cli/${owner.userId}`)).toMatchObject([{ operators: ['ntc', 'ncell'], tps: 20 }])
  const endless = await post(boss, `cli/approve/${cliId}`, { operators: ['ntc'], tps: 0 })
  expect([endless.statusCode, endless.json()]).toMatchObject([
    400,
    { errors: [{ field: 'tps', text: 'must be a whole number from 1 to 10000' }] },
  ])
  expect((await post(boss, `cli/reject/${cliId}`, {})).json()).toMatchObject({ errors: [{ field: 'reason' }] })
  expect((await post(boss, `cli/reject/${cliId}`, { reason: 'Of another company' })).statusCode).toBe(200)
  expect(await get(owner, `cli/${owner.userId}`)).toMatchObject([
    { cliStatus: 2, operators: [], reason: 'Of another company' },
  ])
  await expect(usable(owner, 'Bazaar')).rejects.toMatchObject({ errors: [{ text: "'Bazaar' is rejected" }] })
  await expect(usable(user, 'Bazaar')).rejects.toMatchObject({ errors: [{ code: 'not_found' }] })
})

test.each([
  ['twelve letters', 'ABCDEFGHIJKL'],
  ['Nepali letters', 'हिमाल'],
  ['signs alone', '!!!'],
  ['eleven characters of more septets', 'ABCDEFGHIJ€'],
  ['a number of two digits', '12'],
  ['a number of sixteen digits', '1234567890123456'],
  ['a line break', 'A\nB'],
  ['nothing', ' '],
])('a sender ID of %s is refused, naming the field', async (_, cliName) => {
  const reply = await post(user, 'cli', { cliName })
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { errors: [{ field: 'cliName' }] }])
})

test.each(['A1', 'Himal Bank', 'ABCDEFGHIJK', '@home', '31001', '+9779801234567'])(
  '%s may be a sender ID',
  async (cliName) => {
    const owner = await newUser(app, { parent: reseller })
    expect((await post(owner, 'cli', { cliName })).statusCode).toBe(200)
  },
)

test('an account asks for a name once, in whatever case of letters; another account may want it too, which the super admin is told', async () => {
  const [one, other] = [await newUser(app, { parent: reseller }), await newUser(app, { parent: reseller })]
  const cliId = await ask(one, 'Dashain')
  expect((await post(one, 'cli', { cliName: 'DASHAIN' })).json()).toMatchObject({
    errors: [{ field: 'cliName', code: 'taken' }],
  })
  await ask(other, 'dashain')
  expect(await get(boss, `cli/list?search=dashain`)).toMatchObject([{ cliId, others: 1 }, { others: 1 }])
  expect(await get(reseller, `cli/${reseller.userId}?search=dashain`)).toMatchObject([{ others: null }, { cliId }])
})

test(`an account has at most ${sendersMax} sender IDs, also when it asks for the last ones at once`, async () => {
  const owner = await newUser(app, { parent: reseller })
  const first = Array.from({ length: sendersMax - 1 }, (_, n) => ({ account_id: owner.userId, name: `Name${n}` }))
  await app.db.insertInto('sms_sender').values(first).execute()
  const replies = await Promise.all(['One', 'Two', 'Three'].map((cliName) => post(owner, 'cli', { cliName })))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
})

test('several are decided at once, each by itself; the list is narrowed down by status and account', async () => {
  const owner = await newUser(app, { parent: reseller, username: 'pokhara' })
  const [first, second] = [await ask(owner, 'First'), await ask(owner, 'Second')]
  await post(boss, `cli/reject/${second}`, { reason: 'No' })
  const many = await post(boss, 'clis/reject', { cliIds: [first, second], reason: 'No' })
  expect(many.json()).toMatchObject({ results: [{ status: 200 }, { status: 409 }] })
  const approved = await post(boss, 'clis/approve', { cliIds: [first, second], operators: ['ntc', 'other'] })
  expect(approved.json()).toMatchObject({ message: 'Success' })
  const mine = await get(boss, `cli/list?cliStatus=1&customer=${owner.userId}&sort=cliName&order=asc`)
  expect(mine).toMatchObject([
    { cliId: first, operators: ['ntc', 'other'] },
    { cliId: second, username: 'pokhara' },
  ])
})

test('its account deletes it, a reseller above cannot; deleted, it is nobody’s any more', async () => {
  const owner = await newUser(app, { parent: reseller })
  const cliId = await ask(owner, 'Momo')
  const remove = async (viewer: Viewer) =>
    (await http.inject({ method: 'DELETE', url: `/app/sms/cli/${cliId}`, headers: await signedIn(app, viewer) }))
      .statusCode
  expect([await remove(reseller), await remove(user), await remove(owner), await remove(owner)]).toEqual([
    403, 404, 200, 404,
  ])
  await expect(usable(owner, 'Momo')).rejects.toMatchObject({ errors: [{ code: 'not_found' }] })
})

test('it is not deleted while a campaign that is not finished sends with it', async () => {
  const owner = await newUser(app, { parent: reseller })
  const cliId = await ask(owner, 'Dashain')
  const campaignId = await newSmsCampaign(app, owner, { name: 'Offer' })
  await app.db
    .updateTable('sms_campaign_detail')
    .set({ sender_id: cliId })
    .where('campaign_id', '=', campaignId)
    .execute()
  const remove = async (viewer: Viewer) =>
    http.inject({ method: 'DELETE', url: `/app/sms/cli/${cliId}`, headers: await signedIn(app, viewer) })
  for (const viewer of [owner, boss]) {
    const refused = await remove(viewer)
    const text = "is used by 'Offer' (Running): wait until they are finished or stop them"
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { errors: [{ field: 'cliId', code: 'in_use', text }] },
    ])
  }
  await app.db.updateTable('sms_campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
  expect((await remove(owner)).statusCode).toBe(200)
})
