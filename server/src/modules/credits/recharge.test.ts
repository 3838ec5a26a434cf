import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { giveRupees, newReseller, newSuperAdmin, newUser, sumOfBalances } from '../../testing/seed.ts'
import { balanceOf } from './actions.ts'

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  admin = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: admin })
  user = await newUser(app, { parent: reseller })
})

type Said = Record<string, unknown>
async function post(viewer: Viewer, what: 'add' | 'remove', payload: Said, key?: string) {
  const headers = { ...(await signedIn(app, viewer)), ...(key ? { 'idempotency-key': key } : {}) }
  const reply = await http.inject({ method: 'POST', url: `/api/obd/credits/${what}`, headers, payload })
  return { status: reply.statusCode, said: reply.json() }
}
const rupeesOf = async ({ userId }: Viewer) => (await balanceOf(app.db, userId)).paisa / 100
const accountOf = async (viewer: Viewer, userId: number) => {
  const reply = await http.inject({ url: `/api/obd/credits/account/${userId}`, headers: await signedIn(app, viewer) })
  return { status: reply.statusCode, said: reply.json() }
}

describe('who recharges whom', () => {
  test('a super admin issues credits, a reseller passes them on and takes them back; history and audit log say so', async () => {
    const paid = { reference: 'Invoice 7', paymentMode: 'bank', note: 'paid in part' }
    const issued = await post(admin, 'add', { userId: reseller.userId, parent: 1, credits: '1000.50', ...paid })
    expect(issued).toEqual({ status: 200, said: { message: 'Success', credits: 1000.5, free: 1000.5 } })
    expect((await post(reseller, 'add', { userId: user.userId, credits: 300.25 })).said.credits).toBe(300.25)
    expect((await post(reseller, 'remove', { userId: user.userId, credits: 100 })).said.credits).toBe(200.25)
    expect(await rupeesOf(reseller)).toBe(800.25)
    expect(await sumOfBalances(app)).toBe(0)
    const lines = await app.db
      .selectFrom('credit_entry')
      .select(['action', 'amount_paisa', 'by_user_id', 'reference', 'payment_mode', 'note'])
      .where('account_id', '=', reseller.userId)
      .orderBy('id')
      .execute()
    expect(lines).toEqual([
      {
        action: 'credit_add',
        amount_paisa: 100_050,
        by_user_id: admin.userId,
        reference: 'Invoice 7',
        payment_mode: 'bank',
        note: 'paid in part',
      },
      expect.objectContaining({ action: 'credit_add', amount_paisa: -30_025, by_user_id: reseller.userId }),
      expect.objectContaining({ action: 'credit_remove', amount_paisa: 10_000 }),
    ])
    const audited = await app.db
      .selectFrom('audit_log')
      .select(['action', 'detail'])
      .where('target', '=', `user ${reseller.userId}`)
      .execute()
    expect(audited).toEqual([{ action: 'credits.add', detail: { credits: 1000.5, ...paid } }])
  })

  test('any super admin acts for the platform; a reseller does not recharge who is deeper', async () => {
    const other = await newSuperAdmin(app)
    const above = await newReseller(app, { parent: admin })
    const between = await newReseller(app, { parent: above })
    const deep = await newUser(app, { parent: between })
    for (const viewer of [admin, other])
      for (const { userId } of [above, deep])
        expect((await post(viewer, 'add', { userId, credits: 1 })).status).toBe(200)
    const text = `belongs to ${between.username}, who recharges it`
    expect(await post(above, 'add', { userId: deep.userId, credits: 1 })).toEqual({
      status: 403,
      said: { message: 'Not allowed', errors: [{ field: 'userId', code: 'not_direct', text }] },
    })
    expect((await accountOf(above, deep.userId)).status).toBe(403)
  })

  test('strangers, missing and deleted accounts are not there; nobody recharges their own account, and users nobody', async () => {
    const stranger = await newUser(app)
    const gone = await newUser(app, { parent: reseller })
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.userId).execute()
    for (const userId of [stranger.userId, gone.userId, 999_999]) {
      expect(await post(reseller, 'add', { userId, credits: 1 })).toEqual({
        status: 404,
        said: { message: 'No data found' },
      })
      expect((await accountOf(reseller, userId)).status).toBe(404)
    }
    expect((await post(reseller, 'add', { userId: reseller.userId, credits: 1 })).status).toBe(403)
    expect((await post(admin, 'add', { userId: admin.userId, credits: 1 })).status).toBe(403)
    expect((await post(user, 'add', { userId: user.userId, credits: 1 })).status).toBe(403)
  })
})

