import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError, badField } from '../../errors.ts'
import { handlers as real } from '../../handlers.ts'
import { policy, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { listedRoutes, send, type Fields } from '../../testing/requests.ts'
import { plainFieldsOf, rows } from '../../testing/routes/route-rows.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import type { PartialHandlers } from '../mount.ts'
import { forgetOldKeys } from './store-idempotency.ts'

const app = await testApp()
let admin: Viewer
let reseller: Viewer
let user: Viewer
let owner: Client
let http: FastifyInstance
let afterwards: () => Promise<void> = async () => {}
let runs = 0

/** The real handlers, with a simulated failure after their commit. */
const handlers = Object.fromEntries(
  Object.entries(real).map(([area, ofArea]) => [
    area,
    Object.fromEntries(
      Object.entries(ofArea as Record<string, (...args: unknown[]) => Promise<unknown>>).map(([name, handle]) => [
        name,
        async (...args: unknown[]) => {
          runs++
          const answer = await handle.apply(ofArea, args)
          await afterwards()
          return answer
        },
      ]),
    ),
  ]),
) as PartialHandlers

beforeAll(async () => {
  http = await testHttp(app, { handlers })
  owner = new Client({ connectionString: app.url })
  await owner.connect()
  admin = await newSuperAdmin(app)
  const planId = await newPlan(app)
  reseller = await newReseller(app, { parent: admin, rupees: 1000, planId, channels: 10_000 })
  user = await newUser(app, { parent: reseller, rupees: 1000, planId })
})
afterAll(() => owner.end())

const lost = () => Promise.reject(new Error('the connection to the database was lost'))
const doneBy = async ({ userId }: Viewer): Promise<number> => {
  const found = await app.db.selectFrom('audit_log').select('id').where('actor_id', '=', userId).execute()
  return found.length
}
const balanceOf = async ({ userId }: Viewer) =>
  (await app.db.selectFrom('account').select('balance_paisa').where('id', '=', userId).executeTakeFirstOrThrow())
    .balance_paisa

async function goodRequest(key: RouteKey, viewer: Viewer): Promise<Fields> {
  const line = listedRoutes.find((one) => one.key === key)
  if (!line) throw new Error(key)
  const { names = {}, on } = rows[key]
  const fields: Fields = { ...plainFieldsOf(line, viewer) }
  for (const [field, fixture] of Object.entries(names)) fields[field] = await fixture.make(app, viewer, viewer)
  if (on) fields[on[0]] = await on[1].make(app, key.startsWith('credits.') ? user : viewer, viewer)
  return fields
}

async function ask(key: RouteKey, viewer: Viewer, fields: Fields, idempotencyKey: string, server = http) {
  const line = listedRoutes.find((one) => one.key === key)
  if (!line) throw new Error(key)
  const reply = await send(server, line.route, fields, {
    ...(await signedIn(app, viewer)),
    'idempotency-key': idempotencyKey,
  })
  return { status: reply.statusCode, said: reply.json() }
}

const unknown = {
  status: 409,
  said: {
    message: 'It is not known whether this was done',
    errors: [{ field: 'Idempotency-Key', code: 'unknown', text: expect.stringContaining('Check whether it was done') }],
  },
}
const whoMay = (key: RouteKey): Viewer => {
  const allowed: 'public' | readonly string[] = policy[key]
  return allowed.includes('user') ? user : allowed.includes('reseller') ? reseller : admin
}

test('the stored hash of a body reveals nothing to a guesser', async () => {
  const fields = { userId: user.userId, password: 'granite otter lantern 58' }
  expect(await ask('users.resetPassword', reseller, fields, 'guessed')).toMatchObject({ status: 200 })
  const { body_hash: kept } = await app.db
    .selectFrom('idempotency_key')
    .select('body_hash')
    .where('key', '=', 'guessed')
    .executeTakeFirstOrThrow()
  const guess = createHash('sha256')
    .update(`POST /api/obd/pwd/reset ${JSON.stringify(fields)}`)
    .digest()
  expect(kept).toHaveLength(guess.length)
  expect(kept.equals(guess)).toBe(false)
})

test.each(['voiceCampaigns.preview', 'contacts.look', 'repeats.next'] as const)(
  'a preview’s answer, numbers and columns of people, is not stored: %s',
  async (route) => {
    const fields = await goodRequest(route, user)
    const key = `not kept ${route}`
    const now = vi.spyOn(app.clock, 'now').mockReturnValue(new Date()) // answers name times that depend on it
    onTestFinished(() => now.mockRestore())
    const first = await ask(route, user, fields, key)
    expect(first.status).toBe(200)
    expect(await ask(route, user, fields, key)).toEqual(first)
    const kept = await app.db.selectFrom('idempotency_key').select('key').where('key', '=', key).execute()
    expect(kept).toEqual([])
  },
)

const dear: RouteKey[] = [
  'credits.add',
  'credits.remove',
  'voiceCampaigns.compose',
  'voiceCampaigns.retry',
  'testCalls.composed',
  'contacts.baseUpload',
  'blacklist.upload',
  'prompts.upload',
  'voices.upload',
  'lines.upload',
  'users.registerWithBrand',
  'brands.save',
]

describe.each(dear)('%s', (route) => {
  test('one that fails after its commit is not repeated: a retry is told to look', async () => {
    const viewer = whoMay(route)
    const fields = await goodRequest(route, viewer)
    const before = await doneBy(viewer)
    afterwards = lost
    expect((await ask(route, viewer, fields, `lost ${route}`)).status).toBe(500)
    afterwards = async () => {}
    const done = await doneBy(viewer)
    expect(done).toBeGreaterThan(before)
    expect(await ask(route, viewer, fields, `lost ${route}`)).toMatchObject(unknown)
    expect(await ask(route, viewer, fields, `lost ${route}`)).toMatchObject(unknown)
    expect(await doneBy(viewer)).toBe(done)
  })

  test('is done once for the same request, also beside itself, and gives the first answer', async () => {
    const viewer = whoMay(route)
    const fields = await goodRequest(route, viewer)
    const before = runs
    const tries = Array.from({ length: 8 }, () => ask(route, viewer, fields, `once ${route}`))
    const replies = await Promise.all(tries)
    const inFlight = { status: 409, said: { errors: [{ code: 'in_flight' }] } }
    const [first, ...others] = replies.filter(({ said }) => said.errors?.[0]?.code !== 'in_flight')
    expect(first).toBeDefined()
    for (const reply of replies) if (reply.status !== first?.status) expect(reply).toMatchObject(inFlight)
    for (const reply of others) expect(reply).toEqual(first)
    expect(await ask(route, viewer, fields, `once ${route}`)).toEqual(first)
    expect(runs).toBe(before + 1)
  })
})

describe('money', () => {
  const recharge = (key: string, server = http) =>
    ask('credits.add', reseller, { userId: user.userId, credits: 10 }, key, server)

  test('moves once when the answer cannot be stored, and who asked gets it', async () => {
    await owner.query(`create function no_answer() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
      create trigger no_answer before update on idempotency_key for each row execute function no_answer()`)
    const before = await balanceOf(user)
    expect((await recharge('unstored')).status).toBe(200)
    await owner.query('drop trigger no_answer on idempotency_key; drop function no_answer')
    expect(await recharge('unstored')).toMatchObject({ status: 409, said: { errors: [{ code: 'in_flight' }] } })
    expect(await balanceOf(user)).toBe(before + 1000)
  })

  test('moves once when the process dies between commit and answer; who retries is told to look once nothing can be under way', async () => {
    const dying = await testHttp(app, { handlers })
    let committed = () => {}
    const commit = new Promise<void>((ok) => (committed = ok))
    afterwards = () => {
      committed()
      return new Promise(() => {}) // it never comes back
    }
    const before = await balanceOf(user)
    void recharge('died', dying)
    await commit
    afterwards = async () => {}
    expect(await recharge('died')).toMatchObject({ status: 409, said: { errors: [{ code: 'in_flight' }] } })
    await app.db
      .updateTable('idempotency_key')
      .set({ at: new Date(Date.now() - 16 * 60_000) })
      .where('key', '=', 'died')
      .execute()
    expect(await recharge('died')).toMatchObject(unknown)
    expect(await balanceOf(user)).toBe(before + 1000)
  })

  test('that the database went away while it moved is said as such, with and without a key, and never as 503, which says that nothing was done', async () => {
    const before = await balanceOf(user)
    afterwards = () => Promise.reject(new Error('Connection terminated unexpectedly'))
    const said = { status: 500, said: unknown.said }
    expect(await recharge('away')).toMatchObject(said)
    const headers = await signedIn(app, reseller)
    const payload = { userId: user.userId, credits: 10 }
    const bare = await http.inject({ method: 'POST', url: '/api/obd/credits/add', headers, payload })
    expect({ status: bare.statusCode, said: bare.json() }).toMatchObject(said)
    expect(bare.headers['retry-after']).toBe(undefined)
    afterwards = async () => {}
    expect(await recharge('away')).toMatchObject(unknown)
    expect(await balanceOf(user)).toBe(before + 2000)
  })

  test('a key is forgotten after a day', async () => {
    const before = await balanceOf(user)
    await recharge('old')
    const aged = (hours: number) =>
      app.db
        .updateTable('idempotency_key')
        .set({ at: new Date(Date.now() - hours * 3600_000) })
        .where('key', '=', 'old')
        .execute()
    await aged(23)
    await forgetOldKeys(app.db)
    await recharge('old')
    expect(await balanceOf(user)).toBe(before + 1000)
    await aged(25)
    await forgetOldKeys(app.db)
    await recharge('old')
    expect(await balanceOf(user)).toBe(before + 2000)
  })
})

describe('what a key belongs to', () => {
  const upload = async (text: string, key: string, { name = 'a.csv', of = user, path = 'baseupload' } = {}) => {
    const form = new FormData()
    if (path === 'baseupload') form.append('baseName', `base ${key}`)
    form.append(path === 'baseupload' ? 'baseFile' : 'blistFile', new File([text], name, { type: 'text/csv' }))
    const body = new Response(form)
    const type = body.headers.get('content-type') ?? ''
    const headers = { ...(await signedIn(app, of)), 'idempotency-key': key, 'content-type': type }
    const payload = Buffer.from(await body.arrayBuffer())
    return http.inject({ method: 'POST', url: `/api/obd/${path}`, headers, payload })
  }

  test('an upload is the same by its bytes, whatever its boundary; one other byte, another name or route is 422', async () => {
    const first = await upload('9841000001\n', 'file')
    expect(first.statusCode, first.body).toBe(200)
    expect((await upload('9841000001\n', 'file')).json()).toEqual(first.json())
    for (const other of [
      await upload('9841000002\n', 'file'),
      await upload('9841000001\n', 'file', { name: 'b.csv' }),
      await upload('9841000001\n', 'file', { path: 'blistupload' }),
    ])
      expect([other.statusCode, other.json().errors]).toMatchObject([422, [{ code: 'key_reused' }]])
    const fields = { userId: user.userId, credits: 1 }
    expect((await ask('credits.add', reseller, fields, 'file')).status).toBe(200) // of another account
  })

  test('a refusal of an upload is replayed as well', async () => {
    const first = await upload('no number', 'refused')
    const again = await upload('no number', 'refused')
    expect([again.statusCode, again.json()]).toEqual([first.statusCode, first.json()])
    expect(first.statusCode).toBe(400)
  })

  test('another body under the key is 422', async () => {
    const recharge = (credits: number) => ask('credits.add', reseller, { userId: user.userId, credits }, 'body')
    expect((await recharge(1)).status).toBe(200)
    expect(await recharge(2)).toMatchObject({ status: 422, said: { errors: [{ code: 'key_reused' }] } })
  })

  test('a request that was turned away for now may use its key again; a refusal is final', async () => {
    const recharge = (key: string) => ask('credits.add', reseller, { userId: user.userId, credits: 1 }, key)
    const turnAway = (error: AppError) => async () => Promise.reject(error)
    const before = runs
    afterwards = turnAway(new AppError('not_ready', [], { retryAfterSeconds: 1 }))
    expect((await recharge('later')).status).toBe(503)
    afterwards = turnAway(badField('credits', 'is rude'))
    expect((await recharge('later')).status).toBe(400)
    afterwards = async () => {}
    expect(await recharge('later')).toMatchObject({ status: 400, said: { errors: [{ text: 'is rude' }] } })
    expect(runs).toBe(before + 2)
  })
})
