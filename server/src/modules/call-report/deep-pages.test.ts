import type { CallRow } from '@ghanti/contract/call-report.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { scopeOf, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { ofEachFirst, type Source } from './store-source.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
let busy: Viewer
/** More than a list pages through. */
const calls = 12_000
/** The oldest call is the only answered one; a key was pressed only in one recent call. */
const [oldest, pressed] = [1, calls - 3]

beforeAll(async () => {
  http = await testHttp(app)
  reseller = await newReseller(app)
  busy = await newUser(app, { parent: reseller })
  const owners = [busy, await newUser(app, { parent: reseller }), await newUser(app, { parent: reseller })]
  const campaigns: number[] = []
  for (const owner of owners) campaigns.push(await newCampaign(app, owner))
  // The busy account has eight of every ten calls and all of the newest thousand; the second stopped long ago.
  await sql`
    insert into attempt (id, started_at, ended_at, claimed_at, answered_at, bill_ms, keys, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, attempt_no, disposition,
      account_id, trunk_id, cli_id, operator, kind)
    select n, at, at, at, case when n = ${oldest} then at end, case when n = ${oldest} then 1000 end, case when n = ${pressed} then '7' end,
           9779800000000 + n, 1, 0, 0, c.id, n, 0, 1, (case when n = ${oldest} then 'ANSWER' else 'BUSY' end)::disposition, c.account_id, c.trunk_id, c.cli_id, 1, 'campaign'
      from generate_series(1, ${calls}::int) n cross join lateral (select now() - (${calls} - n) * interval '1 second' as at) t
      join campaign c on c.id = (${campaigns}::int[])[case when n % 10 < 8 or n > ${calls - 1000} then 1 when n < 3000 then 2 else 3 end]`.execute(
    app.db,
  )
})

async function ask(viewer: Viewer, query: string) {
  const url = `/api/obd/campaign/report/${viewer.userId}?${query}`
  const reply = await http.inject({ url, headers: await signedIn(app, viewer) })
  expect(reply.statusCode, reply.body).toBe(200)
  return { ids: reply.json<CallRow[]>().map(({ attemptId }) => attemptId), headers: reply.headers }
}
const range = (from: number, to: number) => Array.from({ length: from - to }, (_, n) => from - n)

test('every page of a reseller has the calls of all customers in their order, from either end', async () => {
  for (const page of [1, 2, 40, 100, 400]) {
    const from = (page - 1) * 25
    expect((await ask(reseller, `pageSize=25&page=${page}`)).ids).toEqual(range(calls - from, calls - from - 25))
    expect((await ask(reseller, `pageSize=25&page=${page}&order=asc`)).ids).toEqual(range(from + 25, from).toReversed())
  }
  const { headers } = await ask(reseller, 'pageSize=1')
  expect([headers['x-total-count'], headers['x-total-exact']]).toEqual(['10000', 'false'])
})

test('a search without an index looks at the first 10,000 calls; the reply says how far, and its cursor goes on', async () => {
  const first = await ask(reseller, 'pageSize=25&disposition=ANSWER')
  expect(first.ids).toEqual([])
  expect(first.headers['x-searched-to']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(first.headers['x-total-exact']).toBe('false')
  const next = await ask(reseller, `pageSize=25&disposition=ANSWER&after=${String(first.headers['x-next-after'])}`)
  expect(next.ids).toEqual([oldest])
  expect([next.headers['x-searched-to'], next.headers['x-next-after']]).toEqual([undefined, undefined])
  const own = await ask(busy, 'pageSize=25&disposition=ANSWER')
  expect([own.ids, own.headers['x-searched-to']], 'all of fewer calls are looked at').toEqual([[oldest], undefined])
  const late = await ask(reseller, 'pageSize=25&key=7')
  expect(late.ids).toEqual([pressed])
  expect(late.headers['x-searched-to'], 'older ones were not looked at').toBeDefined()
  expect((await ask(reseller, 'pageSize=25&order=asc&disposition=ANSWER')).ids).toEqual([oldest])
})

test('the CSV looks through all calls', async () => {
  const url = `/api/obd/campaign/report/${reseller.userId}/report.csv`
  const headers = await signedIn(app, reseller)
  const found = await http.inject({ url: `${url}?disposition=ANSWER`, headers })
  expect(found.body.trim().split('\r\n')).toHaveLength(2)
  const all = (await http.inject({ url, headers })).body.trim().split('\r\n').slice(1)
  expect(all.map((line) => Number(line.split(',')[0]))).toEqual(range(calls, 0))
})

test('with few customers, more calls of each are read first, to find how far the wanted ones reach', async () => {
  const ofThree: Source = { kind: 'accounts', scope: scopeOf(reseller) }
  expect(await ofEachFirst(app.db, ofThree, 10_001)).toBe(6668)
  expect(await ofEachFirst(app.db, ofThree, 30)).toBe(25)
  expect(await ofEachFirst(app.db, ofThree, 10)).toBe(10)
  expect(await ofEachFirst(app.db, { kind: 'accounts', scope: scopeOf(busy) }, 10_001)).toBe(10_001)
})
