import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { requireGivable } from './actions.ts'

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  admin = await newSuperAdmin(app)
})

type Said = Record<string, unknown>
async function ask(viewer: Viewer, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: Said) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method, url: `/api/obd/${path}`, headers, ...(payload ? { payload } : {}) })
  return { status: reply.statusCode, said: reply.json(), headers: reply.headers }
}
const add = (viewer: Viewer, plan: Said) =>
  ask(viewer, 'POST', 'plan', { planName: 'Plan', pulseDuration: 30, ...plan })
const planOf = (userId: number, planId: number | null) =>
  app.db.updateTable('users').set({ plan_id: planId }).where('id', '=', userId).execute()

const wholesale = await newPlan(app, { pulsePaisa: 50 })
const shopOf = () => newReseller(app, { parent: admin, planId: wholesale })

describe('adding', () => {
  test('a reseller adds a plan that covers the reseller’s own; it is enabled, the reseller’s, and in the audit log', async () => {
    const shop = await shopOf()
    const { status, said } = await add(shop, { pulseDuration: '60', pulsePrice: '100', smsPrice: 150, userId: 1 })
    expect([status, said]).toEqual([200, { message: 'Success', planId: expect.any(Number) }])
    const list = await ask(shop, 'GET', `plans/${shop.userId}`)
    expect(list.said).toEqual([
      {
        planId: said.planId,
        planName: 'Plan',
        pulseDuration: 60,
        pulsePrice: 100,
        smsPrice: 150,
        planStatus: 1,
        username: shop.username,
        usedBy: 0,
      },
    ])
    const line = await app.db
      .selectFrom('audit_log')
      .select('action')
      .where('target', '=', `plan ${said.planId}`)
      .execute()
    expect(line).toEqual([{ action: 'plan.create' }])
  })

  test('an account has five hundred plans at most, also of ten that are added at once; a deleted one makes room', async () => {
    const shop = await shopOf()
    const flood = Array.from({ length: 497 }, (_, n) => {
      const price = { pulse_ms: 30_000, pulse_price_paisa: 60, created_by: shop.userId }
      return { owner_id: shop.userId, name: `Flood ${n}`, ...price }
    })
    const stored = await app.db.insertInto('plan').values(flood).returning('id').execute()
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, n) => add(shop, { planName: `More ${n}`, pulsePrice: 60 })),
    )
    expect(added.filter(({ status }) => status === 200)).toHaveLength(3)
    const text = 'is one too many: an account has at most 500 plans, delete one that you do not need'
    expect(added.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      said: { errors: [{ field: 'planName', code: 'quota', text }] },
    })
    expect((await ask(shop, 'DELETE', `plan/${stored[0]?.id}`)).status).toBe(200)
    expect((await add(shop, { planName: 'More', pulsePrice: 60 })).status).toBe(200)
  })

  test('one that is cheaper for any call is refused with the call, both costs and the price that would do', async () => {
    const shop = await shopOf()
    expect(await add(shop, { pulseDuration: 60, pulsePrice: 99 })).toMatchObject({
      status: 400,
      said: {
        message: 'Parameters Incorrect',
        errors: [
          {
            field: 'pulsePrice',
            code: 'plan_cheaper',
            text: 'is too low: calls of 31-60, 91-120, 151-180 s and so on would earn less than they cost: a call of 31 s would cost Rs 0.99, you pay Rs 1.00 for it yourself; at least 100 paisa per 60 s would do',
          },
        ],
      },
    })
    expect((await add(shop, { pulseDuration: 60, pulsePrice: 100 })).status).toBe(200)
    expect((await add(shop, { pulseDuration: 1, pulsePrice: 49, planName: 'Second' })).status).toBe(400)
    expect((await add(shop, { pulseDuration: 1, pulsePrice: 50, planName: 'Second' })).status).toBe(200)
  })

  test('an account without a plan cannot make one: there is nothing to compare with', async () => {
    expect((await add(await newReseller(app, { parent: admin }), { pulsePrice: 100 })).said.errors).toEqual([
      { field: 'pulsePrice', code: 'no_plan', text: 'cannot be compared: you have no plan yourself' },
    ])
  })

  test('a super admin adds at any price, for the platform; another super admin reads who made it', async () => {
    const name = 'Of the platform'
    const { said } = await add(admin, { planName: name, pulsePrice: 0 })
    const other = await newSuperAdmin(app)
    const found = await ask(other, 'GET', `plans/${other.userId}?search=OF THE plat`)
    expect(found.said).toMatchObject([{ planId: said.planId, pulsePrice: 0, username: admin.username }])
    const own = await ask(other, 'GET', `plans/list/${other.userId}`)
    expect(own.said).toContainEqual(expect.objectContaining({ planId: said.planId }))
  })

  test('a name is there once with its owner, whatever the case', async () => {
    const shop = await shopOf()
    await add(shop, { planName: 'Retail', pulsePrice: 60 })
    const again = await add(shop, { planName: ' retail ', pulsePrice: 70 })
    expect(again).toMatchObject({ status: 409, said: { errors: [{ field: 'planName', text: "'retail' is taken" }] } })
    expect((await add(await shopOf(), { planName: 'Retail', pulsePrice: 60 })).status).toBe(200)
  })

  test.each([
    { field: 'pulseDuration', value: 20, text: 'must be one of 1, 10, 15, 30, 60 seconds' },
    { field: 'pulseDuration', value: '1e1', text: 'must be one of 1, 10, 15, 30, 60 seconds' },
    { field: 'pulsePrice', value: -1, text: 'must be a whole number from 0 to 100000' },
    { field: 'pulsePrice', value: 0.5, text: 'must be a whole number from 0 to 100000' },
    { field: 'pulsePrice', value: '४०.५', text: 'must be a whole number from 0 to 100000' },
    { field: 'pulsePrice', value: '', text: 'is required' },
    { field: 'smsPrice', value: 100_001, text: 'must be a whole number from 0 to 100000' },
    { field: 'planName', value: ' ', text: 'is required' },
    { field: 'planName', value: 'x'.repeat(101), text: 'is longer than 100 characters' },
  ])('$field $value is refused: $text', async ({ field, value, text }) => {
    const { status, said } = await add(admin, { planName: 'Odd', pulsePrice: 60, [field]: value })
    expect([status, said.errors.map((one: Said) => [one.field, one.text])]).toEqual([400, [[field, text]]])
  })
})

