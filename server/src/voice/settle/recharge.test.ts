import { afterAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { moveCredits } from '../../modules/credits/actions-move.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { giveRupees, sumOfBalances } from '../../testing/seed.ts'
import { settleOutcomes } from './settle.sql.ts'
import { grantChannels } from '../scheduler/capacity/channels.sql.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../testing/fixtures.ts'

const app = await testApp()
const engine = openPool(
  { connectionString: app.url, max: 30, name: 'ghanti-engine-test', options: enginePoolOptions },
  () => {},
)
afterAll(() => engine.end())
const at = { ...app, engine }

test('two hundred recharges, transfers and calls on one account at once: nothing is lost, nothing below zero, a repeat counts once', async () => {
  const http = await testHttp(app)
  const fixtures = await newFixtures(at, { rupees: 60 })
  const { user, reseller } = fixtures
  await giveRupees(app, reseller.userId, 200)
  const campaigns = await Promise.all(
    Array.from({ length: 4 }, () => newCampaign(at, { user, line: fixtures.line, phones: phones(200) })),
  )
  const headers = await signedIn(app, reseller)
  // A dialer asks for channels once, not fifty times at a moment: whoever waits for a second there gets none.
  const payerIds = [user.userId, reseller.userId, fixtures.top.userId]
  await grantChannels(engine, [{ lease: fixtures.lease, wants: [{ payerIds, calls: 150 }] }])

  /** What the account was told to have got and paid, by those who were told so. */
  let got = 0
  let refused = 0
  const recharge = async (what: 'add' | 'remove', rupees: number, key: string) => {
    const send = () =>
      http.inject({
        method: 'POST',
        url: `/api/obd/credits/${what}`,
        headers: { ...headers, 'idempotency-key': key },
        payload: { userId: user.userId, credits: rupees },
      })
    const both = await Promise.all([send(), send()])
    const last = await send()
    for (const { statusCode } of both) expect([last.statusCode, 409]).toContain(statusCode)
    if (last.statusCode === 200) got += (what === 'add' ? rupees : -rupees) * 100
    else refused += 1
    expect([200, 400]).toContain(last.statusCode)
  }
  const transfer = async (paisa: number) => {
    const move = { payerId: reseller.userId, payeeId: user.userId, action: 'credit_add', byUserId: null } as const
    await app.db.transaction().execute((tx) => moveCredits(tx, { ...move, paisa }))
    got += paisa
  }
  const dial = async (i: number) => {
    const calls = await claimed(at, fixtures, campaigns[i % 4] ?? 0, 3, { slot: i % 8, isGranted: true })
    const endings = calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 15_000 * (1 + (i % 10)) }))
    await settleOutcomes(engine, fixtures.lease, i % 8, endings)
  }
  const deeds = Array.from({ length: 200 }, (_, i) => {
    if (i % 4 === 0) return recharge('add', 1.25, `add ${i}`)
    if (i % 4 === 1) return recharge('remove', 7, `remove ${i}`)
    return i % 4 === 2 ? transfer(30) : dial(i)
  })
  const done = await Promise.allSettled(deeds) // what goes on after a failure would meet a closed database, and keep its turn in the process
  expect(done.filter(({ status }) => status === 'rejected')).toEqual([])

  await expectSoundBooks(at)
  expect(await sumOfBalances(app)).toBe(0)
  const account = await app.db.selectFrom('account').selectAll().where('id', '=', user.userId).executeTakeFirstOrThrow()
  const { spent } = await app.db
    .selectFrom('attempt')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('cost_paisa'), e.lit(0)).as('spent'))
    .executeTakeFirstOrThrow()
  expect(account).toMatchObject({ balance_paisa: 6000 + got - spent, reserved_paisa: 0 })
  expect(account.balance_paisa).toBeGreaterThanOrEqual(0)
  const added = await app.db
    .selectFrom('transfer')
    .select((e) => e.fn.countAll<number>().as('times'))
    .where('payee_id', '=', user.userId)
    .where('amount_paisa', '=', 125)
    .executeTakeFirstOrThrow()
  expect(added.times).toBe(50)
  expect(spent, 'calls were made').toBeGreaterThan(0)
  expect(refused, 'the money was too little for all').toBeGreaterThan(0)
})
