/**
 * Calls every route of the contract as every viewer, on every owner's objects. The expected reply follows from policy.ts (which roles may call it), from the
 * rule of testing/routes/route-rows.ts (whose objects a role reaches) and from the exceptions listed there.
 */
import { messages } from '@ghanti/contract/messages.ts'
import { roles } from '@ghanti/contract/roles.ts'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { policy, type Viewer } from '../policy.ts'
import { stepUp } from '../policy-proof.ts'
import { changeSetting } from '../modules/platform/actions.ts'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { listedRoutes, send, type Fields, type ListedRoute } from '../testing/requests.ts'
import { plainFieldsOf, rows, type Relation } from '../testing/routes/route-rows.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../testing/seed.ts'
import type { RouteFixture } from '../testing/routes/route-fixtures.ts'

const app = await testApp()
let http: FastifyInstance
let owner: Client
/** The super admin, a reseller right below, one below that one with a user and a reseller who has a user, and others beside each. */
const people: Viewer[] = []
let viewers: Viewer[]
/** Callers without a valid session, and the reply that each must get. */
let turnedAway: { who: string; headers: Record<string, string>; message: string }[]

beforeAll(async () => {
  http = await testHttp(app)
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsAddressHosts', ['127.0.0.1:1'], null))
  owner = new Client({ connectionString: app.url })
  await owner.connect()
  const boss = await newSuperAdmin(app, { username: 'boss' })
  const planId = await newPlan(app)
  const has = (username: string, parent: Viewer) => ({ username, parent, planId, rupees: 1000 })
  const top = await newReseller(app, has('top', boss))
  const reseller = await newReseller(app, { ...has('the-reseller', top), channels: 10_000 })
  const user = await newUser(app, has('the-user', reseller))
  const brother = await newUser(app, has('another-user', reseller))
  const below = await newReseller(app, has('reseller-below', reseller))
  const userBelow = await newUser(app, has('user-below', below))
  const other = await newReseller(app, has('another-reseller', top))
  const otherUser = await newUser(app, has('user-of-another', other))
  people.push(user, brother, otherUser, reseller, userBelow, below, top, other, boss)
  viewers = [user, reseller, boss]
  turnedAway = [{ who: 'signed out', headers: {}, message: messages.tokenNotValid }]
  for (const role of roles.filter((role) => role !== 'superAdmin'))
    for (const [who, change, message] of [
      ['expired', { expires_at: new Date(Date.now() - 1000) }, messages.tokenExpired],
      ['deleted', { deleted_at: new Date() }, messages.tokenNotValid],
      ['disabled', { disabled_at: new Date() }, messages.tokenNotValid],
    ] as const) {
      const viewer = await (role === 'user' ? newUser : newReseller)(app, has(`${who}-${role}`, top))
      const headers = await signedIn(app, viewer)
      await app.db.updateTable('users').set(change).where('id', '=', viewer.userId).execute()
      turnedAway.push({ who: `${who} ${role}`, headers, message })
    }
  const stopped = await newReseller(app, has('disabled', top))
  const between = await newReseller(app, has('below-disabled', stopped))
  const disabled = { disabled_at: new Date() }
  for (const viewer of [between, await newUser(app, has('two-below-disabled', between)), await newSuperAdmin(app)]) {
    const headers = await signedIn(app, viewer)
    turnedAway.push({ who: `stopped ${viewer.username}`, headers, message: messages.tokenNotValid })
    const whose = viewer.role === 'superAdmin' ? viewer : stopped
    await app.db.updateTable('users').set(disabled).where('id', '=', whose.userId).execute()
  }
  await watchTables()
})
afterAll(() => owner.end())

function relationOf(viewer: Viewer, other: Viewer): Relation {
  const above = (one: Viewer): number[] => {
    const parent = people.find(({ userId }) => userId === one.parentId)
    return parent ? [parent.userId, ...above(parent)] : []
  }
  if (viewer.userId === other.userId) return 'own'
  if (other.parentId === viewer.userId) return 'child'
  if (above(other).includes(viewer.userId)) return 'deeper'
  return above(viewer).includes(other.userId) ? 'above' : 'stranger'
}

