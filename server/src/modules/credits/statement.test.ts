import { mintId } from '../../db/platform-accounts.ts'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CreditStatement } from '@ghanti/contract/credits.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { moveCredits } from './actions-move.ts'
import { statementOf } from './actions-statement.ts'
import { balanceOf } from './actions.ts'
import { monthOf } from './rules-statement.ts'

const app = await testApp()
const months = ['2026-08', '2026-09', '2026-10', '2026-11']
const paisaOf = (rupees: number) => Math.round(rupees * 100)

test('a month is Nepal’s: it begins at 18:15 UTC', () => {
  expect(monthOf('2026-12')).toEqual({
    from: new Date('2026-11-30T18:15:00Z'),
    to: new Date('2026-12-31T18:15:00Z'),
  })
})

type Event =
  | { kind: 'add' | 'remove'; child: number; paisa: number; at: Date }
  | { kind: 'calls'; child: number; paisa: number; at: Date }

const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('add', 'remove', 'calls'),
  child: fc.nat(2),
  paisa: fc.integer({ min: 1, max: 1_000_000 }),
  at: fc.date({ min: new Date('2026-07-31T18:15:00Z'), max: new Date('2026-11-30T18:14:59Z'), noInvalidDate: true }),
})

/** A reseller with three users and their movements of a month. A tenth of what calls cost stays with the reseller. */
async function lived(events: readonly Event[]): Promise<{ admin: Viewer; reseller: Viewer; users: Viewer[] }> {
  const admin = await newSuperAdmin(app)
  const reseller = await newReseller(app, { parent: admin })
  const users = [0, 1, 2].map(() => newUser(app, { parent: reseller }))
  const children = await Promise.all(users)
  const campaigns = await Promise.all(children.map((child) => newCampaign(app, child)))
  for (const { kind, child, paisa, at } of events) {
    const userId = children[child]?.userId ?? 0
    const campaignId = campaigns[child] ?? 0
    if (kind === 'calls') await spend({ userId, resellerId: reseller.userId, campaignId, paisa, at })
    else await move({ up: kind === 'remove', userId, resellerId: reseller.userId, paisa, at })
  }
  return { admin, reseller, users: children }
}

/** The mint tops up whoever would be short, at the same time. */
async function move(of: { up: boolean; userId: number; resellerId: number; paisa: number; at: Date }): Promise<void> {
  const [payerId, payeeId] = of.up ? [of.userId, of.resellerId] : [of.resellerId, of.userId]
  await app.db.transaction().execute(async (tx) => {
    const shared = { paisa: of.paisa, byUserId: null }
    await moveCredits(tx, { ...shared, payerId: await mintId(tx), payeeId: payerId, action: 'credit_add' })
    await moveCredits(tx, { ...shared, payerId, payeeId, action: of.up ? 'credit_remove' : 'credit_add' })
    await sql`update credit_entry set at = ${of.at} where at = now()`.execute(tx)
  })
}

async function spend(of: { userId: number; resellerId: number; campaignId: number; paisa: number; at: Date }) {
  const margin = Math.floor(of.paisa / 10)
  await app.db.transaction().execute(async (tx) => {
    const mint = { payerId: await mintId(tx), payeeId: of.userId, action: 'credit_add', byUserId: null } as const
    await moveCredits(tx, { ...mint, paisa: of.paisa })
    await sql`update credit_entry set at = ${of.at} where at = now()`.execute(tx)
    await sql`update account set balance_paisa = balance_paisa - ${of.paisa} where id = ${of.userId}`.execute(tx)
    await sql`update account set balance_paisa = balance_paisa + ${of.paisa - margin} where kind = 'revenue'`.execute(
      tx,
    )
    await sql`insert into account_income (account_id, slot, paisa) values (${of.resellerId}, 0, ${margin})
      on conflict (account_id, slot) do update set paisa = account_income.paisa + excluded.paisa`.execute(tx)
    await sql`insert into credit_entry as h (account_id, action, campaign_id, day, amount_paisa, balance_paisa, at)
      select t.account_id, t.action::credit_action, ${of.campaignId}, (${of.at}::timestamptz at time zone 'Asia/Kathmandu')::date, t.paisa, 0, ${of.at}
        from (values (${of.userId}::int, 'campaign_deduction', ${-of.paisa}::bigint), (${of.resellerId}::int, 'campaign_margin', ${margin}::bigint)) t (account_id, action, paisa)
       where t.paisa <> 0
      on conflict (account_id, campaign_id, day, action) where campaign_id is not null do update set amount_paisa = h.amount_paisa + excluded.amount_paisa`.execute(
      tx,
    )
  })
}

const statements = (viewer: Viewer, userId: number): Promise<CreditStatement[]> =>
  Promise.all(months.map((month) => statementOf(app.db, viewer, userId, month)))

