import { mintId } from '../../db/platform-accounts.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Tx } from '../../db/db.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newSmsCampaign } from '../../sms/testing/fixtures.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser, sumOfBalances } from '../../testing/seed.ts'
import { accountView, belowView } from './actions-history.ts'
import { moveCredits, type Movement } from './actions-move.ts'
import { balanceOf, priceChain } from './actions.ts'
import { creditHandlers } from './routes.ts'
import { rowOf } from './rules.ts'
import { matches, namesLike, type HistoryView } from './store-search.ts'
import { sums } from './store-statement.ts'
import * as history from './store-history.ts'

const app = await testApp()
const inTx = <T>(work: (tx: Tx) => Promise<T>) => app.db.transaction().execute(work)
const give = (payerId: number, payeeId: number, paisa: number, more: Partial<Movement> = {}) =>
  inTx((tx) => moveCredits(tx, { payerId, payeeId, paisa, action: 'credit_add', byUserId: payerId, ...more }))

describe('movements', () => {
  test('credits that leave one account arrive at the other, with a line of history on both sides', async () => {
    const reseller = await newReseller(app, { rupees: 100 })
    const user = await newUser(app, { parent: reseller })
    await give(reseller.userId, user.userId, 2550)
    expect(await balanceOf(app.db, reseller.userId)).toEqual({ paisa: 7450, reservedPaisa: 0 })
    expect(await balanceOf(app.db, user.userId)).toEqual({ paisa: 2550, reservedPaisa: 0 })
    expect(await sumOfBalances(app)).toBe(0)
  })

  test('more than is free is refused and leaves no trace', async () => {
    const reseller = await newReseller(app, { rupees: 125_010 })
    const user = await newUser(app, { parent: reseller })
    await app.db.updateTable('account').set({ reserved_paisa: 400 }).where('id', '=', reseller.userId).execute()
    await expect(give(reseller.userId, user.userId, 12_500_601)).rejects.toMatchObject({
      code: 'bad_input',
      errors: [{ field: 'credits', code: 'balance_short', text: 'is more than the Rs 1,25,006.00 that are free' }],
    })
    const transfers = await app.db.selectFrom('transfer').select('id').where('payee_id', '=', user.userId).execute()
    expect(transfers).toEqual([])
    await give(reseller.userId, user.userId, 12_500_600)
    expect(await balanceOf(app.db, reseller.userId)).toEqual({ paisa: 400, reservedPaisa: 400 })
  })

  test('income can be given away', async () => {
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller })
    await sql`update account set balance_paisa = balance_paisa - 350 where kind = 'mint'`.execute(app.db)
    await app.db
      .insertInto('account_income')
      .values([
        { account_id: reseller.userId, slot: 1, paisa: 300 },
        { account_id: reseller.userId, slot: 2, paisa: 50 },
      ])
      .execute()
    expect(await balanceOf(app.db, reseller.userId)).toEqual({ paisa: 350, reservedPaisa: 0 })
    await give(reseller.userId, user.userId, 350)
    expect(await balanceOf(app.db, reseller.userId)).toEqual({ paisa: 0, reservedPaisa: 0 })
    expect(await sumOfBalances(app)).toBe(0)
  })

  test('fifty at once on money for ten give exactly ten', async () => {
    const reseller = await newReseller(app, { rupees: 10 })
    const users = await Promise.all(Array.from({ length: 5 }, () => newUser(app, { parent: reseller })))
    const given = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => give(reseller.userId, users[i % 5]?.userId ?? 0, 100)),
    )
    expect(given.filter((one) => one.status === 'fulfilled')).toHaveLength(10)
    expect(await balanceOf(app.db, reseller.userId)).toEqual({ paisa: 0, reservedPaisa: 0 })
    expect(await sumOfBalances(app)).toBe(0)
  })

  test('movements in opposite directions do not deadlock', async () => {
    const reseller = await newReseller(app, { rupees: 100 })
    const user = await newUser(app, { parent: reseller, rupees: 100 })
    const down = Array.from({ length: 10 }, () => give(reseller.userId, user.userId, 10))
    const up = Array.from({ length: 10 }, () => give(user.userId, reseller.userId, 10, { action: 'credit_remove' }))
    await Promise.all([...down, ...up])
    expect((await balanceOf(app.db, user.userId)).paisa).toBe(10_000)
  })
})