function mayCall({ key }: ListedRoute, { role }: Viewer): boolean {
  const allowed: 'public' | readonly string[] = policy[key]
  return allowed === 'public' || allowed.includes(role)
}

function expected(line: ListedRoute, viewer: Viewer, relation: Relation): number {
  const { role } = viewer
  const row = rows[line.key]
  if (!mayCall(line, viewer)) return 403
  const reached = { user: ['own'], reseller: ['own', 'child', 'deeper'], superAdmin: ['own', 'child', 'deeper'] }
  const byRule = !row.on || reached[role].includes(relation) ? (row.ok ?? 200) : 404
  return row.except?.[role]?.[relation] ?? byRule
}

/** One owner for each relation that the fixture can have to the viewer, and a second stranger. */
function ownersFor(viewer: Viewer, fixture: RouteFixture): { relation: Relation; owner: Viewer }[] {
  if (fixture.platform) return [{ relation: 'own', owner: viewer }]
  const all = people
    .filter(({ role }) => !fixture.owners || fixture.owners.includes(role))
    .map((owner) => ({ relation: relationOf(viewer, owner), owner }))
  return all.filter(
    ({ relation }, at) =>
      all.slice(0, at).filter((before) => before.relation === relation).length < (relation === 'stranger' ? 2 : 1),
  )
}

/** Objects that only reads use are made once. */
const made = new Map<string, Promise<unknown>>()
function once(key: string, make: () => Promise<unknown>): Promise<unknown> {
  const found = made.get(key) ?? make()
  made.set(key, found)
  return found
}
const serials = new Map<RouteFixture, number>()
function makeFor(
  line: ListedRoute,
  fixture: RouteFixture,
  of: Viewer,
  viewer: Viewer,
  fresh: boolean,
): Promise<unknown> {
  serials.set(fixture, serials.get(fixture) ?? serials.size)
  const shared = line.route.method === 'GET' ? '' : line.key
  const as = of.userId === viewer.userId ? 'themselves' : 'another'
  if (fresh && line.route.method !== 'GET') return fixture.make(app, of, viewer)
  return once(`${shared} ${serials.get(fixture)} ${of.userId} ${as}`, () => fixture.make(app, of, viewer))
}

/** A valid request: every object that it names is the viewer's own, except the one acted on. */
async function goodRequest(line: ListedRoute, viewer: Viewer, acted: Fields): Promise<Fields> {
  const named = Object.entries(rows[line.key].names ?? {}).map(async ([field, fixture]) => [
    field,
    await makeFor(line, fixture, viewer, viewer, false),
  ])
  return { ...plainFieldsOf(line, viewer), ...Object.fromEntries(await Promise.all(named)), ...acted }
}

type Case = {
  why: string
  relation: Relation
  status: number
  viewer: Viewer
  headers: Record<string, string>
  said: Fields
}

async function casesOf(line: ListedRoute, viewer: Viewer): Promise<Case[]> {
  const headers = await signedIn(app, viewer)
  const { on } = rows[line.key]
  const as = (relation: Relation, said: Fields): Case => {
    const status = expected(line, viewer, relation)
    return { why: `${viewer.role}, ${relation}`, relation, status, viewer, headers, said }
  }
  if (!on) return [as('own', await goodRequest(line, viewer, {}))]
  const [field, fixture] = on
  // Whom the policy refuses is refused before any object is looked at: one of an object, and a missing one.
  const owners = ownersFor(viewer, fixture).slice(0, mayCall(line, viewer) ? undefined : 1)
  const cases = owners.map(async ({ relation, owner }) => {
    const allowed = expected(line, viewer, relation) < 400
    return as(
      relation,
      await goodRequest(line, viewer, { [field]: await makeFor(line, fixture, owner, viewer, allowed) }),
    )
  })
  return [...(await Promise.all(cases)), as('missing', await goodRequest(line, viewer, { [field]: fixture.missing }))]
}

