import { messages } from '@ghanti/contract/messages.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { policy, type Viewer } from '../policy.ts'
import { testApp } from '../testing/app.ts'
import { newCampaign, newPrompt } from '../testing/campaigns.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { pictureFile } from '../testing/picture.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '../testing/seed.ts'
import { toneFile } from '../testing/sound.ts'

type Fields = Record<string, unknown>
type Line = {
  key: RouteKey
  route: Route
  fields: readonly string[]
  /** Fields of fields: [sip, host]. */
  inner: readonly (readonly [string, string])[]
  required: readonly string[]
}

const lines: Line[] = Object.entries(routes).flatMap(([area, ofArea]) =>
  Object.entries(ofArea)
    .filter(([, route]: [string, Route]) => route.kind !== 'events')
    .map(([name, route]: [string, Route]) => lineOf(`${area}.${name}` as RouteKey, route)),
)
const posts = lines.filter(({ route }) => route.method === 'POST')
const cursors = lines.flatMap((line) =>
  line.route.sort.flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ ...line, sort: sort.replace('-', ''), order })),
  ),
)

function lineOf(key: RouteKey, route: Route): Line {
  const { properties = {}, required = [] } = z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' })
  const ofList = route.kind === 'list' ? ['page', 'pageSize', 'after', 'sort', 'order', 'search'] : []
  const inner = Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'object' ? Object.keys(schema.properties ?? {}).map((of) => [name, of] as const) : [],
  )
  return { key, route, fields: [...Object.keys(properties), ...ofList], inner, required }
}

const texts = [
  '\u0000',
  '\ud800',
  'NaN',
  '-1',
  '1e5',
  '99999999999',
  '9999999999.zip',
  '2026-99-99 99:99:99',
  'http://[{PHONE}',
  'http://{PHONE}.example.com/\udfff',
  '__proto__',
  'x'.repeat(10_001),
  '[{"a":1}]',
]
const values = [
  ...texts,
  '[null]',
  true,
  1e300,
  0.5,
  [],
  [[]],
  [{ agentNumber: {}, agentDtmf: [1] }],
  [{ agentNumber: '\u0000', agentDtmf: '\ud800' }],
  {},
  { a: { b: 1 } },
]
/** Addresses and forms hold nothing but text. An upload that gets through starts a thread, so these are sent a few. */
function garbageFor({ method, kind }: Route): readonly unknown[] {
  if (kind === 'upload') return ['\u0000', '\ud800', '__proto__', 'x'.repeat(10_001)]
  return method === 'POST' ? values : texts
}

const app = await testApp()
let http: FastifyInstance
let viewers: Viewer[]
let stored: Fields
/** Pending voice files, one for each call that decides about one. */
const pending = new Map<RouteKey, number>()
beforeAll(async () => {
  http = await testHttp(app)
  const boss = await newSuperAdmin(app)
  const reseller = await newReseller(app, { parent: boss, planId: await newPlan(app) })
  const user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }), rupees: 10 })
  viewers = [user, reseller, boss]
  stored = { ...(await thingsOf(user)), username: user.username }
  for (const { key, fields } of lines)
    if (fields.includes('promptId')) pending.set(key, await newPrompt(app, user, { status: 'pending' }))
})

/** What a request may name, all of it there. */
async function thingsOf(user: Viewer): Promise<Fields> {
  const headers = await signedIn(app, user)
  const { cli, dialerId, trunkId } = await newLine(app, { holders: [user] })
  const campaignId = await newCampaign(app, user, { rows: 2 })
  const { baseId } = (await send(routes.contacts.paste, { contactList: '9841000001' }, headers)).json()
  const voice = { fileName: 'stored', promptCategory: 'menu' }
  const { promptId } = (await send(routes.prompts.upload, voice, headers)).json()
  await app.db.updateTable('prompt').set({ status: 'approved' }).where('id', '=', promptId).execute()
  return {
    cli,
    dialerId,
    trunkId,
    campaignId,
    baseId,
    welcomePId: promptId,
    menuPId: promptId,
    campaignZip: `${campaignId}.zip`,
  }
}

