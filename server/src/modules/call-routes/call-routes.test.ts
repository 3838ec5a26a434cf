import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { callRouteWords } from './rules.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newSuperAdmin } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let line: Awaited<ReturnType<typeof newLine>>
let second: number
let elsewhere: number
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  line = await newLine(app)
  second = (await newLine(app, { dialerId: line.dialerId })).trunkId
  elsewhere = (await newLine(app)).trunkId
  const lease = { dialer_id: line.dialerId, engine_id: 'test', epoch: 1, expires_at: new Date(Date.now() + 3_600_000) }
  await app.db.insertInto('dialer_lease').values(lease).execute()
})
const post = async (path: string, payload: object) =>
  http.inject({ method: 'POST', url: `/api/obd/${path}`, headers: await signedIn(app, boss), payload })
const remove = async (path: string) =>
  http.inject({ method: 'DELETE', url: `/api/obd/${path}`, headers: await signedIn(app, boss) })
const routes = async () =>
  (await http.inject({ url: '/api/obd/routes?sort=routeId&order=asc', headers: await signedIn(app, boss) })).json<
    Record<string, unknown>[]
  >()
const errorsOf = (reply: { json: <T>() => T }) => reply.json<{ errors: { field: string; text: string }[] }>().errors
const newRoute = async (routeName: string, steps: object[] = [{ trunkId: line.trunkId }, { trunkId: second }]) =>
  (await post('route', { routeName, steps })).json<{ routeId: number }>().routeId

test('a route has its trunks in their order, with what is seen of each; it is changed as a whole and deleted', async () => {
  const steps = [
    { trunkId: second, priority: 2 },
    { trunkId: line.trunkId, priority: 1, weight: 3, costPaisa: 120 },
  ]
  const made = await post('route', { routeName: 'Kathmandu', steps })
  expect(made.statusCode).toBe(200)
  const { routeId } = made.json<{ routeId: number }>()
  await app.db
    .insertInto('trunk_state')
    .values({ trunk_id: line.trunkId, reachable: true, calls: 0, channels: 0, begun: 0 })
    .execute()
  await app.db
    .insertInto('trunk_health')
    .values({ trunk_id: second, held_since: new Date(), hold_reason: 'SIP 503', next_probe_at: new Date() })
    .execute()
  await app.db
    .insertInto('trunk_state')
    .values({ trunk_id: second, reachable: true, calls: 0, channels: 0, begun: 0 })
    .execute()
  expect(await routes()).toMatchObject([
    {
      routeId,
      routeName: 'Kathmandu',
      cliCount: 0,
      steps: [
        { trunkId: line.trunkId, priority: 1, weight: 3, costPaisa: 120, works: true },
        { trunkId: second, priority: 2, weight: 1, costPaisa: 0, works: false },
      ],
    },
  ])
  const change = { routeId, routeName: 'Valley', steps: JSON.stringify([{ trunkId: second, weight: 7 }]) }
  expect((await post('route/update', change)).statusCode).toBe(200)
  expect(await routes()).toMatchObject([
    { routeName: 'Valley', steps: [{ trunkId: second, priority: 1, weight: 7, costPaisa: 0 }] },
  ])
  const replies = [await remove(`route/${routeId}`), await remove(`route/${routeId}`)]
  expect([replies.map(({ statusCode }) => statusCode), await routes()]).toEqual([[200, 404], []])
})

test.each<{ why: string; steps: () => object[]; field: string; says: RegExp }>([
  { why: 'no trunk', steps: () => [], field: 'steps', says: /must have at least one/ },
  { why: 'weight zero', steps: () => [{ trunkId: second, weight: 0 }], field: 'steps.0.weight', says: /from 1 to 100/ },
  {
    why: 'a cost below zero',
    steps: () => [{ trunkId: second, costPaisa: -1 }],
    field: 'steps.0.costPaisa',
    says: /from 0 to 10000/,
  },
  {
    why: 'an operator twice at one trunk',
    steps: () => [{ trunkId: second, operators: ['ntc', 'ntc'] }, { trunkId: line.trunkId }],
    field: 'steps.0.operators',
    says: /names one of them twice/,
  },
  {
    why: 'an operator that there is none of',
    steps: () => [{ trunkId: second, operators: ['vodafone'] }, { trunkId: line.trunkId }],
    field: 'steps.0.operators.0',
    says: /must be one of ntc, ncell, smart, other/,
  },
  {
    why: 'no trunk for some operators',
    steps: () => [
      { trunkId: second, operators: ['ntc'] },
      { trunkId: line.trunkId, operators: ['ncell'] },
    ],
    field: 'steps',
    says: /leave no trunk to the numbers of Smart Telecom, other operators: name them at a trunk, or add one for all operators/,
  },
  {
    why: 'one trunk twice',
    steps: () => [{ trunkId: second }, { trunkId: second, priority: 2 }],
    field: 'steps',
    says: /names one of them twice/,
  },
  {
    why: 'a trunk that does not exist',
    steps: () => [{ trunkId: 99_999 }],
    field: 'steps.0.trunkId',
    says: /is not a trunk/,
  },
])('a route with $why is refused in words, and none is made', async ({ steps, field, says }) => {
  const before = await routes()
  const refused = await post('route', { routeName: 'Wrong', steps: steps() })
  expect(refused.statusCode).toBeGreaterThanOrEqual(400)
  expect(errorsOf(refused)).toContainEqual(expect.objectContaining({ field, text: expect.stringMatching(says) }))
  expect(await routes()).toEqual(before)
})

