import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newSmsCampaign } from '../../sms/testing/fixtures.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { accountView, belowView } from './actions-history.ts'
import { foundIn, matches, namesLike, type Filter, type HistoryView } from './store-search.ts'
import * as history from './store-history.ts'

const app = await testApp()
const unnamed = { people: null, ofCalls: null, ofMessages: null }

test('a search that finds more lines than are counted shows the newest, then the next', async () => {
  const shop = await newReseller(app, { username: 'Large shop' })
  const caller = await newUser(app, { parent: shop })
  const campaignId = await newCampaign(app, caller, { name: 'Every day' })
  await sql`
    insert into credit_entry (account_id, action, campaign_id, day, amount_paisa, balance_paisa, at)
    select ${caller.userId}, 'campaign_deduction', case when n % 10 > 0 then ${campaignId}::int end, '2000-01-01'::date + n, -n, 0, now() - n * interval '1 day'
      from generate_series(1, 11500) n`.execute(app.db)
  const view = await belowView(app.db, shop)
  const page = await history.list(app.db, view, { search: 'every DAY', pageSize: 10 })
  expect([page.total, page.exact]).toEqual([1000, false])
  // Campaigns are searched from three letters on, and only the viewer's.
  expect((await history.list(app.db, view, { search: 'ev', pageSize: 10 })).total).toBe(0)
  const stranger = await newUser(app)
  const strangers = await accountView(app.db, stranger, stranger.userId)
  expect(await namesLike(app.db, strangers, 'every day')).toMatchObject({ ofCalls: '{}', ofMessages: '{}' })
  const next = await history.list(app.db, view, { search: 'every day', pageSize: 2, after: page.next ?? '' })
  const days = [...page.rows, ...next.rows].map((row) => -row.amountPaisa)
  expect(days).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13])
  const every = await history.sortable(app.db, view, {}, { names: await namesLike(app.db, view, 'every day'), few: [] })
  const found = (await Promise.all(every.map((part) => part.execute()))).flat()
  expect(found).toHaveLength(10_350)
  expect(found.map((line) => line.id)).toEqual(
    expect.arrayContaining([...page.rows, ...next.rows].map((row) => row.id)),
  )
  expect(new Set(found.map((line) => line.id)).size).toBe(10_350)
})

test('words of many old lines, which the newest do not have, are found without a walk through these', async () => {
  const shop = await newReseller(app)
  await sql`
    insert into credit_entry (account_id, action, other_id, amount_paisa, balance_paisa, at, reference)
    select ${shop.userId}, 'credit_add', id, n, 0, now() - n * interval '1 day', case when n > 3000 then 'Voucher ' when n > 1500 then 'Cheque ' else 'Receipt ' end || n
      from account, generate_series(1, 14000) n where kind = 'mint'`.execute(app.db)
  const view = await accountView(app.db, shop, shop.userId)
  const states = async (search: string) => foundIn(app.db, view, {}, await namesLike(app.db, view, search))
  expect(await states('voucher')).toEqual([{ ids: null, isOld: true }])
  expect((await states('receipt'))[0]).toEqual({ ids: null, isOld: false })
  // The index reads all of them for the first: they are kept, and sorted.
  const cheques = (await states('cheque'))[0]
  expect([cheques?.ids?.length, cheques?.isOld]).toEqual([1500, false])
  // When a search matches too many people, the lines are walked through, with the same result.
  const sorted = (found: Awaited<ReturnType<typeof states>>) => found.map(({ ids }) => ids?.toSorted((a, b) => a - b))
  for (const search of ['cheque 27', 'receipt 12', 'zzz'])
    expect(sorted(await foundIn(app.db, view, {}, { ...unnamed, search })), search).toEqual(
      sorted(await states(search)),
    )
  for (const [search, first] of [
    ['voucher', 3001],
    ['cheque', 1501],
  ] as const) {
    const page = await history.list(app.db, view, { search, pageSize: 2 })
    const next = await history.list(app.db, view, { search, pageSize: 2, after: page.next ?? '' })
    expect([...page.rows, ...next.rows].map((row) => row.amountPaisa)).toEqual([0, 1, 2, 3].map((n) => first + n))
    expect([page.total, page.exact]).toEqual([1000, false])
    const oldest = await history.list(app.db, view, { search, pageSize: 1, sort: 'reqDate', order: 'asc' })
    expect(oldest.rows[0]?.amountPaisa).toBe(search === 'voucher' ? 14_000 : 3000)
  }
})

test('a search of many of a reseller’s own lines is apart from the few of the children’s', async () => {
  const shop = await newReseller(app)
  const child = await newUser(app, { parent: shop })
  await sql`
    insert into credit_entry (account_id, action, campaign_id, day, amount_paisa, balance_paisa, at)
    select ${shop.userId}::int, 'campaign_margin'::credit_action, null::int, '2000-01-01'::date + n, n, 0, now() - n * interval '2 hours' from generate_series(1, 1100) n
     union all
    select ${child.userId}::int, 'campaign_deduction', null, '2000-01-01'::date + n, -n, 0, now() - n * interval '1 hour' from generate_series(1, 1100) n`.execute(
    app.db,
  )
  await sql`
    insert into credit_entry (account_id, action, other_id, amount_paisa, balance_paisa, at, note)
    select ${child.userId}, 'credit_add', id, 100000, 0, now() - interval '5 hours', 'Margin of May' from account where kind = 'mint'`.execute(
    app.db,
  )
  const view = await accountView(app.db, shop, shop.userId)
  const page = await history.list(app.db, view, { search: 'margin', pageSize: 4 })
  const next = await history.list(app.db, view, { search: 'margin', pageSize: 2, after: page.next ?? '' })
  expect([...page.rows, ...next.rows].map((row) => row.amountPaisa)).toEqual([1, 2, 3, 4, 5, 6])
  expect([page.total, page.exact]).toEqual([1000, false])
  const below = await history.list(app.db, await belowView(app.db, shop), { search: 'margin' })
  expect(below.rows.map((row) => row.amountPaisa)).toEqual([100_000])
})

