import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import type { Asked, TestAggregator } from '../../drivers/sms/http/testing.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newUser } from '../../testing/seed.ts'
import { polling } from '../../testing/timeouts.ts'
import { freezeByOwner } from '../frozen/actions.ts'
import { changeHook, makeHook, rotateSecret, testHook } from './actions.ts'
import { startHooks } from './actions-send.ts'
import { words } from './rules.ts'
import { ctxOf, happens, newHook, newReceiver } from './testing.ts'

const app = await testApp()
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  await app.db.deleteFrom('hook').execute()
})

type Answer = (response: ServerResponse, asked: Asked) => void
async function receiverOf(answer: Answer = (response) => void response.end()) {
  const made = await newReceiver(app, (asked, response) => answer(response, asked))
  ends.push(() => made.receiver.close())
  return made
}
const start = (): void => void ends.push(startHooks(app))
const hookOf = (hookId: number) =>
  app.db.selectFrom('hook').selectAll().where('id', '=', hookId).executeTakeFirstOrThrow()
const stateOf = async (hookId: number) => (await hookOf(hookId)).state
const deliveriesOf = (hookId: number) =>
  app.db.selectFrom('hook_delivery').selectAll().where('hook_id', '=', hookId).orderBy('id').execute()
const dueNow = (hookId: number) =>
  app.db.updateTable('hook_delivery').set({ due_at: new Date() }).where('hook_id', '=', hookId).execute()
const typesOf = ({ asked }: TestAggregator) => asked.map(({ body }) => (JSON.parse(body) as { type: string }).type)
const headersOf = ({ headers }: Asked) => headers as Record<string, string>
const failing =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end()

