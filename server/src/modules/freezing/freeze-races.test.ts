import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { extend } from '../../dispatch/reservation.sql.ts'
import { openPool } from '../../db/pool.ts'
import { grantChannels } from '../../voice/scheduler/capacity/channels.sql.ts'
import { settleOutcomes } from '../../voice/settle/settle.sql.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../../voice/testing/fixtures.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'
import { createAccount } from '../users/actions-create.ts'
import { freezeAccount, liftAccount } from '../frozen/actions.ts'

const app = await testApp()
const engine = openPool(
  { connectionString: app.loginUrl, max: 8, name: 'ghanti-engine-test', options: enginePoolOptions },
  () => {},
)
atEndOfFile(() => engine.end())
const at = { db: app.db, pool: app.pool, url: app.url, engine }
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})

const freeze = ({ userId }: Viewer) =>
  app.db
    .transaction()
    .execute((tx) =>
      freezeAccount(tx, userId, { isPlatform: true, at: new Date(), by: null, reason: 'stolen', endsCalls: true }),
    )
const lift = ({ userId }: Viewer) => app.db.transaction().execute((tx) => liftAccount(tx, userId))

/** What a frozen account could still do: all that is open, reserved, paid or signed in. */
async function standing(user: Viewer) {
  const { rows } = await app.pool.query<Record<string, number>>(
    `select a.balance_paisa + a.reserved_paisa * 1000000 as money, (select count(*)::int from attempt_open where account_id = a.id) as calls,
       (select count(*)::int from transfer where (payer_id = a.id or payee_id = a.id)) as transfers
     from account a where a.id = $1`,
    [user.userId],
  )
  return rows[0]
}

test('a claim that waits for the account while it is frozen begins nothing', async () => {
  const fixtures = await newFixtures(at)
  const { user, reseller } = fixtures
  const id = await newCampaign(at, { user, line: fixtures.line, phones: phones(20), status: 'running' })
  expect(await claimed(at, fixtures, id, 2)).toHaveLength(2)
  const chain = await app.db.selectFrom('campaign_level').select('payer_id').where('campaign_id', '=', id).execute()
  const wants = [{ payerIds: chain.map(({ payer_id }) => payer_id), calls: 4 }]
  await grantChannels(at.engine, [{ lease: fixtures.lease, wants }]) // two more may begin
  let waiting: Promise<unknown[]> = Promise.resolve([])
  await app.db.transaction().execute(async (tx) => {
    await freezeAccount(tx, reseller.userId, {
      isPlatform: true,
      at: new Date(),
      by: null,
      reason: 'stolen',
      endsCalls: true,
    })
    waiting = claimed(at, fixtures, id, 2, { isGranted: true }) // its snapshot has no freeze
    for (let n = 0; n === 0;) {
      const { rows } = await app.pool.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'",
      )
      n = rows[0]?.n ?? 0
    }
  })
  expect(await waiting).toEqual([])
  expect(await claimed(at, fixtures, id, 2)).toEqual([])
  await lift(reseller)
  expect(await claimed(at, fixtures, id, 2)).toHaveLength(2)
})

test('a call of a frozen account gets not one more minute, is settled and paid, and what it had reserved is free', async () => {
  const fixtures = await newFixtures(at)
  const { user, lease } = fixtures
  const id = await newCampaign(at, { user, line: fixtures.line, phones: phones(2), status: 'running' })
  const [call, other] = await claimed(at, fixtures, id, 2)
  if (!call || !other) throw new Error('nothing was claimed')
  expect(await extend(engine, lease, call.id, 40)).toBe(440)
  await freeze(fixtures.top)
  expect(await extend(engine, lease, call.id, 40)).toBeNull()
  const ends = [outcome(call, { disposition: 'ANSWER', billMs: 20_000 }), outcome(other, { disposition: 'NO ANSWER' })]
  expect(await settleOutcomes(engine, lease, 0, ends)).toHaveLength(2)
  expect(await standing(user)).toMatchObject({ calls: 0 })
  const { reserved_paisa } = await app.db
    .selectFrom('account')
    .select('reserved_paisa')
    .where('id', '=', user.userId)
    .executeTakeFirstOrThrow()
  expect(reserved_paisa).toBe(0)
  await expectSoundBooks(at)
})

