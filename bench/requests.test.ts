// @module-tag exhaustive
/**
 * What a request costs of the server's CPU, route by route: an ordinary one beside those of somebody who wants it to be dear. `npm run bench:requests`
 * measures and prints; `npm test` asks every tenth route once and checks that the answers are words.
 *
 * The bar: none costs more than five times the dearest ordinary request of the same run.
 */
import { policy, type Viewer } from '@ghanti/server/policy.ts'
import { testApp } from '@ghanti/server/testing/app.ts'
import { signedIn, testHttp } from '@ghanti/server/testing/http.ts'
import { listedRoutes, namesInPath, send, type Fields, type ListedRoute } from '@ghanti/server/testing/requests.ts'
import { plainFieldsOf, rows } from '@ghanti/server/testing/routes/route-rows.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '@ghanti/server/testing/seed.ts'
import { beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 600_000 })
const isFull = process.env['REQUESTS'] === 'full'
/** Of each request, the cheapest: what else the process does meanwhile only adds. */
const repeats = isFull ? 5 : 1
const timesOrdinaryMax = 5

const bytes = 1_000_000
const fill = (part: string): string => part.repeat(Math.floor(bytes / part.length))
/** Bodies as large as a route takes; `field` is one that it has. */
const hostileBodies: Record<string, (field: string) => string> = {
  'unknown fields': () => `{${Array.from({ length: 90_000 }, (_, n) => `"${n}":1`).join(',')}}`,
  'as many unknown fields as are read': () =>
    `{${Array.from({ length: 250 }, (_, n) => `"${'k'.repeat(3900)}${n}":1`).join(',')}}`,
  'a long text': (field) => `{"${field}":"${fill('x')}"}`,
  'a long number': (field) => `{"${field}":${fill('1')}}`,
  'a text of escapes': (field) => `{"${field}":"${fill(String.raw`\"`)}"}`,
  'a text of JSON': (field) => `{"${field}":${JSON.stringify(`[${'1,'.repeat(400_000)}1]`)}}`,
  'a list without end': (field) => `{"${field}":[${fill('1,')}1]}`,
  'as long a list as is read': (field) => `{"${field}":[${'{},'.repeat(120)}{}]}`,
  'lists in lists': (field) => `{"${field}":${fill('[')}`,
  spaces: () => `{${fill(' ')}}`,
  'what is no JSON': () => fill(':'),
}

const app = await testApp()
let http: Awaited<ReturnType<typeof testHttp>>
let viewers: Viewer[]
beforeAll(async () => {
  http = await testHttp(app)
  const boss = await newSuperAdmin(app)
  const reseller = await newReseller(app, { parent: boss, planId: await newPlan(app), rupees: 1000 })
  const planId = await newPlan(app, { owner: reseller })
  viewers = [await newUser(app, { parent: reseller, planId, rupees: 10 }), reseller, boss]
})

async function goodFields(line: ListedRoute, viewer: Viewer): Promise<Fields> {
  const { on, names = {} } = rows[line.key]
  const fixtures = Object.entries({ ...names, ...(on ? { [on[0]]: on[1] } : {}) })
  const made = fixtures.map(async ([field, fixture]) => {
    const owner = [viewer, ...viewers].find(({ role }) => !fixture.owners || fixture.owners.includes(role)) ?? viewer
    return [field, await fixture.make(app, owner, viewer)]
  })
  return { ...plainFieldsOf(line, viewer), ...Object.fromEntries(await Promise.all(made)) }
}

type Measured = { cpuMs: number; status: number }
async function measured(ask: () => Promise<{ statusCode: number }>): Promise<Measured> {
  let least: Measured | null = null
  for (let n = 0; n < repeats; n++) {
    const before = process.threadCpuUsage()
    const { statusCode: status } = await ask()
    const { user, system } = process.threadCpuUsage(before)
    const cpuMs = (user + system) / 1000
    if (!least || cpuMs < least.cpuMs) least = { cpuMs, status }
  }
  if (!least) throw new Error('nothing was asked')
  return least
}

type Cost = Measured & { key: string; what: string }

/** The dearest first. */
async function hostileCosts(
  { key, route, fields }: ListedRoute,
  viewer: Viewer,
  headers: Record<string, string>,
): Promise<Cost[]> {
  const url = namesInPath(route).reduce((path, name) => path.replace(`:${name}`, String(viewer.userId)), route.path)
  const costs: Cost[] = []
  const query = Array.from({ length: 7000 }, (_, n) => n.toString(36)).join('&')
  costs.push({
    key,
    what: 'a query',
    ...(await measured(() => http.inject({ method: route.method, url: `${url}?${query}`, headers }))),
  })
  if (route.method !== 'POST') return costs
  for (const [what, bodyOf] of Object.entries(hostileBodies)) {
    const payload = bodyOf(fields[0] ?? 'x')
    const json = { ...headers, 'content-type': 'application/json' }
    costs.push({ key, what, ...(await measured(() => http.inject({ method: 'POST', url, headers: json, payload }))) })
  }
  return costs
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const words = ({ cpuMs, key, what, status }: Cost) => `${cpuMs.toFixed(1)} ms for ${what} at ${key} (${status})`

test('no request costs far more of the server than an ordinary one, and none fails', async () => {
  const ordinary: Cost[] = []
  const hostile: Cost[] = []
  const asked = listedRoutes.filter(({ route }, n) => route.kind !== 'events' && (isFull || n % 10 === 0))
  for (const line of asked) {
    const roles = policy[line.key] as 'public' | readonly string[]
    const viewer = viewers.find(({ role }) => roles === 'public' || roles.includes(role))
    if (!viewer) throw new Error(`nobody may call ${line.key}`)
    const headers = await signedIn(app, viewer)
    const fields = await goodFields(line, viewer)
    ordinary.push({
      key: line.key,
      what: 'an ordinary one',
      ...(await measured(() => send(http, line.route, fields, headers))),
    })
    hostile.push(...(await hostileCosts(line, viewer, headers)))
  }
  expect(hostile.filter(({ status }) => status >= 500).map(words)).toEqual([])
  if (!isFull) return
  const dearest = (costs: readonly Cost[]) => costs.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, 5)
  const [most] = dearest(ordinary)
  const bar = (most?.cpuMs ?? 0) * timesOrdinaryMax
  console.log(
    [
      `ordinary requests: median ${median(ordinary.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms of CPU; the dearest: ${dearest(ordinary).map(words).join('; ')}`,
      `hostile requests: median ${median(hostile.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms of CPU; the dearest: ${dearest(hostile).map(words).join('; ')}`,
      `the dearest hostile request costs ${((dearest(hostile)[0]?.cpuMs ?? 0) / (most?.cpuMs ?? 1)).toFixed(2)} times the dearest ordinary one (aim at most ${timesOrdinaryMax})`,
    ].join('\n'),
  )
  expect(hostile.filter(({ cpuMs }) => cpuMs > bar).map(words)).toEqual([])
})