test('whatever happened: opening and movements make closing, a month opens as the one before closed, and the last closes at the balance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const { reseller, users } = await lived(events)
      for (const { userId } of [reseller, ...users]) {
        const all = await statements(reseller, userId)
        let before = 0
        for (const one of all) {
          const moved = one.lines.reduce((paisa, line) => paisa + paisaOf(line.credits), 0)
          expect(paisaOf(one.opening)).toBe(before)
          expect(paisaOf(one.opening) + moved).toBe(paisaOf(one.closing))
          expect(paisaOf(one.in) + paisaOf(one.out)).toBe(moved)
          before = paisaOf(one.closing)
        }
        expect(before).toBe((await balanceOf(app.db, userId)).paisa)
      }
    }),
    { numRuns: 12 },
  )
})

test('lines are summed by account and campaign, in their order; a child’s is seen from the child’s side', async () => {
  const at = new Date('2026-10-05T06:00:00Z')
  const { admin, reseller, users } = await lived([
    { kind: 'add', child: 0, paisa: 5000, at },
    { kind: 'add', child: 0, paisa: 2500, at: new Date('2026-10-06T06:00:00Z') },
    { kind: 'remove', child: 0, paisa: 1000, at },
    { kind: 'calls', child: 0, paisa: 300, at },
    { kind: 'calls', child: 0, paisa: 200, at: new Date('2026-10-09T06:00:00Z') },
    { kind: 'add', child: 1, paisa: 1, at: new Date('2026-10-31T18:15:00Z') },
  ])
  const [user] = users
  const name = user?.username ?? ''
  const own = await statementOf(app.db, reseller, reseller.userId, '2026-10')
  expect(own).toMatchObject({ opening: 0, in: 85.5, out: -75, closing: 10.5 })
  expect(own.lines).toEqual([
    { kind: 'received', name: 'Platform', entries: 2, credits: 75 },
    { kind: 'given', name, entries: 2, credits: -75 },
    { kind: 'takenBack', name, entries: 1, credits: 10 },
    { kind: 'margin', name: expect.stringMatching(/./), entries: 2, credits: 0.5 },
  ])
  const childs = await statementOf(app.db, reseller, user?.userId ?? 0, '2026-10')
  expect(childs.lines.filter(({ kind }) => kind !== 'received')).toEqual([
    { kind: 'returned', name: reseller.username, entries: 1, credits: -10 },
    { kind: 'calls', name: expect.stringMatching(/./), entries: 2, credits: -5 },
  ])
  const platform = await statementOf(app.db, admin, admin.userId, '2026-10')
  expect(platform.lines).toContainEqual({ kind: 'given', name: reseller.username, entries: 2, credits: -75 })
  expect(platform.lines.filter(({ kind }) => kind === 'margin')).toEqual([])
})

test('the wire: page and CSV say the same; a month that is none is refused; the select has direct children alone', async () => {
  const http = await testHttp(app)
  const { admin, reseller, users } = await lived([
    { kind: 'add', child: 0, paisa: 12_345, at: new Date('2026-09-01T06:00:00Z') },
  ])
  const get = async (viewer: Viewer, path: string) =>
    http.inject({ url: `/api/obd/credits/${path}`, headers: await signedIn(app, viewer) })
  const [user] = users
  const path = `statement/${user?.userId}`
  expect((await get(reseller, `${path}?month=2026-09`)).json()).toMatchObject({ opening: 0, closing: 123.45 })
  const csv = await get(reseller, `${path}/credits-statement.csv?month=2026-09`)
  expect(csv.headers['content-disposition']).toContain('credits-statement-2026-09.csv')
  expect(csv.body.split('\r\n')).toEqual([
    '\ufeffAccount,Entry,From/To or Campaign,Entries,Amount',
    `${user?.username},Opening balance,2026-09,,0.00`,
    `${user?.username},Credits received,${reseller.username},1,123.45`,
    `${user?.username},Total in,,,123.45`,
    `${user?.username},Total out,,,0.00`,
    `${user?.username},Closing balance,2026-09,,123.45`,
    '',
  ])
  for (const month of ['2026-13', '2026-9', '26-09', '२०२६-०९', ''])
    expect((await get(reseller, `${path}?month=${encodeURIComponent(month)}`)).json()).toMatchObject({
      errors: [{ field: 'month', text: month ? 'must look like 2026-11' : 'is required' }],
    })
  const found = await get(reseller, `children?search=${user?.username.toUpperCase()}`)
  expect(found.json()).toEqual([
    { userId: user?.userId, username: user?.username, company: `Company of ${user?.username}` },
  ])
  expect((await get(reseller, 'children')).json()).toHaveLength(3)
  expect((await get(admin, `children?search=${user?.username}`)).json()).toEqual([])
  expect((await get(admin, `children?search=${reseller.username}`)).json()).toHaveLength(1)
})
