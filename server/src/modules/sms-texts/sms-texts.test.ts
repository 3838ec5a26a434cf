import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { changeSetting } from '../platform/actions.ts'
import { requireApprovedText } from './actions.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer, reseller: Viewer, user: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss })
})
beforeEach(async () => {
  user = await newUser(app, { parent: reseller })
  await rule({ promotional: true, words: [] })
})
const rule = (value: { promotional: boolean; words: string[] }) =>
  app.db.transaction().execute((tx) => changeSetting(tx, 'textApproval', value, boss.userId))
const post = async (viewer: Viewer, path: string, payload: object = {}) =>
  http.inject({ method: 'POST', url: `/app/sms/${path}`, headers: await signedIn(app, viewer), payload })
const get = async (viewer: Viewer, path: string) =>
  (await http.inject({ url: `/app/sms/${path}`, headers: await signedIn(app, viewer) })).json<
    Record<string, unknown>[]
  >()
type Saved = { textId: number; textStatus: number }
const save = async (textName: string, smsText: string, textId?: number) =>
  (await post(user, 'text', { textId, textName, smsText })).json<Saved>()
const refusal = (text: string): Promise<string> =>
  app.db
    .transaction()
    .execute((tx) => requireApprovedText(tx, user.userId, text))
    .then(
      () => 'sent',
      (error: { errors: { field: string; text: string }[] }) => error.errors.map(({ text }) => text).join(),
    )
const transactional = () =>
  app.db.updateTable('users').set({ account_type: 'transactional' }).where('id', '=', user.userId).execute()

test('a promotional account’s text waits for the super admin, is sent once it is approved, and its account is told', async () => {
  const must = 'must be approved first: save it as a text and wait for the approval'
  expect(await refusal('Tihar sale')).toBe(must)
  const { textId, textStatus } = await save('Tihar', 'Tihar sale')
  expect(textStatus).toBe(0)
  expect(await refusal('Tihar sale')).toBe("waits for approval: it is your text 'Tihar'")
  expect((await post(boss, `text/approve/${textId}`)).statusCode).toBe(200)
  expect(await refusal('Tihar sale')).toBe('sent')
  expect(await refusal('Tihar sale!')).toBe(must)
  expect(await get(user, `texts/${user.userId}`)).toMatchObject([{ textId, textName: 'Tihar', textStatus: 1 }])
  const notices = app.db.selectFrom('notice').select(['kind', 'about']).where('user_id', '=', user.userId)
  expect(await notices.execute()).toEqual([{ kind: 'textApproved', about: 'Tihar' }])
})

test('another text under the same name waits anew; a new name does not, and what was approved stays so when it is deleted', async () => {
  const { textId } = await save('Dashain', 'Greetings')
  await post(boss, `text/approve/${textId}`)
  expect(await save('Dashain 2083', 'Greetings', textId)).toMatchObject({ textId, textStatus: 1 })
  await http.inject({ method: 'DELETE', url: `/app/sms/text/${textId}`, headers: await signedIn(app, user) })
  expect(await get(user, `texts/${user.userId}`)).toEqual([])
  expect(await refusal('Greetings')).toBe('sent')
  const other = await save('Dashain', 'Greetings')
  expect(await save('Dashain', 'Greetings, and a loan', other.textId)).toMatchObject({ textStatus: 0 })
  expect(await refusal('Greetings, and a loan')).toMatch(/^waits for approval/)
})

test('a transactional account sends what it likes, but for the words that always wait', async () => {
  await transactional()
  expect(await save('Code', 'Your code is {code}')).toMatchObject({ textStatus: 1 })
  expect(await refusal('Your code is {code}')).toBe('sent')
  await rule({ promotional: true, words: ['lottery', 'चिट्ठा'] })
  expect(await refusal('You won the LOTTERY')).toBe(
    "has the word 'lottery' and must be approved first: save it as a text and wait for the approval",
  )
  expect(await save('Win', 'चिट्ठामा जित्नुभयो')).toMatchObject({ textStatus: 0 })
  for (const disguised of [
    'lot\u00adtery',
    'lot\u034ftery',
    'lo\u0307ttery',
    'lоttеrу',
    'lοττεry',
    'Iottery',
    'चि\u200dट्ठा',
  ])
    expect(await refusal(`You won the ${disguised}`), disguised).toMatch(/^has the word/)
  await rule({ promotional: false, words: [] })
  expect(await refusal('You won the LOTTERY')).toBe('sent')
})

