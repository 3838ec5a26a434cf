import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { messages } from '@ghanti/contract/messages.ts'
import { checkInvariants } from '../../voice/invariants/invariants.sql.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, sumOfBalances } from '../../testing/seed.ts'
import { balanceOf } from '../credits/actions.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let platformPlan: number
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  platformPlan = await newPlan(app, { pulsePaisa: 40 })
})

type Fields = Record<string, unknown>
type Said = { message: string; userId?: number; errors?: { field: string; code: string; text: string }[] }
let serial = 0
async function post(viewer: Viewer, path: string, payload: Fields) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method: 'POST', url: `/api/obd/${path}`, headers, payload })
  const { message, userId = 0, errors = [] } = reply.json<Said>()
  return { status: reply.statusCode, message, userId, errors: errors.map(({ field, text }) => `${field} ${text}`) }
}
const nameOf = (n: number) => `served ${n}`
const person = (more: Fields): Fields => ({
  username: nameOf(++serial),
  password: 'xk7Qp2!v',
  name: 'Gita Rai',
  emailid: 'gita@example.com',
  number: '9841000001',
  company: 'Himal',
  address: 'Kathmandu',
  pincode: '44600',
  accountType: 0,
  userType: 'user',
  channels: 1,
  ...more,
})

/** A reseller with a plan to give, an amount to give and a caller ID to pass on. */
async function seller(rupees: number) {
  const viewer = await newReseller(app, { parent: boss, channels: 100, planId: platformPlan, rupees })
  const planId = await newPlan(app, { owner: viewer, pulsePaisa: 50 })
  const { cliId, cli } = await newLine(app, { holders: [viewer] })
  const register = (more: Fields) => post(viewer, 'register', person({ planId, ...more }))
  return { viewer, planId, cliId, cli, register }
}
const paisaOf = async (userId: number) => (await balanceOf(app.db, userId)).paisa
const holdersOf = async (cliId: number) =>
  (await app.db.selectFrom('cli_holder').select('account_id').where('cli_id', '=', cliId).orderBy('id').execute()).map(
    ({ account_id }) => account_id,
  )
const entriesOf = (userId: number) =>
  app.db
    .selectFrom('credit_entry')
    .select(['action', 'other_id', 'amount_paisa', 'balance_paisa', 'by_user_id', 'reference', 'payment_mode', 'note'])
    .where('account_id', '=', userId)
    .orderBy('id')
    .execute()
const auditOf = (target: string) =>
  app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'detail'])
    .where('target', '=', target)
    .orderBy('id')
    .execute()
const named = (usernames: readonly string[]) =>
  app.db.selectFrom('users').select('id').where('username', 'in', usernames).execute()
async function nothingIsWrong() {
  expect(await sumOfBalances(app)).toBe(0)
  expect(Object.entries(await checkInvariants(app.pool)).filter(([, violations]) => violations > 0)).toEqual([])
}

