import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { severalMax } from '@ghanti/contract/several.ts'
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { newPrompt } from '../testing/campaigns.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { send } from '../testing/requests.ts'
import { newSuperAdmin, newUser } from '../testing/seed.ts'
import { blacklisted, noId } from '../testing/things.ts'

const app = await testApp()
const http = await testHttp(app)
const boss = await newSuperAdmin(app)
const user = await newUser(app)

test('each of several is judged by itself: what is refused says why and keeps none of the others from being done', async () => {
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

test.each([
  { why: 'none', blacklistIds: [], text: 'must have at least one' },
  { why: 'more than may be at once', blacklistIds: Array(severalMax + 1).fill(1), text: 'has more than 100 numbers' },
  { why: 'one of them twice', blacklistIds: [1, 2, 1], text: 'names one of them twice' },
  { why: 'no list', blacklistIds: 1, text: 'must be a list of numbers' },
])('a request that names $why is refused', async ({ blacklistIds, text }) => {
  const reply = await send(http, blacklistRoutes.deleteMany, { blacklistIds }, await signedIn(app, user))
  expect(reply.statusCode).toBe(400)
  expect(reply.json<{ errors: unknown[] }>().errors).toMatchObject([{ field: 'blacklistIds', text }])
})
