import { mintId } from '../../db/platform-accounts.ts'
import { beforeAll, expect, test } from 'vitest'
import { scopeOf, type Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newReseller, newSuperAdmin } from '../../testing/seed.ts'
import { lowBalances } from '../overview/store.ts'
import { listUsers } from '../users/store-list.ts'
import { balancesOf } from '../voice-campaigns/store-events.ts'
import { freeCredits } from './actions-move.ts'
import { balanceOf } from './actions.ts'
import { insertEntry } from './store-move.ts'
import { sums } from './store-statement.ts'

const app = await testApp()
let boss: Viewer
let earner: Viewer
let richer: Viewer
let poorer: Viewer

beforeAll(async () => {
  boss = await newSuperAdmin(app)
  ;[earner, richer, poorer] = [
    await newReseller(app, { parent: boss, rupees: 10 }),
    await newReseller(app, { parent: boss, rupees: 15 }),
    await newReseller(app, { parent: boss, rupees: 12 }),
  ]
  const slots = [
    { slot: 1, paisa: 300 },
    { slot: 2, paisa: 50 },
  ]
  await app.db
    .insertInto('account_income')
    .values(slots.map((slot) => ({ ...slot, account_id: earner.userId })))
    .execute()
})

const listed = async (sort?: string) => {
  const view = { scope: scopeOf(boss), viewerId: boss.userId, childrenOf: [boss.userId], now: app.clock.now() }
  return (await listUsers(app.db, view, sort === undefined ? {} : { sort, order: 'desc' })).rows
}
const id = () => earner.userId

const readings: Record<string, () => Promise<number | undefined>> = {
  'the balance alone': async () => (await balanceOf(app.db, id())).paisa,
  'the list of users': async () => (await listed()).find((user) => user.id === id())?.paisa,
  'balances that are told to browsers': async () => (await balancesOf(app.db, [id()]))[0]?.paisa,
  'customers that have little left': async () =>
    (await lowBalances(app.db, boss.userId, app.clock.now(), 10)).find(({ userId }) => userId === id())?.free,
  'the end of a monthly statement': async () =>
    (await sums(app.db, id(), new Date('2000-01-01'), new Date('2100-01-01'))).closingPaisa,
  'a line of the credits history': async () => {
    const otherId = await mintId(app.db)
    const line = { accountId: id(), otherId, signedPaisa: 1, action: 'credit_add' as const, note: 'balance' }
    await app.db
      .transaction()
      .execute((tx) => insertEntry(tx, { ...line, byUserId: null, reference: null, paymentMode: null }))
    const { balance_paisa } = await app.db
      .selectFrom('credit_entry')
      .select('balance_paisa')
      .where('account_id', '=', id())
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return balance_paisa
  },
}

async function everyReading(): Promise<Record<string, number | undefined>> {
  const read = Object.entries(readings).map(async ([place, reading]) => [place, await reading()] as const)
  return Object.fromEntries(await Promise.all(read))
}

test('income counts once in a balance, wherever it is read, before and after it was swept', async () => {
  const owned = Object.fromEntries(Object.keys(readings).map((place) => [place, 1350]))
  expect(await everyReading()).toEqual(owned)
  expect((await listed('credits')).map((user) => user.id)).toEqual([richer.userId, earner.userId, poorer.userId])
  await app.db.transaction().execute((tx) => freeCredits(tx, id()))
  const pending = app.db.selectFrom('account_income').select('paisa').where('paisa', '>', 0)
  expect(await pending.execute()).toEqual([])
  expect(await everyReading()).toEqual(owned)
})

test('an account that earned nothing owns its balance', async () => {
  expect((await balanceOf(app.db, poorer.userId)).paisa).toBe(1200)
})