describe('amounts', () => {
  const atMostTwo = 'must be an amount in rupees with at most two decimals, below 1000000000'
  const notAboveZero = 'Recharge Amount cannot be less than or equal to 0'
  test.each([
    ['0', notAboveZero],
    [0, notAboveZero],
    ['0.00', notAboveZero],
    [-1, notAboveZero],
    ['-0.001', notAboveZero],
    [-0.5, notAboveZero],
    [0.001, atMostTwo],
    ['10.555', atMostTwo],
    [0.1 + 0.2, atMostTwo],
    ['1e5', atMostTwo],
    [1e300, atMostTwo],
    ['1000000000', atMostTwo],
    ['NaN', atMostTwo],
    ['Infinity', atMostTwo],
    ['१००.५५५', atMostTwo],
    ['１００', atMostTwo],
    ['1,0', atMostTwo],
    ['0x10', atMostTwo],
    ['+5', atMostTwo],
    ['5.', atMostTwo],
    ['.5', atMostTwo],
    [true, atMostTwo],
    [[5], atMostTwo],
    [{}, atMostTwo],
    ['', 'is required'],
    [null, 'is required'],
  ])('%j is refused at credits: %s', async (credits, text) => {
    const before = await rupeesOf(user)
    for (const what of ['add', 'remove'] as const) {
      const { status, said } = await post(reseller, what, { userId: user.userId, credits })
      expect([status, said.message]).toEqual([400, 'Parameters Incorrect'])
      expect(said.errors).toEqual([expect.objectContaining({ field: 'credits', text })])
    }
    expect(await rupeesOf(user)).toBe(before)
  })

  test('paisa are exact, whatever their binary form', async () => {
    const rich = await newReseller(app, { parent: admin })
    for (const credits of [0.1, '0.2', 4.35, '1.1', 999_999_999.99, 0.01])
      expect((await post(admin, 'add', { userId: rich.userId, credits })).status).toBe(200)
    expect((await balanceOf(app.db, rich.userId)).paisa).toBe(10 + 20 + 435 + 110 + 99_999_999_999 + 1)
  })

  test.each([
    { paymentMode: 'shells', field: 'paymentMode' },
    { reference: 'x'.repeat(101), field: 'reference' },
    { note: 'x'.repeat(501), field: 'note' },
    { reference: '\u0000', field: 'reference' },
  ])('$field is checked', async ({ field, ...more }) => {
    const { status, said } = await post(reseller, 'add', { userId: user.userId, credits: 1, ...more })
    expect([status, said.errors.map((one: Said) => one.field)]).toEqual([400, [field]])
  })
})

describe('what is free', () => {
  test('neither side gives more than it has free: what calls reserved stays', async () => {
    const shop = await newReseller(app, { parent: admin, rupees: 10 })
    const child = await newUser(app, { parent: shop, rupees: 8 })
    await app.db.updateTable('account').set({ reserved_paisa: 550 }).where('id', '=', child.userId).execute()
    const short = (rupees: string) => [
      { field: 'credits', code: 'balance_short', text: `is more than the Rs ${rupees} that are free` },
    ]
    const taken = await post(shop, 'remove', { userId: child.userId, credits: 2.51 })
    expect([taken.status, taken.said.errors]).toEqual([400, short('2.50')])
    const given = await post(shop, 'add', { userId: child.userId, credits: 10.01 })
    expect([given.status, given.said.errors]).toEqual([400, short('10.00')])
    expect((await accountOf(shop, child.userId)).said).toEqual({
      userId: child.userId,
      username: child.username,
      credits: 8,
      reserved: 5.5,
      free: 2.5,
      ownFree: 10,
      last: null,
    })
    expect((await post(shop, 'remove', { userId: child.userId, credits: 2.5 })).said).toMatchObject({ free: 0 })
    expect((await accountOf(shop, child.userId)).said).toMatchObject({
      ownFree: 12.5,
      last: { action: 'credit_remove', credits: 2.5, secondsAgo: expect.any(Number) },
    })
    expect((await accountOf(admin, shop.userId)).said).toMatchObject({ ownFree: null })
  })
})

describe('once', () => {
  test('the same key gives once, however often and however fast it is sent; another body is refused', async () => {
    const child = await newUser(app, { parent: reseller })
    await giveRupees(app, reseller.userId, 500)
    const body = { userId: child.userId, credits: 5 }
    const sent = await Promise.all(Array.from({ length: 20 }, () => post(reseller, 'add', body, 'one')))
    expect(sent.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(await post(reseller, 'add', body, 'one')).toMatchObject({ status: 200, said: { credits: 5 } })
    expect(await rupeesOf(child)).toBe(5)
    expect((await post(reseller, 'add', { ...body, credits: 6 }, 'one')).status).toBe(422)
    expect((await post(reseller, 'remove', body, 'one')).status).toBe(422)
    expect((await post(reseller, 'add', body, 'two')).said).toMatchObject({ credits: 10 })
  })
})