test('a webhook is active once its signed test arrived, and then is told what happens, once though two processes send', async () => {
  const user = await newUser(app)
  const { receiver, url } = await receiverOf()
  const made = await makeHook(ctxOf(app, user), { url, events: ['balance.low'] })
  const { hookId } = made
  start()
  start()
  await expect.poll(() => stateOf(hookId), polling).toBe('active')
  await happens(app, user, 3)
  await expect.poll(() => typesOf(receiver), polling).toEqual(['hook.test', ...Array<string>(3).fill('balance.low')])
  const rotated = await rotateSecret(ctxOf(app, user), hookId)
  await testHook(ctxOf(app, user), hookId)
  await expect.poll(() => receiver.asked.length, polling).toBe(5)
  const [first, , , , last] = receiver.asked as [Asked, Asked, Asked, Asked, Asked]
  expect(new Webhook(String(made.secret)).verify(first.body, headersOf(first))).toMatchObject({ type: 'hook.test' })
  for (const { secret } of [made, rotated]) new Webhook(String(secret)).verify(last.body, headersOf(last))
  expect(new Set(receiver.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(5)
  await expect
    .poll(async () => (await deliveriesOf(hookId)).map(({ state, status }) => [state, status]), polling)
    .toEqual(Array.from({ length: 5 }, () => ['delivered', 200]))
})

test('a test that fails says why, changes nothing else and is not repeated', async () => {
  const user = await newUser(app)
  const { url } = await receiverOf(failing(500))
  const { hookId } = await makeHook(ctxOf(app, user), { url, events: ['balance.low'] })
  start()
  await expect.poll(async () => (await hookOf(hookId)).reason, polling).toBe(words.answered(500))
  expect(await deliveriesOf(hookId)).toMatchObject([{ state: 'failed', tries: 1, status: 500 }])
  expect(await stateOf(hookId)).toBe('unverified')
})

test('what failed is tried again under its id, when Retry-After says so, until it arrives', async () => {
  const user = await newUser(app)
  const answers = [failing(429, { 'retry-after': '3600' }), failing(302, { location: '/x' }), failing(204)]
  const { receiver, url } = await receiverOf((response, asked) => answers.shift()?.(response, asked))
  const { hookId } = await newHook(app, user, url)
  await happens(app, user)
  start()
  await expect.poll(async () => (await deliveriesOf(hookId))[0]?.reason, polling).toBe(words.answered(429))
  const [waiting] = await deliveriesOf(hookId)
  expect(waiting).toMatchObject({ state: 'waiting', tries: 1, status: 429 })
  expect((waiting?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_500_000)
  await dueNow(hookId)
  await expect.poll(async () => (await deliveriesOf(hookId))[0]?.reason, polling).toBe(words.redirected(302))
  await dueNow(hookId)
  await expect.poll(async () => (await deliveriesOf(hookId))[0]?.state, polling).toBe('delivered')
  expect(new Set(receiver.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(receiver.asked.map(({ url: path }) => path))).toEqual(new Set(['/hook']))
  expect(await hookOf(hookId)).toMatchObject({ state: 'active', failures: 0, failing_since: null })
})

test('a webhook that answers 410 is off, its owner is told, and a test switches it on again', async () => {
  const user = await newUser(app)
  const { url } = await receiverOf((response, { body }) =>
    failing(body.includes('hook.test') ? 200 : 410)(response, {} as Asked),
  )
  const { hookId } = await newHook(app, user, url)
  await happens(app, user)
  start()
  await expect.poll(() => stateOf(hookId), polling).toBe('off')
  const notices = app.db.selectFrom('notice').select(['kind', 'reason']).where('user_id', '=', user.userId)
  expect(await notices.execute()).toEqual([{ kind: 'hookOff', reason: words.gone }])
  await happens(app, user)
  await testHook(ctxOf(app, user), hookId)
  await expect.poll(() => stateOf(hookId), polling).toBe('active')
})

test('five failures in a row rest a webhook: what is due waits without a try, one probe goes out, and its arrival ends the rest', async () => {
  const user = await newUser(app)
  let works = false
  const { receiver, url } = await receiverOf((response, asked) => failing(works ? 200 : 503)(response, asked))
  const { hookId } = await newHook(app, user, url)
  await happens(app, user, 9)
  start()
  await expect.poll(() => stateOf(hookId), polling).toBe('resting')
  const tries = async () => (await deliveriesOf(hookId)).reduce((sum, { tries: n }) => sum + n, 0)
  await expect.poll(async () => (await tries()) - receiver.asked.length, polling).toBe(0)
  await dueNow(hookId)
  works = true
  const [other, free] = [await newUser(app), await receiverOf()]
  await newHook(app, other, free.url)
  await happens(app, other)
  await expect.poll(() => free.receiver.asked.length, polling).toBe(1)
  expect(receiver.asked.length, 'none is tried a second time').toBeLessThanOrEqual(9)
  expect(await tries()).toBe(receiver.asked.length)
  await app.db.updateTable('hook').set({ rest_until: new Date() }).where('id', '=', hookId).execute()
  await expect.poll(() => stateOf(hookId), polling).toBe('active')
  await expect
    .poll(async () => new Set((await deliveriesOf(hookId)).map(({ state }) => state)), polling)
    .toEqual(new Set(['delivered']))
})

test('a receiver that never answers delays no other account’s', async () => {
  const [slow, other] = [await newUser(app), await newUser(app)]
  const stuck = await receiverOf(() => undefined)
  const { receiver, url } = await receiverOf()
  await newHook(app, slow, stuck.url)
  await newHook(app, other, url)
  await happens(app, slow, 100)
  await happens(app, other, 5)
  const begun = Date.now()
  start()
  await expect.poll(() => receiver.asked.length, polling).toBe(5)
  expect(Date.now() - begun).toBeLessThan(5000)
  await stuck.receiver.close()
})

test.each<{ why: string; stop: (user: Viewer, hookId: number) => Promise<unknown> }>([
  {
    why: 'its account is frozen',
    stop: ({ userId }) => app.db.transaction().execute((tx) => freezeByOwner(tx, userId, new Date())),
  },
  {
    why: 'its account has expired',
    stop: ({ userId }) =>
      app.db
        .updateTable('users')
        .set({ expires_at: new Date(0) })
        .where('id', '=', userId)
        .execute(),
  },
  {
    why: 'the database was restored',
    stop: (_, hookId) => app.db.updateTable('hook').set({ is_paused: true }).where('id', '=', hookId).execute(),
  },
])('nothing is sent while $why', async ({ stop }) => {
  const [user, other] = [await newUser(app), await newUser(app)]
  const { receiver, url } = await receiverOf()
  const { hookId } = await newHook(app, user, url)
  await happens(app, user)
  await stop(user, hookId)
  const free = await receiverOf()
  await newHook(app, other, free.url)
  await happens(app, other)
  start()
  await expect.poll(() => free.receiver.asked.length, polling).toBe(1)
  expect(receiver.asked).toEqual([])
  expect(await deliveriesOf(hookId)).toMatchObject([{ state: 'waiting', tries: 0 }])
})

test('what a dead process had taken is sent again, and an answer that comes after another address was entered changes nothing', async () => {
  const user = await newUser(app)
  const answers: ServerResponse[] = []
  const { receiver, url } = await receiverOf((response) => void answers.push(response))
  const { hookId } = await newHook(app, user, url)
  await happens(app, user)
  start()
  await expect.poll(() => answers.length, polling).toBe(1)
  await dueNow(hookId) // as when its time to be taken for lost has come
  await expect.poll(() => answers.length, polling).toBe(2)
  const second = await receiverOf(() => undefined)
  await changeHook(ctxOf(app, user), { hookId, url: second.url })
  for (const response of answers) response.end()
  await expect.poll(async () => (await deliveriesOf(hookId))[0]?.state, polling).toBe('delivered')
  expect(receiver.asked[0]?.headers['webhook-id']).toBe(receiver.asked[1]?.headers['webhook-id'])
  expect(await stateOf(hookId)).toBe('unverified')
  await second.receiver.close()
})
