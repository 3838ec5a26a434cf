import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { bulkMax } from '@ghanti/contract/bulk.ts'
import { alertRoutes } from '@ghanti/contract/alerts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { noticeRoutes } from '@ghanti/contract/notices.ts'
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { send } from '../../testing/requests.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import { alert, blacklisted, noId, notice } from '../../testing/routes/route-fixtures.ts'
import { heldCli } from '../../testing/routes/route-fixtures-lines.ts'
import { eachOf } from './bulk.ts'

const app = await testApp()
const http = await testHttp(app)
const boss = await newSuperAdmin(app)
const user = await newUser(app)

test('each of several is decided separately: a refused one says why and does not stop the others', async () => {
  const [one, decided, other] = [
    await newPrompt(app, user, { name: 'One', status: 'pending' }),
    await newPrompt(app, user, { name: 'Decided', status: 'approved' }),
    await newPrompt(app, user, { name: 'Other', status: 'pending' }),
  ]
  const said = { promptIds: [one, decided, noId, other], reason: 'Too quiet' }
  const reply = await send(http, promptRoutes.rejectMany, said, await signedIn(app, boss))
  expect(reply.statusCode).toBe(200)
  const { results } = reply.json<{ results: { status: number; errors: { text: string }[] }[] }>()
  expect(results.map(({ status, errors }) => [status, ...errors.map(({ text }) => text)])).toEqual([
    [200],
    [409, 'is already Approved'],
    [404],
    [200],
  ])
  const rejected = await app.db
    .selectFrom('prompt')
    .select(['id', 'reject_reason'])
    .where('status', '=', 'rejected')
    .orderBy('id')
    .execute()
  expect(rejected).toEqual([one, other].map((id) => ({ id, reject_reason: 'Too quiet' })))
  const lines = await app.db.selectFrom('audit_log').select('target').where('action', '=', 'prompt.reject').execute()
  expect(lines.map(({ target }) => target).sort()).toEqual([`prompt ${one}`, `prompt ${other}`])
})

test('somebody else’s numbers stay on their list, and one’s own go', async () => {
  const other = await newUser(app)
  const [own, theirs] = [await blacklisted.make(app, user, user), await blacklisted.make(app, other, user)]
  const said = { blacklistIds: [theirs, own] }
  const reply = await send(http, blacklistRoutes.deleteMany, said, await signedIn(app, user))
  expect(reply.json<{ results: { status: number }[] }>().results.map(({ status }) => status)).toEqual([404, 200])
  const left = await app.db.selectFrom('blacklist').select('id').execute()
  expect(left).toEqual([{ id: theirs }])
})

test('where none was done the request fails as the first was refused, and says the first reasons once each', async () => {
  const approved = await newPrompt(app, user, { name: 'Once', status: 'approved' })
  const again = await newPrompt(app, user, { name: 'Again', status: 'approved' })
  const rejected = await newPrompt(app, user, { name: 'Twice', status: 'rejected' })
  const reject = async (promptIds: number[]) =>
    send(http, promptRoutes.rejectMany, { promptIds, reason: 'Too quiet' }, await signedIn(app, boss))
  const reply = await reject([approved, again, rejected, noId])
  expect(reply.statusCode).toBe(409)
  const { errors } = reply.json<{ errors: { text: string }[] }>()
  expect(errors.map(({ text }) => text)).toEqual(['is already Approved', 'is already Rejected'])
  expect((await reject([noId])).statusCode).toBe(404)
})

test('closing the connection stops it between two of them: begun ones are done, the others are not', async () => {
  const done: number[] = []
  const act = async (id: number) => done.push(id)
  const ctx = { app, viewer: user, origin: { ip: '127.0.0.1', host: 'localhost', userAgent: 'test' } }
  const answer = await eachOf({ ...ctx, isGone: () => done.length === 2 }, [1, 2, 3, 4], act)
  expect(done).toEqual([1, 2])
  expect(answer.message).toBe('2 of 4 done')
  expect(answer.results.map(({ status }) => status)).toEqual([200, 200, 503, 503])
  await expect(eachOf({ ...ctx, isGone: () => true }, [1], act)).rejects.toMatchObject({ code: 'not_ready' })
})