test.each([
  ['few', 'CHEQUE 42', 11, true],
  ['many', 'bank', 1000, false],
  ['none', 'esewa', 0, true],
  ['all, but is too short to be looked for', 'ba', 0, true],
])('of very many movements a search finds by a word that %s have in their notes', async (_, search, total, exact) => {
  const payer = await newReseller(app)
  await sql`
    insert into credit_entry (account_id, action, other_id, amount_paisa, balance_paisa, at, note)
    select ${payer.userId}, 'credit_add', (select id from account where kind = 'mint'), n, 0, now() - n * interval '1 hour', 'Bank, cheque ' || n % 100
      from generate_series(1, 1100) n`.execute(app.db)
  const view = await accountView(app.db, payer, payer.userId)
  const page = await history.list(app.db, view, { search, pageSize: 25 })
  expect([page.total, page.exact]).toEqual([total, exact])
  const paisa = page.rows.map((row) => row.amountPaisa)
  expect(paisa).toEqual(paisa.toSorted((a, b) => a - b))
  expect(paisa).toHaveLength(Math.min(total, 25))
})

describe('a search of what is narrowed down', async () => {
  const admin = await newSuperAdmin(app)
  const shop = await newReseller(app, { parent: admin })
  const sender = await newUser(app, { parent: shop })
  const calls = await newCampaign(app, sender, { name: 'Chhath offer' })
  const messages = await newSmsCampaign(app, { user: sender, phones: [9779841000001], name: 'Chhath greetings' })
  const midnight = new Date('2026-11-20T00:00:00+05:45')
  await sql`
    insert into credit_entry (account_id, action, campaign_id, sms_campaign_id, day, amount_paisa, balance_paisa, at, note)
    select payer, action::credit_action, campaign_id, sms_campaign_id, nepal_day(at), 10, 0, at, null
      from (values (${sender.userId}::int, 'campaign_deduction'), (${shop.userId}, 'campaign_margin')) p (payer, action),
           (values (${calls}::int, null::int), (null, ${messages}::int)) c (campaign_id, sms_campaign_id),
           unnest(array[interval '-2 days', '-1 microsecond', '0 hours', '1 day', '2 days']) from_midnight,
           lateral (select ${midnight}::timestamptz + from_midnight as at) t
    union all
    select ${sender.userId}, 'credit_add', null, null, null, 10, 0, ${midnight}, 'For Chhath'`.execute(app.db)
  const nextDay = new Date('2026-11-21T00:00:00+05:45')
  const filters: [Filter, number][] = [
    [{}, 21],
    [{ from: midnight, to: nextDay }, 5],
    [{ from: midnight }, 13],
    [{ to: midnight }, 8],
    [{ to: new Date(midnight.getTime() + 1) }, 13],
    [{ action: 'campaign_margin' }, 10],
    [{ action: 'campaign_deduction', from: nextDay }, 4],
    [{ action: 'credit_add' }, 1],
  ]
  const partsOf = async (view: HistoryView, filter: Filter) => {
    const names = await namesLike(app.db, view, 'chhath', filter)
    return { names, parts: await history.sortable(app.db, view, filter, { names, few: [] }) }
  }

  test.each(filters)('finds by names what its lines match one by one: %o', async (filter, lines) => {
    const below = await belowView(app.db, shop)
    const views = {
      admin: [await belowView(app.db, admin)],
      shop: [await accountView(app.db, shop, shop.userId), below],
    }
    for (const [viewer, each] of Object.entries(views)) {
      let all = 0
      for (const view of each) {
        const { names, parts } = await partsOf(view, filter)
        const found = (await Promise.all(parts.map((part) => part.execute()))).flat().map(({ id }) => id)
        const every = (await history.list(app.db, view, {}, filter)).rows.map(({ id }) => id)
        const matching = await app.db
          .selectFrom('credit_entry as e')
          .select('e.id')
          .where(sql<boolean>`e.id = any (${every}::bigint[])`)
          .where(matches(names))
          .execute()
        expect(
          found.toSorted((a, b) => a - b),
          viewer,
        ).toEqual(matching.map(({ id }) => id).toSorted((a, b) => a - b))
        all += found.length
      }
      expect(all, viewer).toBe(lines)
    }
  })

  test('looks at no campaign for what people moved, and at the lines of no other day', async () => {
    const view = await belowView(app.db, admin)
    const moved = await partsOf(view, { action: 'credit_add' })
    expect(moved.names).toMatchObject({ ofCalls: '{}', ofMessages: '{}' })
    for (const part of moved.parts) expect(part.compile().sql).not.toContain('campaign_progress')
    const plan = await app.db.transaction().execute(async (tx) => {
      await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
        tx,
      )
      const names = await namesLike(tx, view, 'chhath')
      const [part] = await history.sortable(tx, view, { from: midnight, to: nextDay }, { names, few: [] })
      return part?.explain()
    })
    const lines = (plan ?? []).map((line) => String(line['QUERY PLAN']))
    for (const index of ['credit_entry_campaign_day', 'credit_entry_sms_day']) {
      const condition = lines[lines.findIndex((line) => line.includes(index)) + 1]
      expect(condition, lines.join('\n')).toMatch(/Index Cond:.*day >=.*day <=/)
    }
  })
})