let serial = 0
/** A request with nothing wrong in it. */
function goodFields({ key, route, fields }: Line, viewer: Viewer): Fields {
  const fresh = `Name ${++serial}`
  const known: Fields = {
    ...stored,
    userId: viewer.userId,
    password: 'not the right one',
    hostname: 'localhost',
    logo: `${'0'.repeat(64)}.png`,
    company: 'Company',
    domain: key === 'branding.save' ? undefined : `${fresh.replace(' ', '-')}.example.com`, // the platform has none
    primaryColour: '#0b66a3',
    removeLogo: 'false',
    baseName: fresh,
    campaignName: fresh,
    fileName: route.kind === 'upload' ? fresh : 'stored',
    promptId: pending.get(key),
    promptCategory: 'menu',
    contactList: '9841000001',
    sampleName: 'sample_contacts.csv',
    kind: 'dialer',
    targetId: 1,
    dialBlockId: 1,
    reason: 'Asked for',
    planId: 1,
    planName: fresh,
    pulseDuration: 30,
    pulsePrice: 60,
    planStatus: 1,
    templateId: serial % 3,
    menuWaitTime: 5,
    rePrompt: 1,
    dtmf: '1,2',
    dialerName: fresh,
    dialerIP: '127.0.0.1',
    dialerPort: 10_000 + serial,
    trunkName: fresh,
    pilotNumber: '015970000',
    channels: 30,
    cps: 5,
    sip: { host: 'sip.example.com' },
    testKind: 'ping',
    testId: 1,
    sound: `${'0'.repeat(64)}.wav`,
    signature: 'not the right one',
    recording: '01234567-89ab-cdef-0123-456789abcdef.wav',
    agentRows: [{ agentNumber: '9841000001', agentDtmf: '1' }],
  }
  return Object.fromEntries(
    Object.entries(known).filter(([name, value]) => fields.includes(name) && value !== undefined),
  )
}

const namesInPath = (route: Route) => [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
/** Half a surrogate pair in the bytes that a careless program sends for it. */
const inUrl = (value: unknown) =>
  encodeURIComponent(
    written(value)
      .slice(0, 250)
      .replaceAll(/\p{Cs}/gu, '\ufffd'),
  ).replaceAll('%EF%BF%BD', '%ED%A0%80')

async function send(route: Route, fields: Fields, headers: Record<string, string>, files = Object.keys(route.files)) {
  const inPath = namesInPath(route)
  const url = inPath.reduce((path, name) => path.replace(`:${name}`, inUrl(fields[name])), route.path)
  const said = Object.entries(fields).filter(([name]) => !inPath.includes(name))
  if (route.kind === 'upload') return sendForm(url, said, files, headers)
  if (route.method === 'POST')
    return http.inject({ method: 'POST', url, headers, payload: Object.fromEntries(said) as object })
  const query = said.map(([name, value]) => `${name}=${inUrl(value)}`).join('&')
  return http.inject({ method: route.method, url: `${url}?${query}`, headers })
}

function goodFile(field: string): File {
  if (field === 'waveFile') return toneFile('a.wav', 1)
  return field === 'logo' ? pictureFile('a.png') : new File(['9841000001\n'], 'a.csv')
}

async function sendForm(url: string, said: [string, unknown][], files: string[], headers: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of said) form.append(name, written(value))
  for (const name of files) form.append(name, goodFile(name))
  const body = new Response(form)
  const type = body.headers.get('content-type') ?? ''
  const payload = Buffer.from(await body.arrayBuffer())
  return http.inject({ method: 'POST', url, headers: { ...headers, 'content-type': type }, payload })
}

