import { messages } from '@ghanti/contract/messages.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { FieldError } from '../errors.ts'
import { policy, type Viewer } from '../policy.ts'
import { viewerOfToken } from '../modules/auth/actions.ts'
import { changeSetting } from '../modules/platform/actions.ts'
import { testApp } from '../testing/app.ts'
import { garbageFor } from '../testing/garbage.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import {
  listedRoutes as allRoutes,
  namesInPath,
  send,
  refusedAtTheEdge,
  type Fields,
  type ListedRoute,
} from '../testing/requests.ts'
import { plainFieldsOf, rows } from '../testing/routes/route-rows.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../testing/seed.ts'

/** Event streams have no input that could be wrong. */
const listedRoutes = allRoutes.filter(({ route }) => route.kind !== 'events')
const posts = listedRoutes.filter(({ route }) => route.method === 'POST')
/** One reader takes the bodies of all routes: `npm test` sends what it refuses to some, and each kind to one of them. */
const someOf = <T>(lines: readonly T[], every: number): T[] => lines.filter((_, at) => at % every === 0)
const cursors = listedRoutes.flatMap((line) =>
  line.route.sort.flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => ({ ...line, sort: sort.replace('-', ''), order })),
  ),
)

const app = await testApp()
/** Each is read once: no garbage is in a token, and reading it for each of some 50,000 requests was a fifth of their CPU. */
const sessions = new Map<string | null, Promise<Viewer>>()
function viewerOnce(token: string | null): Promise<Viewer> {
  const found = sessions.get(token) ?? viewerOfToken(app, token)
  sessions.set(token, found)
  return found
}
let http: FastifyInstance
let viewers: Viewer[]
beforeAll(async () => {
  http = await testHttp(app, { ports: { viewerOfToken: viewerOnce } })
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsAddressHosts', ['127.0.0.1:1'], null))
  const boss = await newSuperAdmin(app)
  const reseller = await newReseller(app, { parent: boss, planId: await newPlan(app), rupees: 1000 })
  const planId = await newPlan(app, { owner: reseller })
  const user = await newUser(app, { parent: reseller, planId, rupees: 10 })
  viewers = [user, reseller, boss]
})

/** The objects that each route's requests name, made once for a test. */
const objects = new Map<string, Promise<Fields>>()
async function objectsFor({ key }: ListedRoute, viewer: Viewer): Promise<Fields> {
  const { on, names = {} } = rows[key]
  const made = Object.entries({ ...names, ...(on ? { [on[0]]: on[1] } : {}) }).map(async ([field, fixture]) => {
    const owner = [viewer, ...viewers].find(({ role }) => !fixture.owners || fixture.owners.includes(role)) ?? viewer
    return [field, await fixture.make(app, owner, viewer)]
  })
  return Object.fromEntries(await Promise.all(made))
}

let serial = 0
const templatesInTurn = [0, 1, 2, 8]
function ofTemplate(templateId: number, { menuPId: promptId }: Fields): Fields {
  const menu = { promptId, dtmf: '1|2' }
  return { templateId, ...(templateId === 8 && { prompts: { menus: [menu, menu, menu, menu, menu] } }) }
}

const objectsKeyOf = ({ key }: ListedRoute, { userId }: Viewer): string => `${key} ${userId}`

async function goodFields(line: ListedRoute, viewer: Viewer): Promise<Fields> {
  const key = objectsKeyOf(line, viewer)
  const made = objects.get(key) ?? objectsFor(line, viewer)
  objects.set(key, made)
  const hasTemplates = line.fields.includes('templateId') && !line.key.startsWith('smsCampaigns.') // those of messages are others
  const template = hasTemplates ? ofTemplate(templatesInTurn[serial++ % 4] ?? 0, await made) : {}
  return { ...plainFieldsOf(line, viewer), ...(await made), ...template }
}

