import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../db/db.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { newReseller, newUser, seededPassword } from '../../testing/seed.ts'
import { sendResetMail } from '../auth/actions-reset.ts'
import { sendSecurityMail } from '../security/actions.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  reseller = await newReseller(app)
})

const password = 'granite otter lantern 58'
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers })
const noticesOf = async ({ userId }: Viewer) =>
  await app.db
    .selectFrom('notice')
    .select(['kind', 'reason'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'passwordChanged')
    .execute()

async function withKeys(count: number): Promise<Viewer> {
  const user = await newUser(app, { parent: reseller })
  for (let n = 0; n < count; n++) await newApiKey(app, user)
  return user
}
/** One that works no more. */
async function andEnded(user: Viewer, ended: object): Promise<void> {
  const { keyId } = await newApiKey(app, user)
  await app.db.updateTable('api_key').set(ended).where('id', '=', keyId).execute()
}

describe('a new password ends no keys, and says how many there are', () => {
  test('to the owner who changes it, in the notice and in the mail: those that work, no others', async () => {
    const user = await withKeys(2)
    await andEnded(user, { revoked_at: new Date() })
    await andEnded(user, { expires_at: new Date(Date.now() - 1000) })
    await andEnded(user, { is_paused: true })
    const reply = await post('password', { current: seededPassword, password }, await signedIn(app, user))
    expect(reply.json()).toEqual({ message: 'Success', keys: 2 })
    expect(await noticesOf(user)).toEqual([{ kind: 'passwordChanged', reason: '2 keys for programs still work' }])
    const { rows } = await app.pool.query<{ data: Parameters<typeof sendSecurityMail>[1] }>(
      "select data from pgboss.job where data->>'kind' = 'passwordChanged' and (data->>'userId')::int = $1",
      [user.userId],
    )
    if (!rows[0]) throw new Error('nothing is mailed')
    await sendSecurityMail(app, rows[0].data)
    const { text = '' } = app.mail.sent.at(-1) ?? {}
    expect(text).toContain('2 keys for programs still work. If you do not know of all, revoke them')
    expect(text).toContain('प्रोग्रामका 2 वटा की अझै चल्छन्।')
  })

  test('to whoever sets it by a mailed link, and to the owner of one that was set from above', async () => {
    const user = await withKeys(1)
    await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
    const token = /update-pwd\/([\w-]{43})$/m.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
    const reply = await post('update/pwd', { token, password })
    expect(reply.json()).toEqual({ message: 'Password Reset Successfully', keys: 1 })
    const given = { userId: user.userId, password: 'sunlit-teapot-47-goat' }
    expect((await post('pwd/reset', given, await signedIn(app, reseller))).statusCode).toBe(200)
    const told = { kind: 'passwordChanged', reason: '1 key for a program still works' }
    expect(await noticesOf(user)).toContainEqual(told)
  })

  test('and nothing of them where the account has none', async () => {
    const user = await withKeys(0)
    const reply = await post('password', { current: seededPassword, password }, await signedIn(app, user))
    expect(reply.json()).toEqual({ message: 'Success' })
    expect(await noticesOf(user)).toEqual([{ kind: 'passwordChanged', reason: null }])
  })
})

test('a session that ends while it asks for a key makes none', async () => {
  const user = await newUser(app, { parent: reseller })
  const headers = await signedIn(app, user)
  const asked = await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', user.userId).forNoKeyUpdate().execute()
    // Inject asks once somebody waits for its answer.
    const asking = post('keys', { name: 'Late', scopes: ['reports:read'] }, headers).then((reply) => reply.statusCode)
    await expect.poll(() => waitingFor(tx)).toBe(1)
    await tx.deleteFrom('session').where('user_id', '=', user.userId).execute()
    return { asking }
  })
  expect(await asked.asking).toBe(401)
  expect(await app.db.selectFrom('api_key').select('id').where('user_id', '=', user.userId).execute()).toEqual([])
})

/** How many wait until this transaction ends. */
async function waitingFor(tx: Tx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks l join pg_locks own using (transactionid)
     where own.pid = pg_backend_pid() and own.granted and not l.granted`.execute(tx)
  return rows[0]?.n ?? 0
}