test('trunks of a route may belong to several dialers, each of which is named', async () => {
  const routeId = await newRoute('Both', [{ trunkId: second }, { trunkId: elsewhere, priority: 2 }])
  const names = await app.db
    .selectFrom('trunk')
    .innerJoin('dialer', 'dialer.id', 'trunk.dialer_id')
    .select('dialer.name')
    .where('trunk.id', 'in', [second, elsewhere])
    .orderBy('trunk.id')
    .execute()
  const [one, other] = names.map(({ name }) => name)
  expect(await routes()).toMatchObject([
    { dialerName: [one, other].toSorted().join(', '), steps: [{ dialerName: one }, { dialerName: other }] },
  ])
  const csv = await http.inject({ url: '/api/obd/routes?format=csv', headers: await signedIn(app, boss) })
  expect(csv.body).toContain(`(${String(other)}), weight 1`)
  const { cliId } = line
  const refused = await post('cli/route', { cliId, routeId })
  expect(errorsOf(refused)[0]?.text).toMatch(/does not have trunk/)
  await remove(`route/${routeId}`)
})

test('trunks that name operators may belong to several dialers', async () => {
  const steps = [{ trunkId: second, operators: ['ntc'] }, { trunkId: line.trunkId }, { trunkId: elsewhere }]
  const routeId = await newRoute('By operator on two', steps)
  expect(routeId).toBeGreaterThan(0)
  await remove(`route/${routeId}`)
})

test('what is wrong with the operators of a route is said in Nepali, too', () => {
  expect(nepaliOf(callRouteWords.uncovered(['ncell', 'other']))).not.toMatch(/[A-Za-z]/)
})

test('a trunk of a route is for the operators that it names, and for all when it names none', async () => {
  const steps = [
    { trunkId: second, operators: ['smart', 'ncell'] },
    { trunkId: line.trunkId, operators: [] },
  ]
  const routeId = await newRoute('By operator', steps)
  const stored = async () =>
    (await routes()).map(({ steps: of }) =>
      (of as { trunkId: number; operators: string[] }[]).map((step) => [step.trunkId, step.operators]),
    )
  expect(await stored()).toEqual([
    [
      [line.trunkId, []],
      [second, ['ncell', 'smart']],
    ],
  ])
  await post('route/update', {
    routeId,
    routeName: 'By operator',
    steps: [{ trunkId: second, operators: ['ntc'] }, { trunkId: line.trunkId }],
  })
  expect(await stored()).toEqual([
    [
      [line.trunkId, []],
      [second, ['ntc']],
    ],
  ])
  const { rows } = await sql<{
    detail: { trunks: string[] }
  }>`select detail from audit_log where action = 'callRoute.update' order by id desc limit 1`.execute(app.db)
  expect(rows[0]?.detail.trunks).toContain(`${second} (1, 1, 0 paisa, ntc)`)
  await remove(`route/${routeId}`)
})

test('a name is taken once, whatever its letters’ case', async () => {
  const routeId = await newRoute('Taken')
  const again = await post('route', { routeName: 'TAKEN', steps: [{ trunkId: second }] })
  expect([again.statusCode, errorsOf(again)[0]?.field]).toEqual([409, 'routeName'])
  await remove(`route/${routeId}`)
})

test('a caller ID gets a route that has its trunk; while it has it, neither trunk nor route can be taken away under it', async () => {
  const { cliId, trunkId, cli } = line
  const other = await newRoute('Without its trunk', [{ trunkId: second }])
  const refused = await post('cli/route', { cliId, routeId: other })
  expect([refused.statusCode, errorsOf(refused)[0]?.field]).toEqual([409, 'routeId'])
  const routeId = await newRoute('With its trunk')
  expect((await post('cli/route', { cliId, routeId })).statusCode).toBe(200)
  const clis = (await http.inject({ url: `/api/obd/cli/all?search=${cli}`, headers: await signedIn(app, boss) })).json<
    object[]
  >()
  expect(clis).toMatchObject([{ routeId, routeName: 'With its trunk' }])
  const cannot = [
    await post('route/update', { routeId, routeName: 'With its trunk', steps: [{ trunkId: second }] }),
    await remove(`route/${routeId}`),
    await remove(`trunk/${second}`),
    await post('cli/update', { cliId, channels: 30 }),
  ]
  expect(cannot.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409, 409])
  expect(errorsOf(cannot[2] ?? refused)[0]?.text).toContain('With its trunk')
  expect((await post('cli/route', { cliId })).statusCode).toBe(200)
  const { route_id } = await app.db
    .selectFrom('cli')
    .select('route_id')
    .where('id', '=', cliId)
    .executeTakeFirstOrThrow()
  expect([route_id, (await remove(`route/${routeId}`)).statusCode]).toEqual([null, 200])
  await remove(`route/${other}`)
  expect(trunkId).not.toBe(second)
})
