import type { Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { policy, type Viewer } from '../policy.ts'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newSuperAdmin, newUser } from '../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let viewers: Viewer[]
beforeAll(async () => {
  http = await testHttp(app)
  viewers = [await newUser(app), await newSuperAdmin(app)]
})

const lines = Object.entries(routes).flatMap(([area, ofArea]) =>
  Object.entries(ofArea)
    .filter(([, route]: [string, Route]) => route.kind !== 'events')
    .map(([name, route]: [string, Route]) => ({ key: `${area}.${name}` as RouteKey, route })),
)
const listFields = ['page', 'pageSize', 'after', 'sort', 'order', 'search']
const garbage: unknown[] = [
  '\u0000',
  'NaN',
  '-1',
  '99999999999',
  'x'.repeat(10_001),
  '[{"a":1}]',
  '\ud800',
  true,
  1e300,
  0.5,
  [],
  [[]],
  [{ agentNumber: {}, agentDtmf: [1] }],
  {},
  { a: { b: 1 } },
]

function fieldsOf({ input, kind }: Route): string[] {
  const { properties } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return [...Object.keys(properties ?? {}), ...(kind === 'list' ? listFields : [])]
}

type Fields = Record<string, unknown>
const written = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))

function send(route: Route, fields: Fields, headers: Record<string, string>) {
  const said = { ...fields }
  let url = route.path
  for (const [, name = ''] of route.path.matchAll(/:(\w+)/g)) {
    url = url.replace(`:${name}`, encodeURIComponent(written(said[name])).slice(0, 200))
    delete said[name]
  }
  if (route.method === 'POST') return http.inject({ method: 'POST', url, headers, payload: said })
  const query = Object.fromEntries(Object.entries(said).map(([name, value]) => [name, written(value)]))
  return http.inject({ method: route.method, url, headers, query })
}

const frameworkWords = /expected|Invalid|must match pattern|NaN|received|undefined|\[object/

test.each(lines)(
  '$key answers garbage in every field with words, never with a failure of its own',
  async ({ key, route }) => {
    const fields = fieldsOf(route)
    for (const viewer of viewers)
      for (const bad of garbage) {
        const good = Object.fromEntries(fields.map((name) => [name, '1']))
        const all = Object.fromEntries(fields.map((name) => [name, bad]))
        const rest = route.method === 'POST' ? good : inPath(good, route)
        const alone = fields.map((name) => ({ ...rest, [name]: bad }))
        for (const said of [all, ...alone]) {
          const reply = await send(route, said, headers)
          const what = `${route.method} ${route.path} ${JSON.stringify(said).slice(0, 300)}: ${reply.body.slice(0, 300)}`
          expect(reply.statusCode, what).toBeLessThan(500)
          if (reply.statusCode < 400) continue
          const { message, errors } = reply.json<{ message: string; errors?: { field: string; text: string }[] }>()
          expect(message, what).toMatch(/./)
          for (const { text } of errors ?? []) expect(text.replaceAll(/'[^']*'/g, ''), what).not.toMatch(frameworkWords)
        }
      }
  },
)

function inPath(good: Fields, route: Route): Fields {
  return Object.fromEntries(Object.entries(good).filter(([name]) => route.path.includes(`:${name}`)))
}

test.each(lines)('$key says of what is missing that it is required', async ({ route }) => {
  const { required = [] } = z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' })
  const wanted = required.filter((name) => !route.path.includes(`:${name}`))
  if (wanted.length === 0 || route.path === routes.auth.login.path) return
  for (const viewer of viewers) {
    const headers = await signedIn(app, viewer)
    const paths = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '1']))
    const reply = await send(route, paths, headers)
    if (reply.statusCode === 403) continue
    const { errors } = reply.json<{ errors: { field: string; text: string }[] }>()
    expect(Object.fromEntries(errors.map(({ field, text }) => [field, text]))).toMatchObject(
      Object.fromEntries(wanted.map((name) => [name, 'is required'])),
    )
  }
})