describe('the switch', () => {
  test('a disabled plan is not offered; who is on it keeps it; switched on it is offered again', async () => {
    const shop = await shopOf()
    const { planId } = (await add(shop, { pulsePrice: 60 })).said
    const user = await newUser(app, { parent: shop, planId })
    const offered = async () => (await ask(shop, 'GET', `plans/list/${shop.userId}`)).said
    expect(await offered()).toMatchObject([{ planId, planName: 'Plan', pulseDuration: 30, pulsePrice: 60 }])
    const off = { planId, planStatus: '0' }
    expect(await ask(shop, 'POST', 'plan/update/status', off)).toMatchObject({ status: 200 })
    expect(await offered()).toEqual([])
    expect((await ask(user, 'GET', 'plan/own')).said).toMatchObject({ plan: { planId, pulsePrice: 60 } })
    expect((await ask(user, 'GET', `plans/${user.userId}`)).said).toMatchObject([{ planId, planStatus: 0 }])
    expect((await ask(shop, 'GET', `plans/${shop.userId}`)).said).toMatchObject([{ planStatus: 0, usedBy: 1 }])
    await ask(shop, 'POST', 'plan/update/status', { planId, planStatus: 1 })
    expect(await offered()).toHaveLength(1)
  })

  test('a plan that became too cheap for its owner is not offered', async () => {
    const shop = await shopOf()
    await add(shop, { pulsePrice: 60 })
    await planOf(shop.userId, await newPlan(app, { pulsePaisa: 61 }))
    expect((await ask(shop, 'GET', `plans/list/${shop.userId}`)).said).toEqual([])
  })
})

