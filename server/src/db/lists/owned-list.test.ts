import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let owners: Viewer[]
let agency: Viewer
let stranger: Viewer
const perOwner = 3400

beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  agency = await newReseller(app)
  owners = []
  for (const username of ['asha', 'bina', 'Chandra']) owners.push(await newUser(app, { username, parent: agency }))
  stranger = await newUser(app, { username: 'Ashok' })
  const ids = owners.map(({ userId }) => userId)
  const everybody = [...ids, stranger.userId]
  // The files of the owners in turns, so that neither ids nor names are in the order of usernames.
  await sql`
    insert into prompt (owner_id, name, category, status, account_type, wav_hash, original_hash, duration_ms)
    select (${ids}::int[])[1 + n % 3], 'Greeting ' || n, 'welcome', (case when n % 1000 = 0 then 'pending' else 'approved' end)::prompt_status, 'promotional', '', '', 1
      from generate_series(1, ${3 * perOwner}::int) n`.execute(app.db)
  await sql`
    insert into prompt (owner_id, name, category, status, account_type, wav_hash, original_hash, duration_ms)
    values (${stranger.userId}, 'Greeting', 'welcome', 'pending', 'promotional', '', '', 1)`.execute(app.db)
  await sql`
    insert into sms_text (account_id, name, text) select unnest(${everybody}::int[]), 'Offer', 'Buy now'`.execute(
    app.db,
  )
  await sql`insert into sms_sender (account_id, name) select unnest(${everybody}::int[]), 'SHOP'`.execute(app.db)
})

async function list(url: string, viewer = boss) {
  const reply = await http.inject({ url, headers: await signedIn(app, viewer) })
  expect(reply.statusCode).toBe(200)
  const rows = reply.json<{ promptId: number; username: string }[]>()
  const { 'x-total-count': total, 'x-next-after': next } = reply.headers
  return { rows, usernames: rows.map(({ username }) => username), total, next }
}

test.each(['', '&search=greeting', '&promptStatus=1'])(
  'more files than are counted are in the order of their owners, to the last by cursor%s',
  async (filter) => {
    const url = `/api/obd/prompts/list?sort=username&order=desc&pageSize=1000${filter}`
    const first = await list(`${url}&page=1`)
    expect(new Set(first.usernames)).toEqual(new Set(['Chandra']))
    const seen = [...first.rows]
    for (let next = first.next; next;) {
      const page = await list(`${url}&after=${String(next)}`)
      seen.push(...page.rows)
      next = page.next
    }
    expect(new Set(seen.map(({ promptId }) => promptId)).size).toBe(seen.length)
    const pending = filter === '&promptStatus=1' ? Math.floor((3 * perOwner) / 1000) + 1 : 0
    expect(seen.length).toBe(3 * perOwner + 1 - pending)
    const names = seen.map(({ username }) => username.toLowerCase())
    expect(names).toEqual(names.toSorted().toReversed())
  },
)

test('a few files are counted and in the order of their owners, as are all that an owner’s name finds', async () => {
  const pending = await list('/api/obd/prompts/list?sort=username&promptStatus=0&page=1&pageSize=4')
  expect(pending.total).toBe(String(Math.floor((3 * perOwner) / 1000) + 1))
  expect(pending.usernames).toEqual(['asha', 'asha', 'asha', 'Ashok'])
  const named = await list('/api/obd/prompts/list?sort=username&search=BIN&page=1&pageSize=5')
  expect([named.total, new Set(named.usernames)]).toEqual([String(perOwner), new Set(['bina'])])
  expect((await list('/api/obd/prompts/list?sort=username&search=nobody&page=1&pageSize=5')).rows).toEqual([])
})

const byName = ['asha', 'Ashok', 'bina', 'Chandra']

test.each(['/app/sms/texts/list', '/app/sms/cli/list'])('%s is searched and sorted by usernames', async (url) => {
  expect((await list(`${url}?sort=username&order=desc`)).usernames).toEqual(byName.toReversed())
  expect((await list(`${url}?search=chandra`)).usernames).toEqual(['Chandra'])
  expect((await list(`${url}?sort=username&search=ASH`)).usernames).toEqual(['asha', 'Ashok'])
  expect((await list(`${url}?search=nobody`)).rows).toEqual([])
})

const orders = ['', '&sort=username', '&sort=username&order=desc']
const searches = ['', '&search=ash', '&search=sho', '&search=greeting', '&search=offer']
const questions = orders.flatMap((order) => searches.map((search) => `?pageSize=1000&page=1${order}${search}`))

test.each(['reseller', 'user'])('a %s finds what is theirs or their customers’, however they ask', async (role) => {
  const viewer = role === 'user' ? owners[0] : agency
  const sees = role === 'user' ? ['asha'] : ['asha', 'bina', 'Chandra']
  const seen = new Set<string>()
  for (const question of questions)
    for (const path of ['/app/sms/texts', '/app/sms/cli', '/api/obd/prompts']) {
      const ofWhom = path === '/api/obd/prompts' && role === 'reseller' ? 'customers' : viewer?.userId
      const { usernames, total } = await list(`${path}/${ofWhom}${question}`, viewer)
      expect(usernames.filter((username) => !sees.includes(username))).toEqual([])
      // a total with other accounts' files would reveal that they exist
      if (path !== '/api/obd/prompts') expect(total).toBe(String(usernames.length))
      else if (question.endsWith('=ash')) expect(total).toBe(String(perOwner))
      for (const username of usernames) seen.add(`${path} ${username}`)
    }
  expect(seen.size).toBe(3 * sees.length)
})