const frameworkWords = /expected|Invalid|must match pattern|NaN|received|undefined|\[object|JSON at|syntax/
type Said = { message: string; errors?: readonly Pick<FieldError, 'field' | 'text'>[] }

/** What is wrong with a reply; null: nothing. Tens of thousands are checked, too many for an `expect` of each word. */
function faultOf(reply: Awaited<ReturnType<typeof send>>): string | null {
  if (reply.statusCode >= 500) return `status ${reply.statusCode}`
  return reply.statusCode < 400 ? null : faultOfWords(reply.json<Said>())
}

function faultOfWords({ message, errors = [] }: Said): string | null {
  const texts = [message, ...errors.map(({ text }) => text.replaceAll(/'[^']*'/g, ''))]
  const unclear = texts.find((text) => text === '' || frameworkWords.test(text))
  if (unclear !== undefined) return `the text '${unclear}'`
  return errors.every(({ field }) => field !== '') ? null : 'an error without its field'
}

/** `about` says what was asked. It is called only when the reply is wrong. */
function expectWords(reply: Awaited<ReturnType<typeof send>>, about: () => string): void {
  const fault = faultOf(reply)
  if (fault !== null) expect.fail(`${fault}: ${about()}: ${reply.body.slice(0, 300)}`)
}

/** The viewers whom the policy admits. Resellers are asked for lists, where they see other rows than anybody else, and for what is theirs alone. */
function allowed({ key, route }: ListedRoute): Viewer[] {
  const roles: 'public' | readonly Role[] = policy[key]
  const may = viewers.filter(({ role }) => roles === 'public' || roles.includes(role))
  const asked = may.filter(({ role }) => route.kind === 'list' || role !== 'reseller')
  return asked.length > 0 ? asked : may
}

let listsTurn = 0
/** One of them: of a list in turn, because the statement that reads it differs. */
function oneAllowed(line: ListedRoute): Viewer {
  const may = allowed(line)
  const viewer = may[line.route.kind === 'list' ? listsTurn++ % may.length : 0]
  if (!viewer) throw new Error(`nobody may call ${line.key}`)
  return viewer
}

/** Each of `wrong` with an otherwise right request, as each role that may ask. */
async function expectWordsFor(line: ListedRoute, wrong: readonly Fields[]): Promise<void> {
  for (const viewer of allowed(line)) {
    await expectGood(line, viewer)
    const headers = await signedIn(app, viewer)
    for (let from = 0; from < wrong.length; from += atOnce) {
      const requests = wrong.slice(from, from + atOnce).map(async (fields) => {
        const said = { ...(await goodFields(line, viewer)), ...fields }
        const reply = await send(http, line.route, said, headers)
        expectWords(reply, () => `${viewer.role}: ${JSON.stringify(said).slice(0, 500)}`)
      })
      await Promise.all(requests)
    }
  }
}
const atOnce = 16

/** What is wrong in the requests of these tests is the garbage alone. */
async function expectGood(line: ListedRoute, viewer: Viewer): Promise<void> {
  objects.delete(objectsKeyOf(line, viewer)) // a link of another test works once
  await app.db.deleteFrom('blacklist').execute() // on which another test put the number of all
  const good = await send(http, line.route, await goodFields(line, viewer), await signedIn(app, viewer))
  expectWords(good, () => viewer.role)
  expect(good.statusCode, `${viewer.role}: ${good.body}`).not.toBe(400)
}

const wrongIn = ({ fields, inner }: ListedRoute, bad: unknown): Fields[] => [
  ...fields.map((name) => ({ [name]: bad })),
  ...inner.map(([name, of]) => ({ [name]: { [of]: bad } })),
]

/** Of each list in turn, so that together the routes get all of it: what a route does with one kind of garbage it rarely does alone. */
const turns = new Map<object, number>()
function oneOf<T>(list: readonly T[]): T[] {
  const turn = turns.get(list) ?? 0
  turns.set(list, turn + 1)
  return list.slice(turn % list.length).slice(0, 1)
}

/**
 * Of all garbage in all fields the words of what the edge refuses. Over HTTP go, in one request, all fields of which something is refused, and of each
 * field one kind in turn where it reaches the handler or is part of the address.
 */
test.each(listedRoutes)('$key answers garbage in each field with words', async (line) => {
  const viewer = oneAllowed(line)
  await expectGood(line, viewer)
  const good = await goodFields(line, viewer)
  const garbage = garbageFor(line.route)
  const inPath = namesInPath(line.route)
  const refused: Fields = {}
  const passing: Fields[] = []
  for (const [n] of wrongIn(line, null).entries()) {
    const [turn] = oneOf(garbage)
    for (const bad of garbage) {
      const wrong = wrongIn(line, bad)[n] ?? {}
      const errors = refusedAtTheEdge(line, { ...good, ...wrong })
      const fault = faultOfWords({ message: messages.badInput, errors })
      if (fault !== null) expect.fail(`${fault}: ${JSON.stringify(wrong).slice(0, 500)}`)
      const isInPath = Object.keys(wrong).some((name) => inPath.includes(name))
      if (errors.length > 0 && !isInPath) Object.assign(refused, wrong)
      if (bad === turn && (errors.length === 0 || isInPath)) passing.push(wrong)
    }
  }
  const headers = await signedIn(app, viewer)
  const requests = [...passing, ...(Object.keys(refused).length > 0 ? [refused] : [])].map(async (wrong) => {
    const said = { ...(await goodFields(line, viewer)), ...wrong }
    const reply = await send(http, line.route, said, headers)
    expectWords(reply, () => `${viewer.role}: ${JSON.stringify(said).slice(0, 500)}`)
    if (wrong === refused) expect(reply.statusCode, reply.body).toBe(400)
  })
  await Promise.all(requests)
})

test.each(listedRoutes)(
  '$key answers garbage of every kind in any field with words, never with a failure of its own',
  { tags: ['exhaustive'] },
  async (line) => {
    const wrong = garbageFor(line.route).flatMap((bad) => [
      Object.fromEntries(line.fields.map((name) => [name, bad])),
      ...wrongIn(line, bad),
    ])
    await expectWordsFor(line, wrong)
  },
)

const withRequired = listedRoutes
  .map((line) => ({ line, inPath: namesInPath(line.route) }))
  .map(({ line, inPath }) => ({ ...line, wanted: line.required.filter((name) => !inPath.includes(name)) }))
  .filter(({ wanted }) => wanted.length > 0)

const requiredTexts: Partial<Record<RouteKey, Fields>> = {
  'auth.login': { username: messages.loginRequired, password: messages.loginRequired },
  'users.update': { expiryDate: messages.expiryRequired },
  'auth.resetPwd': { username: messages.usernameRequired },
  'auth.updatePwd': { password: messages.passwordRequired },
}

/** Required unless another field takes its place. */
const requiredAlone: Partial<Record<RouteKey, string>> = {
  'users.register': 'password',
  'users.registerWithBrand': 'password',
}

test.each(withRequired)('$key says of each field that is missing that it is required', async (line) => {
  const { key, route, wanted } = line
  const files = Object.entries(route.files).flatMap(([name, { required }]) => (required ? [name] : []))
  const alone = requiredAlone[key]
  const missing = [...wanted, ...files, ...(alone === undefined ? [] : [alone])]
    .map((name) => [name, requiredTexts[key]?.[name] ?? 'is required'])
    .toSorted()
  const viewer = oneAllowed(line)
  const headers = await signedIn(app, viewer)
  const good = Object.entries(await goodFields(line, viewer))
  const inPath = good.filter(([name]) => namesInPath(route).includes(name))
  for (const blank of route.kind === 'json' && route.method === 'POST' ? [undefined, '', null] : [undefined, '']) {
    const blanks = blank === undefined ? [] : wanted.map((name) => [name, blank])
    const reply = await send(http, route, Object.fromEntries([...inPath, ...blanks]), headers, [])
    expect(
      reply
        .json<Said>()
        .errors?.map((error) => [error.field, error.text])
        .toSorted(),
    ).toEqual(missing)
  }
})

const deep = 20_000
const bodies = Object.entries({
  'lists in lists without end': `{"reason":${'['.repeat(deep)}${']'.repeat(deep)}}`,
  'fields in fields without end': `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
  'lists as text': JSON.stringify({ agentRows: '['.repeat(deep) + ']'.repeat(deep) }),
  'a prototype': '{"__proto__":{"campaignId":1},"constructor":{"prototype":{"campaignId":1}}}',
  'a text': '"x"',
  'a number': '1e999',
  nothing: 'null',
  'half of it': '{"campaignId":',
  'a name with half a surrogate pair': String.raw`{"\ud800":"\udfff"}`,
})

let networks = 0
/** Refused large bodies of one network are soon answered late. */
const anotherNetwork = (): string => `10.${networks >> 8}.${networks++ & 255}.1`

async function expectWordsForBodies(line: ListedRoute, shapes: typeof bodies): Promise<void> {
  const viewer = oneAllowed(line)
  const url = namesInPath(line.route).reduce((path, name) => path.replace(`:${name}`, '1'), line.route.path)
  for (const [shape, payload] of shapes) {
    const said = { 'content-type': 'application/json', 'idempotency-key': `${line.key} ${shape}` }
    const headers = { ...(await signedIn(app, viewer)), ...said }
    const reply = await http.inject({ method: 'POST', url, headers, payload, remoteAddress: anotherNetwork() })
    expectWords(reply, () => shape)
  }
}

test.each(someOf(posts, 8))('$key answers a body of the wrong shape with words', (line) =>
  expectWordsForBodies(line, oneOf(bodies)),
)

test.each(posts)('$key answers a body of any shape with words', { tags: ['exhaustive'] }, (line) =>
  expectWordsForBodies(line, bodies),
)

const good = '--b\r\ncontent-disposition: form-data; name="reason"\r\n\r\nx\r\n'
const part = '--b\r\ncontent-disposition: form-data; name="logo"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
const envelopes: readonly (readonly [string, string | undefined, string])[] = [
  ['a form that breaks off in a file', 'multipart/form-data; boundary=b', `${good}${part}\x89PNG`],
  ['a form that breaks off in a head', 'multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-d'],
  ['a form without parts', 'multipart/form-data; boundary=b', '--b--\r\n'],
  ['a form of nothing', 'multipart/form-data; boundary=b', ''],
  ['a form with another boundary', 'multipart/form-data; boundary=c', `${good}--b--\r\n`],
  ['a form without its boundary', 'multipart/form-data', `${good}--b--\r\n`],
  [
    'a part without a name',
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--\r\n',
  ],
  ['a part that is a prototype', 'multipart/form-data; boundary=b', `${good.replace('reason', '__proto__')}--b--\r\n`],
  ['a file in a field', 'multipart/form-data; boundary=b', `${part.replace('logo', 'userId')}x\r\n--b--\r\n`],
  ['JSON as a form', 'multipart/form-data; boundary=b', '{"reason":"x"}'],
  ['a form as JSON', 'application/json', `${good}--b--\r\n`],
  ['JSON in an unknown charset', 'application/json; charset=klingon', '{"reason":"x"}'],
  ['XML', 'application/xml', '<reason/>'],
  ['text', 'text/plain', 'reason=x'],
  ['a type that is none', ';;/', '{"reason":"x"}'],
  ['a body without a type', undefined, '{"reason":"x"}'],
]

async function expectWordsForEnvelopes(line: ListedRoute, chosen: typeof envelopes): Promise<void> {
  const viewer = oneAllowed(line)
  const url = namesInPath(line.route).reduce((path, name) => path.replace(`:${name}`, '1'), line.route.path)
  for (const [what, type, payload] of chosen) {
    const headers = { ...(await signedIn(app, viewer)), ...(type === undefined ? {} : { 'content-type': type }) }
    const reply = await http.inject({ method: 'POST', url, headers, payload })
    expectWords(reply, () => what)
  }
}

test.each(someOf(posts, 8))('$key answers a broken form or a wrong type of content with words', (line) =>
  expectWordsForEnvelopes(line, oneOf(envelopes)),
)

test.each(posts)('$key answers broken forms and wrong types of content with words', { tags: ['exhaustive'] }, (line) =>
  expectWordsForEnvelopes(line, envelopes),
)

test.each([
  '',
  ' ',
  'x'.repeat(201),
  'x'.repeat(9000),
  'é',
  "'; drop table users; --",
  '../../etc',
  '{"a":1}',
  '%00',
  '0',
])('an idempotency key of %j does what another does, or is refused by its name', async (key) => {
  const [user] = viewers
  if (!user) throw new Error('nobody')
  const headers = { ...(await signedIn(app, user)), 'idempotency-key': key }
  const payload = { mobile: `98${String(++serial).padStart(8, '0')}` }
  const replies = [1, 2].map(() => http.inject({ method: 'POST', url: '/api/obd/blacklist', headers, payload }))
  for (const reply of await Promise.all(replies)) {
    expectWords(reply, () => `the key ${key}`)
    if (key.length > 200) expect(reply.statusCode).toBeGreaterThanOrEqual(400)
  }
})

const forgedCursors: readonly (readonly [unknown, unknown])[] = [
  ['x', 1],
  ['', 1],
  ['\u0000', 1],
  ['\ud800', 1],
  ['99999999999999999999', 1],
  ['2026-01-01 00:00:00+00', 1e300],
  ['1', 0.5],
  ['1', null],
]

async function expectRefused(
  { sort, order, ...line }: (typeof cursors)[number],
  forged: typeof forgedCursors,
  viewers: readonly Viewer[],
): Promise<void> {
  const { route } = line
  for (const viewer of viewers) {
    const headers = await signedIn(app, viewer)
    for (const [key, id] of forged) {
      const after = Buffer.from(JSON.stringify([key, id, `${order} ${sort}`])).toString('base64url')
      const reply = await send(http, route, { ...(await goodFields(line, viewer)), after, sort, order }, headers)
      expectWords(reply, () => `${viewer.role} ${key} ${id}`)
      if (reply.statusCode >= 400) expect(reply.json()).toMatchObject({ errors: [{ field: 'after' }] })
    }
  }
}

test.each(someOf(cursors, 5))('$key by $sort $order refuses a cursor', (line) =>
  expectRefused(line, oneOf(forgedCursors), [oneAllowed(line)]),
)

test.each(cursors)('$key by $sort $order refuses a cursor that it did not make', { tags: ['exhaustive'] }, (line) =>
  expectRefused(line, forgedCursors, allowed(line)),
)