describe('deleting', () => {
  test('a plan in use is kept and says by whom; a deleted account does not count', async () => {
    const shop = await shopOf()
    const { planId } = (await add(shop, { pulsePrice: 60 })).said
    const users = []
    for (let i = 0; i < 7; i++) users.push(await newUser(app, { parent: shop, planId }))
    const names = users.slice(0, 5).map(({ username }) => `'${username}'`)
    expect(await ask(shop, 'DELETE', `plan/${planId}`)).toMatchObject({
      status: 409,
      said: {
        message: 'Request Failed!! Please try again',
        errors: [
          {
            field: 'planId',
            text: `is used by ${names.join(', ')} and 2 more: give them another plan first`,
          },
        ],
      },
    })
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('plan_id', '=', planId).execute()
    expect((await ask(shop, 'DELETE', `plan/${planId}`)).said).toEqual({ message: 'Success' })
    expect((await ask(shop, 'GET', `plans/${shop.userId}`)).said).toEqual([])
    expect((await ask(shop, 'DELETE', `plan/${planId}`)).status).toBe(404)
    expect((await add(shop, { pulsePrice: 60 })).status).toBe(200)
  })
})

describe('who may', () => {
  test('somebody else’s plan looks as if it did not exist; users change none', async () => {
    const [shop, other] = [await shopOf(), await shopOf()]
    const { planId } = (await add(shop, { pulsePrice: 60 })).said
    const user = await newUser(app, { parent: shop, planId })
    const off = { planId, planStatus: 0 }
    const missing = { status: 404, said: { message: 'No data found' } }
    expect(await ask(other, 'POST', 'plan/update/status', off)).toMatchObject(missing)
    expect(await ask(other, 'DELETE', `plan/${planId}`)).toMatchObject(missing)
    expect(await ask(other, 'GET', `plans/${shop.userId}`)).toMatchObject(missing)
    expect(await ask(user, 'GET', `plans/${shop.userId}`)).toMatchObject(missing)
    for (const [method, path, payload] of [
      ['POST', 'plan', { planName: 'x', pulseDuration: 30, pulsePrice: 99 }],
      ['POST', 'plan/update/status', off],
      ['DELETE', `plan/${planId}`, undefined],
      ['GET', `plans/list/${user.userId}`, undefined],
    ] as const)
      expect((await ask(user, method, path, payload)).status, path).toBe(403)
    expect((await ask(admin, 'POST', 'plan/update/status', off)).status).toBe(200)
  })

  test('the pulses are those of the platform', async () => {
    const { said } = await ask(admin, 'GET', 'pulse')
    expect(said.map((one: Said) => one.pulseDuration)).toEqual([1, 10, 15, 30, 60])
  })

  test('a list is sorted by each of its keys and paged', async () => {
    const shop = await shopOf()
    for (const [planName, pulseDuration, pulsePrice] of [
      ['b', 30, 70],
      ['A', 60, 100],
      ['c', 30, 60],
    ] as const)
      await add(shop, { planName, pulseDuration, pulsePrice })
    const names = async (query: string) =>
      (await ask(shop, 'GET', `plans/${shop.userId}?${query}`)).said.map((one: Said) => one.planName).join('')
    expect(await names('')).toBe('cAb')
    expect(await names('sort=planName')).toBe('Abc')
    expect(await names('sort=pulsePrice&order=desc')).toBe('Abc')
    expect(await names('sort=pulseDuration&pageSize=2')).toBe('bc')
    expect(await names('search=C')).toBe('c')
  })

  test('a list is narrowed down to a status, to pulses and to an owner whom the viewer may see', async () => {
    const shop = await shopOf()
    const { planId } = (await add(shop, { planName: 'a', pulseDuration: 30, pulsePrice: 70 })).said
    await add(shop, { planName: 'b', pulseDuration: 60, pulsePrice: 100 })
    await add(shop, { planName: 'c', pulseDuration: 15, pulsePrice: 60 })
    await ask(shop, 'POST', 'plan/update/status', { planId, planStatus: 0 })
    const of = async (viewer: Viewer, query: string) =>
      (await ask(viewer, 'GET', `plans/${viewer.userId}?sort=planName&${query}`)).said
        .map((one: Said) => one.planName)
        .join('')
    expect(await of(shop, 'planStatus=0')).toBe('a')
    expect(await of(shop, 'planStatus=1')).toBe('bc')
    expect(await of(shop, 'pulseDuration=30,15')).toBe('ac')
    expect(await of(shop, 'pulseDuration=30,60&planStatus=1')).toBe('b')
    expect(await of(admin, `owner=${shop.userId}`)).toBe('abc')
    expect((await ask(await shopOf(), 'GET', `plans/${shop.userId}`)).status).toBe(404)
    const stranger = await shopOf()
    expect(await ask(stranger, 'GET', `plans/${stranger.userId}?owner=${shop.userId}`)).toMatchObject({ status: 400 })
  })
})