test('a connection that is closed in the midst of a request is noticed', async () => {
  const seen: boolean[] = []
  const own = await testHttp(app, {
    handlers: {
      blacklist: {
        async deleteMany({ isGone }) {
          seen.push(isGone?.() ?? true)
          leaving.abort()
          await vi.waitFor(() => expect(isGone?.()).toBe(true))
          seen.push(true)
          return { message: 'Success', results: [] }
        },
      },
    },
  })
  const address = await own.listen({ port: 0, host: '127.0.0.1' })
  const leaving = new AbortController()
  const { method, path } = blacklistRoutes.deleteMany
  const headers = { 'content-type': 'application/json', ...(await signedIn(app, user)) }
  const body = JSON.stringify({ blacklistIds: [1] })
  await expect(fetch(address + path, { method, headers, body, signal: leaving.signal })).rejects.toThrow()
  await vi.waitFor(() => expect(seen).toEqual([false, true]))
})

test.each([
  { why: 'none', blacklistIds: [], text: 'must have at least one' },
  { why: 'more than may be at once', blacklistIds: Array(bulkMax + 1).fill(1), text: 'has more than 100 numbers' },
  { why: 'one of them twice', blacklistIds: [1, 2, 1], text: 'names one of them twice' },
  { why: 'no list', blacklistIds: 1, text: 'must be a list of numbers' },
])('a request that names $why is refused', async ({ blacklistIds, text }) => {
  const reply = await send(http, blacklistRoutes.deleteMany, { blacklistIds }, await signedIn(app, user))
  expect(reply.statusCode).toBe(400)
  expect(reply.json<{ errors: unknown[] }>().errors).toMatchObject([{ field: 'blacklistIds', text }])
})

test('several CLIs go at once, each with a line of its own; one that is not there keeps none of them', async () => {
  const ids = await Promise.all(['a', 'b'].map(() => heldCli.make(app, user, boss)))
  const said = { cliIds: [ids[0], noId, ids[1]] }
  const reply = await send(http, lineRoutes.deleteMany, said, await signedIn(app, boss))
  expect(reply.json<{ results: { status: number }[] }>().results.map(({ status }) => status)).toEqual([200, 404, 200])
  const lines = await app.db.selectFrom('audit_log').select('target').where('action', '=', 'cli.delete').execute()
  expect(lines.map(({ target }) => target).sort()).toEqual(ids.map((id) => `cli ${String(id)}`).sort())
})

test('one of several alerts that was cleared before says so and keeps none of the others open', async () => {
  const ids = [await alert.make(app, boss, boss), await alert.make(app, boss, boss)]
  const clear = async (alertIds: unknown[]) =>
    (await send(http, alertRoutes.clearMany, { alertIds }, await signedIn(app, boss))).json<{
      results: { status: number }[]
    }>().results
  expect((await clear([ids[0]])).map(({ status }) => status)).toEqual([200])
  expect((await clear(ids)).map(({ status }) => status)).toEqual([409, 200])
  const lines = await app.db.selectFrom('audit_log').select('target').where('action', '=', 'admin.clearAlert').execute()
  expect(lines.map(({ target }) => target).sort()).toEqual(ids.map((id) => `alert ${String(id)}`).sort())
})

test('somebody else’s notices stay unread, and one’s own are read', async () => {
  const other = await newUser(app)
  const [own, theirs] = [await notice.make(app, user, user), await notice.make(app, other, user)]
  const reply = await send(http, noticeRoutes.readMany, { noticeIds: [theirs, own] }, await signedIn(app, user))
  expect(reply.json<{ results: { status: number }[] }>().results.map(({ status }) => status)).toEqual([404, 200])
  const ids = [Number(own), Number(theirs)]
  const unread = await app.db
    .selectFrom('notice')
    .select('id')
    .where('id', 'in', ids)
    .where('read_at', 'is', null)
    .execute()
  expect(unread).toEqual([{ id: theirs }])
})