test('a text that was saved while none needed approval waits when the setting changes', async () => {
  await rule({ promotional: false, words: [] })
  expect(await save('Sale', 'Sale today')).toMatchObject({ textStatus: 1 })
  expect(await refusal('Sale today')).toBe('sent')
  await rule({ promotional: true, words: [] })
  expect(await refusal('Sale today')).toMatch(/^must be approved first/)
})

test('a rejected text is not sent, whatever it is called and whatever the settings say later', async () => {
  const { textId } = await save('Bad', 'Free money')
  expect((await post(boss, `text/reject/${textId}`)).json()).toMatchObject({ errors: [{ field: 'reason' }] })
  expect((await post(boss, `text/reject/${textId}`, { reason: 'A fraud' })).statusCode).toBe(200)
  await rule({ promotional: false, words: [] })
  expect(await refusal('Free money')).toBe("was rejected: it is your text 'Bad'")
  await http.inject({ method: 'DELETE', url: `/app/sms/text/${textId}`, headers: await signedIn(app, user) })
  const again = await save('Good', 'Free money')
  expect(again.textStatus).toBe(0)
  expect(await refusal('Free money')).toMatch(/^was rejected/)
  await post(boss, `text/approve/${again.textId}`)
  expect(await refusal('Free money')).toBe('sent')
})

test('the second of two equal decisions is refused; several are decided at once', async () => {
  const [one, two] = [(await save('One', 'First')).textId, (await save('Two', 'Second')).textId]
  const both = await Promise.all([post(boss, `text/approve/${one}`), post(boss, `text/approve/${one}`)])
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect((await post(boss, 'texts/approve', { textIds: [one, two] })).json()).toMatchObject({
    results: [{ status: 409 }, { status: 200 }],
  })
  const all = await get(boss, `texts/list?textStatus=1&customer=${user.userId}`)
  expect(all).toMatchObject([{ textId: one, username: user.username }, { textId: two }])
  const waiting = await save('Three', 'Third')
  const first = await get(boss, `texts/list?customer=${user.userId}`)
  expect(
    first.map(({ textId }) => textId),
    'what waits stands first',
  ).toEqual([waiting.textId, one, two])
})

test('a name is given once; somebody else’s text is not there', async () => {
  const { textId } = await save('Bill', 'Pay {amount}')
  const taken = await post(user, 'text', { textName: 'BILL', smsText: 'Pay' })
  expect([taken.statusCode, taken.json()]).toMatchObject([409, { errors: [{ field: 'textName', code: 'taken' }] }])
  const stranger = await newUser(app, { parent: reseller })
  const theirs = await post(stranger, 'text', { textId, textName: 'Mine', smsText: 'Pay' })
  expect(theirs.statusCode).toBe(404)
})

test('a text is approved as urgent by a super admin alone, until it is changed, rejected or approved otherwise', async () => {
  const { textId } = await save('Login code', 'Your code is {code}')
  const urgent = async () =>
    (await get(user, `texts/${user.userId}`)).map(({ textStatus, urgent }) => [textStatus, urgent])
  expect(await urgent()).toEqual([[0, false]])
  expect((await post(user, `text/approve/${textId}`, { urgent: true })).statusCode).toBe(403)
  expect((await post(boss, `text/approve/${textId}`, { urgent: true })).statusCode).toBe(200)
  expect(await urgent()).toEqual([[1, true]])
  expect((await post(boss, `text/approve/${textId}`, { urgent: true })).statusCode).toBe(409)
  expect((await post(boss, `text/approve/${textId}`)).statusCode).toBe(200)
  expect(await urgent()).toEqual([[1, false]])
  await post(boss, `text/approve/${textId}`, { urgent: true })
  await save('Login code', 'Your code is {code}, and a loan', textId)
  expect(await urgent()).toEqual([[0, false]])
  await post(boss, `text/approve/${textId}`, { urgent: true })
  await post(boss, `text/reject/${textId}`, { reason: 'no' })
  expect(await urgent()).toEqual([[2, false]])
})
