import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let first: number, second: number
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  first = await gateway('First')
  second = await gateway('Second')
})
async function gateway(name: string): Promise<number> {
  const values = { name, driver: 'simulator', settings: { window: 5, tps: 10 } } as const
  return (await app.db.insertInto('sms_gateway').values(values).returning('id').executeTakeFirstOrThrow()).id
}
const post = async (path: string, payload: object) =>
  http.inject({ method: 'POST', url: `/app/sms/${path}`, headers: await signedIn(app, boss), payload })
const routes = async () =>
  (await http.inject({ url: '/app/sms/routes?sort=routeId&order=asc', headers: await signedIn(app, boss) })).json<
    Record<string, unknown>[]
  >()

test('a route has its gateways in their order, with what is seen of each; it is changed as a whole and deleted', async () => {
  const steps = [
    { gatewayId: second, priority: 2 },
    { gatewayId: first, priority: 1, weight: 3 },
  ]
  const made = await post('route', { operators: ['smart', 'ntc'], cliName: 'HimalBank', steps })
  const { routeId } = made.json<{ routeId: number }>()
  await app.db.insertInto('sms_gateway_state').values({ gateway_id: first, bound: true }).execute()
  expect(await routes()).toEqual([
    {
      routeId,
      operators: ['ntc', 'smart'],
      cliName: 'HimalBank',
      steps: [
        { gatewayId: first, gatewayName: 'First', priority: 1, weight: 3, enabled: true, works: true },
        { gatewayId: second, gatewayName: 'Second', priority: 2, weight: 1, enabled: true, works: null },
      ],
    },
  ])
  const change = { routeId, operators: '["other"]', steps: JSON.stringify([{ gatewayId: second }]) }
  expect((await post('route/update', change)).statusCode).toBe(200)
  expect(await routes()).toMatchObject([{ operators: ['other'], cliName: null, steps: [{ gatewayId: second }] }])
  const remove = async () =>
    (await http.inject({ method: 'DELETE', url: `/app/sms/route/${routeId}`, headers: await signedIn(app, boss) }))
      .statusCode
  expect([await remove(), await remove(), await routes()]).toEqual([200, 404, []])
})

test('no operator’s messages of a sender ID have two ways, also when two routes are made at once', async () => {
  const way = { operators: ['ntc', 'ncell'], steps: [{ gatewayId: first }] }
  const both = await Promise.all([post('route', way), post('route', { ...way, operators: ['ncell', 'smart'] })])
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(both.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
    errors: [{ field: 'operators', text: 'have a route already: Ncell' }],
  })
  expect((await post('route', { ...way, cliName: 'Himal' })).statusCode).toBe(200)
  expect((await post('route', { ...way, cliName: 'HIMAL', operators: ['ntc'] })).json()).toMatchObject({
    errors: [{ text: 'have a route of this sender ID already: Nepal Telecom' }],
  })
})

test.each([
  ['no operators', { operators: [] }, 'operators', 'is required'],
  ['an operator that is none', { operators: ['utl'] }, 'operators.0', 'must be one of ntc, ncell, smart, other'],
  ['no gateways', { steps: [] }, 'steps', 'must have at least one'],
  ['a gateway twice', { steps: [{ gatewayId: 1 }, { gatewayId: 1 }] }, 'steps', 'names one of them twice'],
  [
    'a gateway that is not there',
    { steps: [{ gatewayId: 1 }, { gatewayId: 99_999 }] },
    'steps.1.gatewayId',
    'is not a gateway',
  ],
  ['no weight', { steps: [{ gatewayId: 1, weight: 0 }] }, 'steps.0.weight', 'must be a whole number from 1 to 100'],
])('a route with %s is refused, naming the field', async (_, said, field, text) => {
  const reply = await post('route', { operators: ['smart'], cliName: 'Other', steps: [{ gatewayId: first }], ...said })
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { errors: [{ field, text }] }])
})