const frameworkWords = /expected|Invalid|must match pattern|NaN|received|undefined|\[object|JSON at|syntax/
type Said = { message: string; errors?: { field: string; text: string }[] }

function expectWords(reply: Awaited<ReturnType<typeof send>>, what: string): void {
  expect(reply.statusCode, what).toBeLessThan(500)
  if (reply.statusCode < 400) return
  const { message, errors = [] } = reply.json<Said>()
  for (const text of [message, ...errors.map(({ text }) => text.replaceAll(/'[^']*'/g, ''))]) {
    expect(text, what).toMatch(/./)
    expect(text, what).not.toMatch(frameworkWords)
  }
  for (const { field } of errors) expect(field, what).toMatch(/./)
}

/** Those whom the policy lets in; of resellers, who see other rows than others do, the lists alone are asked. */
function allowed({ key, route }: Line): Viewer[] {
  const roles: 'public' | readonly Role[] = policy[key]
  return viewers
    .filter(({ role }) => roles === 'public' || roles.includes(role))
    .filter(({ role }) => route.kind === 'list' || role !== 'reseller')
}

test.each(lines)('$key answers garbage in any field with words, never with a failure of its own', async (line) => {
  for (const viewer of allowed(line)) {
    const headers = await signedIn(app, viewer)
    const good = await send(line.route, goodFields(line, viewer), headers)
    expectWords(good, `${viewer.role}: ${good.body}`)
    expect(good.statusCode, `${viewer.role}: ${good.body}`).not.toBe(400)
    for (const bad of garbageFor(line.route)) {
      const all = Object.fromEntries(line.fields.map((name) => [name, bad]))
      const alone = [
        ...line.fields.map((name) => ({ ...goodFields(line, viewer), [name]: bad })),
        ...line.inner.map(([name, of]) => ({ ...goodFields(line, viewer), [name]: { [of]: bad } })),
      ]
      const requests = [all, ...alone].map(async (said) => {
        const reply = await send(line.route, said, headers)
        expectWords(reply, `${viewer.role}: ${JSON.stringify(said).slice(0, 500)}: ${reply.body.slice(0, 300)}`)
      })
      await Promise.all(requests)
    }
  }
})

const withRequired = lines
  .map((line) => ({ line, inPath: namesInPath(line.route) }))
  .map(({ line, inPath }) => ({ ...line, wanted: line.required.filter((name) => !inPath.includes(name)) }))
  .filter(({ wanted }) => wanted.length > 0)

test.each(withRequired)('$key says of each field that is missing that it is required', async (line) => {
  const { key, route, wanted } = line
  const text = key === 'auth.login' ? messages.loginRequired : 'is required'
  const files = Object.entries(route.files).flatMap(([name, { required }]) => (required ? [name] : []))
  const missing = [...wanted, ...files].map((name) => [name, text]).toSorted()
  for (const viewer of allowed(line)) {
    const headers = await signedIn(app, viewer)
    const inPath = Object.entries(goodFields(line, viewer)).filter(([name]) => namesInPath(route).includes(name))
    for (const blank of route.kind === 'json' && route.method === 'POST' ? [undefined, '', null] : [undefined, '']) {
      const blanks = blank === undefined ? [] : wanted.map((name) => [name, blank])
      const reply = await send(route, Object.fromEntries([...inPath, ...blanks]), headers, [])
      expect(
        reply
          .json<Said>()
          .errors?.map((error) => [error.field, error.text])
          .toSorted(),
      ).toEqual(missing)
    }
  }
})

const deep = 20_000
const bodies = {
  'lists in lists without end': `{"reason":${'['.repeat(deep)}${']'.repeat(deep)}}`,
  'fields in fields without end': `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
  'lists as text': JSON.stringify({ agentRows: '['.repeat(deep) + ']'.repeat(deep) }),
  'a prototype': '{"__proto__":{"campaignId":1},"constructor":{"prototype":{"campaignId":1}}}',
  'a text': '"x"',
  'a number': '1e999',
  nothing: 'null',
  'half of it': '{"campaignId":',
  'a name with half a surrogate pair': String.raw`{"\ud800":"\udfff"}`,
}

test.each(posts)('$key answers a body of any shape with words', async (line) => {
  const [viewer] = allowed(line)
  if (!viewer) throw new Error(`nobody may call ${line.key}`)
  const url = namesInPath(line.route).reduce((path, name) => path.replace(`:${name}`, '1'), line.route.path)
  for (const [shape, payload] of Object.entries(bodies)) {
    const said = { 'content-type': 'application/json', 'idempotency-key': `${line.key} ${shape}` }
    const headers = { ...(await signedIn(app, viewer)), ...said }
    const reply = await http.inject({ method: 'POST', url, headers, payload })
    expectWords(reply, `${shape}: ${reply.body.slice(0, 300)}`)
  }
})

test.each(cursors)('$key by $sort $order refuses a cursor that it did not make', async (line) => {
  const { route, sort, order } = line
  const forged: [unknown, unknown][] = [
    ['x', 1],
    ['', 1],
    ['\u0000', 1],
    ['\ud800', 1],
    ['99999999999999999999', 1],
    ['2026-01-01 00:00:00+00', 1e300],
    ['1', 0.5],
    ['1', null],
  ]
  for (const viewer of allowed(line)) {
    const headers = await signedIn(app, viewer)
    for (const [key, id] of forged) {
      const after = Buffer.from(JSON.stringify([key, id, `${order} ${sort}`])).toString('base64url')
      const reply = await send(route, { ...goodFields(line, viewer), after, sort, order }, headers)
      expectWords(reply, `${viewer.role} ${key} ${id}: ${reply.body.slice(0, 300)}`)
      if (reply.statusCode >= 400) expect(reply.json()).toMatchObject({ errors: [{ field: 'after' }] })
    }
  }
})