test('an account that is made below while the tree is being frozen is frozen, or is not made', async () => {
  for (let n = 0; n < 10; n++) {
    const top = await newReseller(app, { parent: boss })
    const middle = await newReseller(app, { parent: top })
    const make = () => newUser(app, { parent: middle }).catch(() => null)
    const [first, , second] = await Promise.all([make(), freeze(top), make()])
    for (const made of [first, second]) {
      if (!made) continue
      const { frozen } = await app.db
        .selectFrom('account')
        .select('frozen')
        .where('id', '=', made.userId)
        .executeTakeFirstOrThrow()
      expect(frozen).toBe(true)
    }
    await expect(
      app.db.transaction().execute((tx) =>
        createAccount(tx, {
          role: 'user',
          parentId: middle.userId,
          username: `late-${n}`,
          passwordHash: 'x',
          name: 'x',
          emailid: 'x@example.com',
          number: '9800000000',
          company: 'x',
          channels: 1,
        }),
      ),
    ).rejects.toMatchObject({ code: 'GH010' })
  }
})

/** Freezing against everything that could slip through, at once. */
async function race(rounds: number): Promise<void> {
  const fixtures = await newFixtures(at, { rupees: 1000 })
  const { user, reseller } = fixtures
  const id = await newCampaign(at, { user, line: fixtures.line, phones: phones(2000), status: 'running' })
  const above = await signedIn(app, boss)
  const post = (path: string, payload: object, headers: Record<string, string> = above) =>
    http.inject({ method: 'POST', url: `/api/obd/${path}`, payload, headers })
  const credits = (path: string) => post(`credits/${path}`, { userId: user.userId, credits: 1 })
  const login = () => post('login', { username: user.username, password: seededPassword }, {})
  for (let round = 0; round < rounds; round++) {
    const own = await signedIn(app, user)
    const frozen = post('user/freeze', { userId: reseller.userId, reason: 'stolen' })
    const others = [
      credits('add'),
      credits('remove'),
      login(),
      post('user/disable', { userId: reseller.userId, disabled: false, reason: 'thief' }),
      post('campaign/compose', { campaignName: `Thief ${round}` }, own),
      ...Array.from({ length: 4 }, () => claimed(at, fixtures, id, 3)),
    ]
    expect((await frozen).statusCode).toBe(200)
    const then = await standing(user)
    await Promise.all(others)
    expect(await standing(user), `round ${round}: nothing moves once the freeze is answered`).toEqual(then)
    expect(await claimed(at, fixtures, id, 3)).toEqual([])
    expect((await http.inject({ url: '/api/obd/session', headers: own })).statusCode).toBe(401)
    for (const late of [credits('add'), credits('remove'), login()])
      expect((await late).statusCode).toBeGreaterThanOrEqual(400)
    expect(await standing(user)).toEqual(then)
    expect((await post('user/freeze', { userId: reseller.userId, frozen: false, reason: 'safe' })).statusCode).toBe(200)
    expect((await credits('add')).statusCode).toBe(200)
    expect((await login()).statusCode).toBe(200)
    expect((await claimed(at, fixtures, id, 1)).length).toBe(1)
  }
  await expectSoundBooks(at)
}

test('frozen at once with a recharge, claims, composing, a sign-in and enabling, nothing begins or is transferred afterwards; lifted, all goes on', async () => {
  await race(5)
})

test('the same, fifty times', { tags: ['exhaustive'], timeout: 300_000 }, async () => {
  await race(50)
})