describe('an account with credits and caller IDs', () => {
  test('comes with both, by the rows that a recharge and an allocation write', async () => {
    const { viewer, cliId, cli, register } = await seller(1000)
    const made = await register({ credits: '125.50', clis: [cliId] })
    expect(made).toMatchObject({ status: 200, message: 'User Created Successfully' })
    expect([await paisaOf(made.userId), await paisaOf(viewer.userId)]).toEqual([12_550, 87_450])
    expect(await holdersOf(cliId)).toEqual([viewer.userId, made.userId])

    const second = await register({})
    expect(await post(viewer, 'credits/add', { userId: second.userId, credits: 125.5 })).toMatchObject({ status: 200 })
    const [first] = await entriesOf(made.userId)
    const [later] = await entriesOf(second.userId)
    expect(first).toEqual(later)
    expect((await entriesOf(viewer.userId)).slice(-2).map(({ amount_paisa }) => amount_paisa)).toEqual([
      -12_550, -12_550,
    ])
    const kinds = async (userId: number) =>
      (await app.db.selectFrom('transfer').selectAll().where('payee_id', '=', userId).execute()).map(
        ({ payer_id, amount_paisa, kind }) => ({ payer_id, amount_paisa, kind }),
      )
    expect(await kinds(made.userId)).toEqual(await kinds(second.userId))

    const actions = (await auditOf(`user ${made.userId}`)).map(({ action }) => action)
    expect(actions).toEqual(['user.create', 'credits.add'])
    const recharges = async (userId: number) =>
      (await auditOf(`user ${userId}`)).filter(({ action }) => action === 'credits.add')
    expect(await recharges(made.userId)).toEqual(await recharges(second.userId))
    expect((await auditOf(`cli ${cliId}`)).at(-1)).toEqual({
      actor_id: viewer.userId,
      action: 'cli.allocate',
      detail: { cli, userId: made.userId },
    })
    await nothingIsWrong()
  })

  test('below a super admin gets its credits from the platform', async () => {
    const { cliId } = await newLine(app)
    const given = { planId: platformPlan, userType: 'reseller', credits: 500, clis: JSON.stringify([cliId]) }
    const made = await post(boss, 'register', person(given))
    expect(made).toMatchObject({ status: 200 })
    expect(await paisaOf(made.userId)).toBe(50_000)
    expect(await holdersOf(cliId)).toEqual([made.userId])
    await nothingIsWrong()
  })

  test('register1 gives both as well', async () => {
    const { viewer, planId, cliId } = await seller(100)
    const body = new FormData()
    const fields = person({ planId, credits: '40', clis: JSON.stringify([cliId]), domain: 'served.example' })
    for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
    const sent = new Response(body)
    const reply = await http.inject({
      method: 'POST',
      url: '/api/obd/register1',
      headers: { ...(await signedIn(app, viewer)), 'content-type': sent.headers.get('content-type') ?? '' },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
    const { userId = 0 } = reply.json<Said>()
    expect([await paisaOf(userId), await paisaOf(viewer.userId)]).toEqual([4000, 6000])
    expect(await holdersOf(cliId)).toEqual([viewer.userId, userId])
  })

  test('is not made when one of them is refused: no account, no movement, no allocation, no line of the audit log', async () => {
    const { viewer, cliId, register } = await seller(100)
    const { viewer: other, cliId: foreign } = await seller(0)
    const before = await app.db
      .selectFrom('audit_log')
      .select((e) => e.fn.countAll().as('n'))
      .executeTakeFirst()
    const from = serial
    expect(await register({ credits: 100.01, clis: [cliId] })).toMatchObject({
      status: 400,
      errors: ['credits is more than the Rs 100.00 that are free'],
    })
    expect(await register({ credits: 1, clis: [cliId, foreign] })).toMatchObject({
      status: 400,
      errors: ['clis.1 is not a caller ID of yours'],
    })
    expect(await register({ credits: 1, clis: [cliId, cliId] })).toMatchObject({ status: 400 })
    expect(await register({ credits: 1, clis: [cliId], channels: 101 })).toMatchObject({
      message: messages.channelLimit,
    })
    for (const credits of [0, -5, '0'])
      expect(await register({ credits })).toMatchObject({
        status: 400,
        errors: [`credits ${messages.rechargeAmount}`],
      })
    expect((await register({ credits: '1.005' })).status).toBe(400)
    expect((await register({ clis: 'all' })).status).toBe(400)
    expect(await named(Array.from({ length: serial - from }, (_, n) => nameOf(from + n + 1)))).toEqual([])
    expect([await paisaOf(viewer.userId), await holdersOf(cliId)]).toEqual([10_000, [viewer.userId]])
    expect(await holdersOf(foreign)).toEqual([other.userId])
    expect(await entriesOf(viewer.userId)).toHaveLength(1)
    expect(
      await app.db
        .selectFrom('audit_log')
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirst(),
    ).toEqual(before)
    await nothingIsWrong()
  })
})

describe('at the same time', () => {
  test('of ten that would each spend the last credits one is made, and nobody has a trace of the others', async () => {
    const { viewer, register } = await seller(100)
    const from = serial
    const replies = await Promise.all(Array.from({ length: 10 }, () => register({ credits: 60 })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)])
    expect(new Set(replies.flatMap(({ errors }) => errors))).toEqual(
      new Set(['credits is more than the Rs 40.00 that are free']),
    )
    expect(await named(Array.from({ length: 10 }, (_, n) => nameOf(from + n + 1)))).toHaveLength(1)
    expect(await paisaOf(viewer.userId)).toBe(4000)
    await nothingIsWrong()
  })

  test('a recharge and a register share what is free, in either order', async () => {
    const { viewer, register } = await seller(100)
    const { userId } = await register({})
    const both = await Promise.all([
      ...Array.from({ length: 5 }, () => register({ credits: 30 })),
      ...Array.from({ length: 5 }, () => post(viewer, 'credits/add', { userId, credits: 30 })),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, ...Array(7).fill(400)])
    expect(await paisaOf(viewer.userId)).toBe(1000)
    await nothingIsWrong()
  })

  test('a caller ID that is allocated meanwhile goes to one of them, and the other account is not made', async () => {
    const { viewer, register, cliId } = await seller(1000)
    const { userId } = await register({})
    const from = serial
    const allocation = { cliRows: [{ cliId, userId }] }
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => register({ credits: 10, clis: [cliId] })),
      post(viewer, 'allocate/cli', allocation),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)])
    const said = replies.flatMap(({ errors }) => errors)
    for (const text of said) expect(text).toMatch(/^(clis\.0|cliRows\.0\.cliId) is allocated to '.*' already$/)
    const made = replies.slice(0, 5).filter(({ status }) => status === 200)
    expect(await named(Array.from({ length: 5 }, (_, n) => nameOf(from + n + 1)))).toHaveLength(made.length)
    expect(await holdersOf(cliId)).toEqual([viewer.userId, made[0]?.userId ?? userId])
    expect(await paisaOf(viewer.userId)).toBe(100_000 - 1000 * made.length)
    await nothingIsWrong()
  })

  test('one whose giver is deleted meanwhile is not made', async () => {
    const { viewer, register, cliId } = await seller(100)
    await Promise.all([
      register({ credits: 100, clis: [cliId] }),
      http.inject({
        method: 'DELETE',
        url: `/api/obd/user/${viewer.userId}`,
        headers: await signedIn(app, boss),
      }),
    ])
    const rows = await app.db
      .selectFrom('users')
      .innerJoin('users as child', 'child.parent_id', 'users.id')
      .select('child.id')
      .where('users.id', '=', viewer.userId)
      .where('users.deleted_at', 'is not', null)
      .where('child.deleted_at', 'is', null)
      .execute()
    expect(rows, 'accounts below a deleted one').toEqual([])
    await nothingIsWrong()
  })
})