describe('the price chain', () => {
  test('every level pays the one above it, the last the platform', async () => {
    const top = await newReseller(app, { planId: await newPlan(app, { pulsePaisa: 40 }) })
    const reseller = await newReseller(app, { parent: top, planId: await newPlan(app, { pulsePaisa: 50 }) })
    const user = await newUser(app, {
      parent: reseller,
      planId: await newPlan(app, { pulsePaisa: 60, pulseSeconds: 15 }),
    })
    const revenue = await app.db
      .selectFrom('account')
      .select('id')
      .where('kind', '=', 'revenue')
      .executeTakeFirstOrThrow()
    expect(await inTx((tx) => priceChain(tx, user.userId))).toEqual([
      { level: 0, payerId: user.userId, payeeId: reseller.userId, pulseMs: 15_000, pulsePaisa: 60 },
      { level: 1, payerId: reseller.userId, payeeId: top.userId, pulseMs: 30_000, pulsePaisa: 50 },
      { level: 2, payerId: top.userId, payeeId: revenue.id, pulseMs: 30_000, pulsePaisa: 40 },
    ])
  })

  test('without a plan there is no price', async () => {
    const user = await newUser(app)
    await expect(inTx((tx) => priceChain(tx, user.userId))).rejects.toMatchObject({
      code: 'bad_input',
      errors: [{ field: 'plan', code: 'no_plan', text: 'is missing: your account has none' }],
    })
  })

  test('a plan that became cheaper than its parent’s is refused by name', async () => {
    const reseller = await newReseller(app, { planId: await newPlan(app, { pulsePaisa: 50 }) })
    const planId = await newPlan(app, { pulsePaisa: 50 })
    const user = await newUser(app, { parent: reseller, planId })
    await app.db.updateTable('plan').set({ pulse_price_paisa: 49 }).where('id', '=', planId).execute()
    await expect(inTx((tx) => priceChain(tx, user.userId))).rejects.toMatchObject({
      errors: [{ field: 'plan', code: 'plan_cheaper', text: expect.stringMatching(/is cheaper for some calls than/) }],
    })
  })
})