describe('giving a plan to an account', () => {
  const giving = (giver: Viewer, planId: number, child: Viewer | null = null) =>
    app.db.transaction().execute((tx) => requireGivable(tx, giver, planId, child))
  const refused = (text: string | RegExp) => ({
    code: 'bad_input',
    errors: [{ field: 'planId', text: typeof text === 'string' ? text : expect.stringMatching(text) }],
  })

  test('only one’s own enabled plans are given; a disabled one stays with who has it', async () => {
    const shop = await shopOf()
    const { planId } = (await add(shop, { pulsePrice: 60 })).said
    const user = await newUser(app, { parent: shop, planId })
    await giving(shop, planId)
    await expect(giving(shop, wholesale)).rejects.toMatchObject(refused('is not one of your plans'))
    await expect(giving(admin, planId)).rejects.toMatchObject(refused('is not one of your plans'))
    await expect(giving(admin, 999_999)).rejects.toMatchObject(refused('is not one of your plans'))
    await ask(shop, 'POST', 'plan/update/status', { planId, planStatus: 0 })
    await expect(giving(shop, planId)).rejects.toMatchObject(refused('is disabled'))
    await giving(shop, planId, user)
  })

  test('a plan that is cheaper than the giver’s own by now is not given', async () => {
    const shop = await shopOf()
    const { planId } = (await add(shop, { pulsePrice: 60 })).said
    await planOf(shop.userId, await newPlan(app, { pulsePaisa: 61 }))
    await expect(giving(shop, planId)).rejects.toMatchObject(
      refused(
        /^is too cheap: calls of 1-3600 s would earn less than they cost: a call of 1 s would cost Rs 0\.60, you pay Rs 0\.61 .* at least 61 paisa per 30 s would do$/,
      ),
    )
    await planOf(shop.userId, null)
    await expect(giving(shop, planId)).rejects.toMatchObject(refused('cannot be given: you have no plan yourself'))
  })

  test('a reseller’s own plan is not changed to one above what the children pay; the refusal names them', async () => {
    const shop = await shopOf()
    const { planId } = (await add(shop, { planName: 'Retail', pulseDuration: 60, pulsePrice: 130 })).said
    const user = await newUser(app, { parent: shop, planId, username: 'retail customer' })
    const dear = (await add(admin, { planName: 'Dear', pulsePrice: 66 })).said.planId
    const just = (await add(admin, { planName: 'Just right', pulsePrice: 65 })).said.planId
    await expect(giving(admin, dear, shop)).rejects.toMatchObject(
      refused(
        "is too expensive: a call of 31 s costs retail customer Rs 1.30 by 'Retail', this account Rs 1.32; at most 65 paisa per 30 s would do",
      ),
    )
    await giving(admin, just, shop)
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.userId).execute()
    await giving(admin, dear, shop)
  })

  test('a plan is not deleted while it is being given, and not given once it is deleted', async () => {
    const shop = await shopOf()
    const { planId } = (await add(shop, { pulsePrice: 60 })).said
    const user = await newUser(app, { parent: shop })
    const given = app.db.transaction().execute(async (tx) => {
      await requireGivable(tx, shop, planId, user)
      await tx.updateTable('users').set({ plan_id: planId }).where('id', '=', user.userId).execute()
    })
    const [, deleted] = await Promise.allSettled([given, ask(shop, 'DELETE', `plan/${planId}`)])
    const onIt = await app.db.selectFrom('users').select('plan_id').where('id', '=', user.userId).executeTakeFirst()
    const plan = await app.db.selectFrom('plan').select('deleted_at').where('id', '=', planId).executeTakeFirstOrThrow()
    expect(deleted.status).toBe('fulfilled')
    expect(plan.deleted_at === null).toBe(onIt?.plan_id === planId)
  })
})
