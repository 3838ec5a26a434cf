import { ownValue } from '@ghanti/contract/own-values.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { policy, type Viewer } from '../policy.ts'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { listedRoutes, send, type Fields, type ListedRoute } from '../testing/requests.ts'
import type { RouteFixture } from '../testing/routes/route-fixtures.ts'
import { plainFieldsOf, rows } from '../testing/routes/route-rows.ts'
import { newPlan, newReseller, newSuperAdmin, newUser, sumOfBalances } from '../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})
afterAll(async () => {
  expect(await sumOfBalances(app)).toBe(0)
})

/** A field by which a route names an object, and what kind of object that is. */
type Use = { line: ListedRoute; field: string; fixture: RouteFixture; kind: string; isList: boolean }

const kinds: Readonly<Record<string, string>> = {
  welcomePId: 'prompt',
  menuPId: 'prompt',
  noInputPId: 'prompt',
  wrongInputPId: 'prompt',
  thanksPId: 'prompt',
  notInCampaignId: 'campaign',
}

function usesOf(line: ListedRoute): Use[] {
  const { on, names = {} } = rows[line.key]
  return [...(on ? [on] : []), ...Object.entries(names)].flatMap(([field, fixture]) => {
    const isList = field.endsWith('Ids')
    const one = isList ? field.slice(0, -1) : field
    const isSms = line.key.startsWith('sms') || line.key.endsWith('Messages')
    const kind = `${ownValue(kinds, one) ?? one.replace(/Id$/, '')}${isSms && ['campaignId', 'cliId'].includes(one) ? ' of messages' : ''}`
    return one.endsWith('Id') ? [{ line, field, fixture, kind, isList }] : []
  })
}

/** A route that names several of a kind is asked with the first. */
const firstOfKind = (use: Use, n: number, all: readonly Use[]): boolean =>
  all.findIndex(({ line, kind }) => line === use.line && kind === use.kind) === n

const uses = listedRoutes
  .filter(({ route }) => route.kind !== 'events')
  .flatMap(usesOf)
  .filter(firstOfKind)
const changes = ({ line: { route } }: Use): boolean => route.method !== 'GET'
/** Each two that name one kind of object, of which one changes something. */
const pairs = uses.flatMap((first, n) =>
  uses.slice(n).flatMap((second) => {
    if (first.kind !== second.kind || !(changes(first) || changes(second))) return []
    return [{ first, second, name: `${first.line.key} ${first.field} + ${second.line.key} ${second.field}` }]
  }),
)

type People = { user: Viewer; reseller: Viewer; boss: Viewer }
async function people(): Promise<People> {
  const planId = await newPlan(app)
  const reseller = await newReseller(app, { parent: boss, planId, rupees: 1000 })
  const user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }), rupees: 10 })
  return { user, reseller, boss }
}

function viewerFor({ key }: ListedRoute, { user, reseller, boss }: People): Viewer {
  const roles: 'public' | readonly string[] = policy[key]
  const found = [user, reseller, boss].find(({ role }) => roles === 'public' || roles.includes(role))
  if (!found) throw new Error(`nobody may call ${key}`)
  return found
}

function ownerOf({ owners }: RouteFixture, first: Viewer, { user, reseller, boss }: People): Viewer {
  return [first, user, reseller, boss].find(({ role }) => !owners || owners.includes(role)) ?? first
}

async function requestOf(use: Use, of: People, object: unknown): Promise<() => ReturnType<typeof send>> {
  const { line, field, isList } = use
  const viewer = viewerFor(line, of)
  const { on, names = {} } = rows[line.key]
  const others: Fields = {}
  for (const [name, fixture] of [...(on ? [on] : []), ...Object.entries(names)])
    if (name !== field) others[name] = await fixture.make(app, ownerOf(fixture, viewer, of), viewer)
  const headers = await signedIn(app, viewer)
  const said = { ...plainFieldsOf(line, viewer), ...others, [field]: isList ? [object] : object }
  return () => send(http, line.route, said, headers)
}

/** Fixtures whose routes do not read it have none. */
async function giveFlow(): Promise<void> {
  const flow = JSON.stringify({ templateId: 0, opening: [], menus: [], closing: [] })
  await app.db
    .updateTable('campaign_detail')
    .set({ flow })
    .where(sql`flow`, '=', sql`'{}'::jsonb`)
    .execute()
}

async function objectOf({ fixture, isList, line, kind }: Use, of: People): Promise<unknown> {
  const viewer = viewerFor(line, of)
  const made = await fixture.make(app, ownerOf(fixture, of.user, of), viewer)
  if (kind === 'campaign') await giveFlow()
  return isList && Array.isArray(made) ? (made as unknown[])[0] : made
}

/** What a request with nothing wrong in it says, with fresh objects. */
async function saidBy(line: ListedRoute, of: People): Promise<{ viewer: Viewer; said: Fields }> {
  const { on, names = {} } = rows[line.key]
  const viewer = viewerFor(line, of)
  const said: Fields = { ...plainFieldsOf(line, viewer) }
  for (const [field, fixture] of [...(on ? [on] : []), ...Object.entries(names)])
    said[field] = await fixture.make(app, ownerOf(fixture, viewer, of), viewer)
  return { viewer, said }
}

test.each(listedRoutes.filter(({ route }) => route.kind !== 'events'))(
  '$key does not fail where the files that it reads are removed meanwhile',
  { tags: ['exhaustive'] }, // modules/files/files.test.ts has a file that is gone
  async (line) => {
    const { viewer, said } = await saidBy(line, await people())
    const headers = await signedIn(app, viewer)
    for await (const hash of app.files.all()) await app.files.remove(hash)
    const reply = await send(http, line.route, said, headers)
    if (reply.statusCode >= 500) expect.fail(`${reply.statusCode} ${reply.body.slice(0, 300)}`)
  },
)

const rounds = 2

test.each(pairs)(
  '$name at once: neither fails, whichever is first',
  { tags: ['exhaustive'] },
  async ({ first, second }) => {
    for (let round = 0; round < 2 * rounds; round++) {
      const of = await people()
      const object = await objectOf(round < rounds ? first : second, of)
      const both = [await requestOf(first, of, object), await requestOf(second, of, object)]
      const replies = await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((ask) => ask()))
      for (const reply of replies)
        if (reply.statusCode >= 500) expect.fail(`${reply.statusCode} ${reply.body.slice(0, 300)}`)
    }
  },
)