describe('history', async () => {
  const all = async (parts: Awaited<ReturnType<typeof history.sortable>>) =>
    (await Promise.all(parts.map((part) => part.execute()))).flat()
  const admin = await newSuperAdmin(app)
  const top = await newReseller(app, { parent: admin, username: 'Top' })
  const reseller = await newReseller(app, { parent: top, username: 'Shop' })
  const user = await newUser(app, { parent: reseller, username: 'Ram' })
  const mint = await mintId(app.db)
  await give(mint, top.userId, 100_000, { byUserId: admin.userId, reference: 'Invoice 7' })
  await give(top.userId, reseller.userId, 50_000)
  await give(reseller.userId, user.userId, 20_000)
  await give(user.userId, reseller.userId, 5000, { action: 'credit_remove', byUserId: reseller.userId, note: 'back' })

  const rowsOf = async (view: HistoryView, search?: string) =>
    (await history.list(app.db, view, { search })).rows.map(rowOf)
  const shown = (rows: ReturnType<typeof rowOf>[]) =>
    rows.map((r) => `${r.accountUsername}: ${r.fromUsername} → ${r.toUsername} ${r.credits}, ${r.userBalance}`)
  const seen = async (viewer: typeof user, userId = viewer.userId, search?: string) =>
    shown(await rowsOf(await accountView(app.db, viewer, userId), search))
  const below = async (viewer: typeof user, search?: string) =>
    shown(await rowsOf(await belowView(app.db, viewer), search))

  test('everybody first sees their own account', async () => {
    expect(await seen(user)).toEqual(['Ram: Ram → Shop -50, 150', 'Ram: Shop → Ram 200, 200'])
    expect(await seen(reseller)).toEqual([
      'Shop: Ram → Shop 50, 350',
      'Shop: Shop → Ram -200, 300',
      'Shop: Top → Shop 500, 500',
    ])
    expect(await seen(top)).toEqual(['Top: Top → Shop -500, 500', `Top: ${admin.username} → Top 1000, 1000`])
    expect((await seen(admin)).join()).toMatch(`Platform: ${admin.username} → Top -1000, `)
  })

  test('the sum of an account’s amounts is its balance, whoever looks at it', async () => {
    for (const [viewer, of] of [
      [user, user],
      [reseller, reseller],
      [reseller, user],
      [top, top],
      [top, reseller],
      [admin, user],
      [admin, top],
    ] as const) {
      const rows = await rowsOf(await accountView(app.db, viewer, of.userId))
      const { paisa } = await balanceOf(app.db, of.userId)
      const sum = rows.reduce((all, { credits }) => all + Math.round(credits * 100), 0)
      expect([sum, rows[0]?.userBalance], `${of.username} by ${viewer.username}`).toEqual([paisa, paisa / 100])
      expect(new Set(rows.map(({ accountUsername }) => accountUsername))).toEqual(new Set([of.username]))
    }
  })

  test('all below are a reseller’s children and a super admin’s everybody, each line with its own account’s side', async () => {
    expect(await below(reseller)).toEqual(['Ram: Ram → Shop -50, 150', 'Ram: Shop → Ram 200, 200'])
    expect(await below(top)).toEqual(await seen(reseller))
    const everybody = await below(admin)
    expect(everybody).toEqual(expect.arrayContaining([...(await seen(user)), ...(await seen(reseller))]))
    expect(everybody.filter((row) => row.startsWith('Platform:'))).toEqual([])
  })

  test('lines of cost and income of calls name their campaign', async () => {
    const shop = await newReseller(app, { username: 'Calls shop' })
    const caller = await newUser(app, { parent: shop, username: 'Caller' })
    const campaignId = await newCampaign(app, caller, { name: 'Tihar' })
    const line = { campaign_id: campaignId, day: '2026-11-20' }
    await app.db
      .insertInto('credit_entry')
      .values([
        { ...line, account_id: caller.userId, action: 'campaign_deduction', amount_paisa: -250, balance_paisa: 750 },
        { ...line, account_id: shop.userId, action: 'campaign_margin', amount_paisa: 50, balance_paisa: 50 },
      ])
      .execute()
    const page = await history.list(app.db, await belowView(app.db, shop), { search: 'tih' })
    const own = await history.list(app.db, await accountView(app.db, shop, shop.userId), { search: 'tih' })
    expect([...own.rows, ...page.rows].map(rowOf)).toMatchObject([
      {
        fromUsername: 'Campaign',
        toUsername: 'Calls shop',
        credits: 0.5,
        action: 'campaign_margin',
        campaignName: 'Tihar',
      },
      { fromUsername: 'Campaign', toUsername: 'Caller', credits: -2.5, action: 'campaign_deduction', userBalance: 7.5 },
    ])
  })

  test('lines of cost and income of messages name their campaign', async () => {
    const shop = await newReseller(app, { username: 'Messages shop' })
    const sender = await newUser(app, { parent: shop, username: 'Sender' })
    const campaignId = await newSmsCampaign(app, { user: sender, phones: [9779841000000], name: 'Maghe Sankranti' })
    const line = { sms_campaign_id: campaignId, day: '2026-11-20' }
    await app.db
      .insertInto('credit_entry')
      .values([
        { ...line, account_id: sender.userId, action: 'campaign_deduction', amount_paisa: -150, balance_paisa: 850 },
        { ...line, account_id: shop.userId, action: 'campaign_margin', amount_paisa: 30, balance_paisa: 30 },
      ])
      .execute()
    const views = [await accountView(app.db, shop, shop.userId), await belowView(app.db, shop)]
    for (const search of ['maghe', undefined]) {
      const pages = await Promise.all(
        views.map((view) => history.list(app.db, view, search === undefined ? {} : { search })),
      )
      expect(pages.flatMap(({ rows }) => rows.map(rowOf))).toMatchObject([
        { toUsername: 'Messages shop', credits: 0.3, action: 'campaign_margin', campaignName: 'Maghe Sankranti' },
        { toUsername: 'Sender', credits: -1.5, action: 'campaign_deduction', campaignName: 'Maghe Sankranti' },
      ])
    }
    const { groups } = await sums(app.db, sender.userId, new Date('2000-01-01'), new Date('2100-01-01'))
    expect(groups).toEqual([{ action: 'campaign_deduction', name: 'Maghe Sankranti', paisa: -150, entries: 1 }])
  })

  test('strangers and deeper accounts look as if they did not exist', async () => {
    const stranger = await newReseller(app)
    await expect(accountView(app.db, stranger, user.userId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(accountView(app.db, top, user.userId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(accountView(app.db, user, reseller.userId)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('search finds people, references and notes; %, _ and \\ are only characters', async () => {
    expect(await seen(user, user.userId, 'BACK')).toHaveLength(1)
    expect(await below(admin, 'invoice 7')).toHaveLength(1)
    expect(await seen(user, user.userId, '%')).toHaveLength(0)
    expect(await seen(reseller, reseller.userId, 'ram')).toHaveLength(2)
  })

  test('lines of deeper accounts are not a reseller’s', async () => {
    const middle = await newReseller(app, { parent: top, username: 'Middle' })
    const lower = await newReseller(app, { parent: middle, rupees: 9, username: 'Below' })
    const deep = await newUser(app, { parent: lower, username: 'Deep' })
    await give(lower.userId, deep.userId, 300)
    expect(await seen(middle)).toEqual([])
    expect(await below(middle)).toEqual(['Below: Below → Deep -3, 6', 'Below: Platform → Below 9, 9'])
  })

  test.each([
    [{ action: 'credit_add' }, 'Ram → Shop 50'],
    [{ action: 'credit_remove' }, 'Ram → Shop 50'],
    [{ action: 'campaign_deduction' }, undefined],
  ] as const)('is narrowed down to %o', async (filter, first) => {
    const view = await accountView(app.db, reseller, reseller.userId)
    const every = await history.list(app.db, view, {})
    const some = await history.list(app.db, view, {}, filter)
    expect(some.rows).toEqual(every.rows.filter(({ action }) => action === filter.action))
    expect(some.rows.length > 0).toBe(first !== undefined)
  })

  test('is narrowed down to a time, the last instant left out', async () => {
    const view = await accountView(app.db, reseller, reseller.userId)
    const times = (await history.list(app.db, view, {})).rows.map((row) => row.at)
    const [to, from] = [times[0], times.at(-2)]
    const some = await history.list(app.db, view, {}, { from, to })
    expect(some.rows.map((row) => row.at)).toEqual(times.slice(1, -1))
  })

  test.each(['ram', 'shop', 'back', 'invoice', 'credit', 'margin', 'platform', 'o'])(
    'what a search for ‘%s’ finds at once is what its lines match one by one, for every viewer',
    async (search) => {
      // If there are too many matches to send their ids, each line is tested instead.
      const unnamed = { search, people: null, ofCalls: null, ofMessages: null }
      for (const [viewer, isNamed] of [admin, top, reseller, user].flatMap((viewer) => [
        [viewer, true] as const,
        [viewer, false] as const,
      ])) {
        for (const view of [await accountView(app.db, viewer, viewer.userId), await belowView(app.db, viewer)]) {
          const names = isNamed ? await namesLike(app.db, view, search) : unnamed
          const found = await all(await history.sortable(app.db, view, {}, { names, few: [] }))
          const every = await history.list(app.db, view, {})
          const one = await app.db
            .selectFrom('credit_entry as e')
            .select('e.id')
            .where(sql<boolean>`e.id = any (${every.rows.map((row) => row.id)}::bigint[])`)
            .where(matches(names))
            .execute()
          const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).toSorted((a, b) => a - b)
          expect(ids(found), `${viewer.role} ${viewer.userId}`).toEqual(ids(one))
        }
      }
    },
  )

  test('the cursor goes through all lines once', async () => {
    const view = await belowView(app.db, top)
    const all = await history.list(app.db, view, {})
    const ids: number[] = []
    let after: string | undefined
    do {
      const page = await history.list(app.db, view, { pageSize: 2, ...(after && { after }) })
      expect(page).toMatchObject({ total: 3, exact: true })
      ids.push(...page.rows.map((row) => row.id))
      after = page.next
    } while (after)
    expect(ids).toEqual(all.rows.map((row) => row.id))
  })

  test('the wire: columns by role in the CSV, cells that a spreadsheet would run made harmless, strangers find nothing', async () => {
    const http = await testHttp(app, { handlers: { credits: creditHandlers } })
    const get = async (viewer: Viewer, path: string) =>
      http.inject({ url: `/api/obd/credits/history/${path}`, headers: await signedIn(app, viewer) })
    await give(reseller.userId, user.userId, 100, { reference: '=1+1', paymentMode: 'cash' })
    const page = await get(reseller, `${reseller.userId}?pageSize=1`)
    expect(page.json()).toMatchObject([{ credits: -1, action: 'credit_add', reference: '=1+1', paymentMode: 'cash' }])
    expect(page.headers).toMatchObject({ 'x-total-count': '4', 'x-next-after': expect.any(String) })
    expect((await get(user, `user/${user.userId}`)).json()).toHaveLength(3)
    expect((await get(reseller, `${reseller.userId}?accounts=below`)).json()).toMatchObject([
      { accountUsername: 'Ram', credits: 1, userBalance: 151 },
      { accountUsername: 'Ram', credits: -50 },
      { accountUsername: 'Ram', credits: 200 },
    ])
    const own = await get(reseller, `user/${reseller.userId}`)
    expect(own.json()).toMatchObject([{ credits: -1 }, { credits: 50 }, { credits: -200 }, { credits: 500 }])
    expect(own.json<{ userBalance: number }[]>().map((row) => row.userBalance)).toEqual([349, 350, 300, 500])
    const ofPlatform = await get(admin, `user/${admin.userId}?search=Invoice`)
    expect(ofPlatform.json()).toMatchObject([{ credits: -1000, toUsername: 'Top' }])
    const csv = await get(user, `${user.userId}/credits-history.csv`)
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [header, first] = csv.body.split('\r\n')
    expect(header).toBe('\ufeffAmount,Campaign,Action,Date,Reference,Payment Mode,Note')
    expect(first).toMatch(/^1\.00,,Credit added,[\d: -]{19},'=1\+1,cash,$/)
    const ofReseller = await get(reseller, `${reseller.userId}/credits-history.csv?search=Top`)
    const [ofResellers, received, end] = ofReseller.body.split('\r\n')
    expect(ofResellers).toBe('\ufeffAccount,From/To,Amount,Campaign,Action,Balance,Date,Reference,Payment Mode,Note')
    expect(received).toMatch(/^Shop,Top → Shop,500\.00,,Credit added,500\.00,[\d: -]{19},,,$/)
    expect(end).toBe('')
    const named = await get(admin, `${admin.userId}/credits-history.csv?search=Invoice`)
    expect(named.body).toMatch(/^\ufeffAccount,From,To,Amount,[^]*Platform,[^,]*,Top,-1000\.00,,Credit added,/)
    const childs = await get(reseller, `${reseller.userId}/credits-history.csv?accounts=below&search=shop`)
    expect(childs.body.split('\r\n')[1]).toMatch(/^Ram,Shop → Ram,1\.00,,Credit added,151\.00,/)
    const stranger = await newUser(app)
    for (const path of [`${user.userId}`, `user/${user.userId}`, `${user.userId}/credits-history.csv`])
      expect((await get(stranger, path)).statusCode).toBe(404)
  })
})