/** Otherwise valid requests that name, in one field of the body, an object of somebody else or a missing one. */
async function namedCasesOf(line: ListedRoute, viewer: Viewer): Promise<(Case & { field: string })[]> {
  const headers = await signedIn(app, viewer)
  const { on, names = {} } = rows[line.key]
  if (expected(line, viewer, 'own') >= 400) return []
  const acted = on ? { [on[0]]: await makeFor(line, on[1], viewer, viewer, false) } : {}
  const good = await goodRequest(line, viewer, acted)
  const cases = Object.entries(names).map(async ([field, fixture]) => {
    const others = ownersFor(viewer, fixture).filter(({ relation }) => relation !== 'own')
    const ids = others.map(async ({ relation, owner }) => {
      return { relation, id: await makeFor(line, fixture, owner, viewer, false) }
    })
    return [...(await Promise.all(ids)), { relation: 'missing' as const, id: fixture.missing }].map(
      ({ relation, id }) => {
        const why = `${viewer.role}, ${field}: ${relation}`
        return { field, relation, why, status: 400, viewer, headers, said: { ...good, [field]: id } }
      },
    )
  })
  return (await Promise.all(cases)).flat()
}

/** Records every row written from now on, except in tables that any request may write to, and except what is rolled back. */
async function watchTables(): Promise<void> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not in ('session', 'rate_limit')`,
  )
  await owner.query(
    `create table written (name text);
     create function note_written() returns trigger language plpgsql security definer as
       $$begin insert into public.written values (tg_table_name); return null; end$$`,
  )
  for (const { name } of tables)
    await owner.query(
      `create trigger note_written after insert or delete on ${name} for each row execute function note_written();
       create trigger note_changed after update on ${name} for each row when (old.* is distinct from new.*) execute function note_written()`,
    )
}

/** The tables in which a row was written since the last call. */
async function written(): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>('delete from written returning name')
  return [...new Set(tables.map(({ name }) => name))]
}

/** The result of one object in a request that names several. */
function statusOf({ key }: ListedRoute, reply: LightMyRequestResponse): number {
  if (!rows[key].each || reply.statusCode !== 200) return reply.statusCode
  return reply.json<{ results: { status: number }[] }>().results[0]?.status ?? 0
}

const answerOf = (reply: LightMyRequestResponse) => ({
  status: reply.statusCode,
  headers: { ...reply.headers, date: '' },
  body: reply.body,
})

async function ask(line: ListedRoute, { said, headers, why }: Pick<Case, 'said' | 'headers' | 'why'>) {
  const reply = await send(http, line.route, said, headers)
  return { reply, what: `${line.key} as ${why}: ${JSON.stringify(said)}: ${reply.body.slice(0, 300)}` }
}

/** A reply must contain nothing of accounts that the viewer may not see. */
function expectNoStranger({ viewer }: Case, reply: LightMyRequestResponse, what: string): void {
  const strangers = people.filter((one) => viewer.role !== 'superAdmin' && relationOf(viewer, one) === 'stranger')
  for (const { username } of strangers)
    for (const said of [`of ${username}`, `"${username}"`]) expect(reply.body.includes(said), what).toBe(false)
}

/** Signed out, expired, deleted, disabled: 401, and the cookies are gone. */
async function expectTurnedAway(line: ListedRoute, [own]: readonly Case[], whom: typeof turnedAway): Promise<void> {
  const asked = whom.map(async ({ who, headers, message }) => {
    const said = own?.said ?? {}
    const { reply, what } = await ask(line, { why: who, headers, said })
    expect(reply.statusCode, what).toBe(401)
    expect(reply.json(), what).toEqual({ message })
    expect(reply.headers['set-cookie'], what).toHaveLength(3)
  })
  await Promise.all(asked)
}

let turn = 0
/** Of the others one in turn, so that the routes together get all: one function looks at every route's session, before anything of the route. */
function signedOutAndAnother(): typeof turnedAway {
  const [signedOut, ...others] = turnedAway
  return [signedOut, others[turn++ % others.length]].filter((one) => one !== undefined)
}

test.each(listedRoutes)(
  '$key answers each role about own, others’ and missing objects as the policy says, and nobody who is not signed in',
  async (line) => {
    const cases = (await Promise.all(viewers.map((as) => casesOf(line, as)))).flat()
    const refused = cases.filter(({ status }) => status >= 400)
    await written()
    const answers = await Promise.all(
      refused.map(async (one) => {
        const { reply, what } = await ask(line, one)
        expect(statusOf(line, reply), what).toBe(one.status)
        return { ...one, reply, what }
      }),
    )
    if (policy[line.key] !== 'public') await expectTurnedAway(line, cases, signedOutAndAnother())
    expect(await written(), 'what is refused changes nothing').toEqual([])
    for (const missing of answers.filter(({ relation }) => relation === 'missing'))
      for (const { viewer, relation, status, reply, what } of answers)
        if (viewer === missing.viewer && status === missing.status && relation !== 'own')
          expect(answerOf(reply), what).toEqual(answerOf(missing.reply))
    for (const one of cases.filter(({ status }) => status < 400)) {
      const { reply, what } = await ask(line, one)
      expect(statusOf(line, reply), what).toBe(one.status)
      expectNoStranger(one, reply, what)
    }
  },
)

test.each(listedRoutes.filter(({ key }) => policy[key] !== 'public'))(
  '$key answers nobody whose session ended, in whatever way',
  { tags: ['exhaustive'] },
  async (line) => {
    const [viewer] = viewers
    if (viewer) await expectTurnedAway(line, await casesOf(line, viewer), turnedAway)
  },
)

/** A wrong password is in the audit log. */
const leavesLine: ReadonlySet<string> = new Set(['sessions.changePassword', 'factors.prove'])

test.each(listedRoutes.filter(({ key }) => rows[key].names))(
  '$key refuses others’ and missing ids in its body alike, naming the field',
  async (line) => {
    const cases = (await Promise.all(viewers.map((as) => namedCasesOf(line, as)))).flat()
    expect(cases).not.toEqual([])
    await written()
    const answers = []
    for (const one of cases) {
      const { reply, what } = await ask(line, one)
      expect(reply.statusCode, what).toBe(400)
      const [error] = reply.json<{ errors: { field: string }[] }>().errors
      expect(error?.field.split('.')[0], what).toBe(one.field)
      answers.push({ ...one, reply, what })
    }
    expect(await written(), 'what is refused changes nothing').toEqual(leavesLine.has(line.key) ? ['audit_log'] : [])
    for (const { viewer, field, reply, what } of answers) {
      const missing = answers.find((one) => one.viewer === viewer && one.field === field && one.relation === 'missing')
      expect(missing && answerOf(reply), what).toEqual(missing && answerOf(missing.reply))
    }
  },
)

test.each(listedRoutes.filter(({ key }) => stepUp.has(key)))(
  '$key asks a session that was proved too long ago for a proof, and changes nothing',
  async (line) => {
    const viewer = viewers.findLast((one) => mayCall(line, one))
    if (!viewer) throw new Error('nobody may call it')
    const headers = await signedIn(app, viewer)
    const created_at = new Date(Date.now() - 11 * 60_000)
    await app.db.updateTable('session').set({ created_at }).where('user_id', '=', viewer.userId).execute()
    const { on } = rows[line.key]
    const of = on && (ownersFor(viewer, on[1]).find(({ relation }) => relation === 'child')?.owner ?? viewer)
    const said = await goodRequest(
      line,
      viewer,
      on && of ? { [on[0]]: await makeFor(line, on[1], of, viewer, true) } : {},
    )
    await written()
    const key = { 'idempotency-key': randomUUID() }
    for (let n = 0; n < 2; n++) {
      const { reply, what } = await ask(line, { said, headers: { ...headers, ...key }, why: 'long ago' })
      expect(reply.statusCode, what).toBe(403)
      expect(reply.json(), what).toMatchObject({ errors: [{ field: 'account', code: 'proof_needed' }] })
    }
    expect(await written()).toEqual([])
  },
)

test('a row that is written is noticed, one that is rolled back is not', async () => {
  await written()
  const touch = app.db.updateTable('users').set({ company: 'Another' }).where('username', '=', 'boss')
  await app.db
    .transaction()
    .execute((tx) => tx.executeQuery(touch).then(() => Promise.reject(new Error('no'))))
    .catch(() => undefined)
  expect(await written()).toEqual([])
  await touch.execute()
  expect(await written()).toEqual(['users'])
})
