import { expect, test, vi } from 'vitest'
import { TelephonyError, type DialerAddress, type DialerEvent } from '../../../drivers/telephony/driver.ts'
import { polling } from '../../../testing/timeouts.ts'
import { busyNumbers, counts, expectSoundBooks, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { park } from '../../settle/settle.sql.ts'
import { nothingKnown } from '../dial/outcome.ts'
import { dialling, instead, poolWith } from '../../testing/engine.ts'

/** What a dialer that is given up leaves is in the others of this file. */
const exhaustive = { tags: ['exhaustive'] }

/** No call is over by the clock and no wait of minutes has passed, so whatever ends was given up. */
const at = await dialling({ speed: 4, timeScale: 0.1, inRealTime: true })
const fixtures = await newFixtures(at, { cps: 50, channels: 100 })
const { line, user } = fixtures
const isItsOwn = ({ port }: DialerAddress): boolean => port === 20_000 + line.dialerId
const listeners: ((events: DialerEvent[]) => void)[] = []
let isGone = false
const simulated = instead(at.simulator, (connection, address) =>
  isItsOwn(address)
    ? {
        onEvents(listener) {
          listeners.push(listener)
          connection.onEvents((events) => isGone || listener(events))
        },
      }
    : {},
)
/** The stored state that decides whether a person may give the dialer up, each time the mark has just been removed. */
const seenAtReturn: unknown[] = []
const pool = poolWith(at, 'take_back', async (send) => {
  const done = await send()
  const state = at.db.selectFrom('dialer_state').select(['reachable', 'comes_back'])
  seenAtReturn.push(await state.where('dialer_id', '=', line.dialerId).executeTakeFirst())
  return done
})
const start = () =>
  at.start({
    pool,
    telephony: [
      {
        name: simulated.name,
        connect: (address) =>
          isGone && isItsOwn(address)
            ? Promise.reject(new TelephonyError('no route to it'))
            : simulated.connect(address),
      },
    ],
  })
let engine = start()
const die = (): void => {
  isGone = true
  listeners.at(-1)?.([{ type: 'lost', at: Date.now(), reason: 'no route to it' }])
}
const comeBack = (): void => {
  isGone = false
  listeners.at(-1)?.([{ type: 'restored', at: Date.now() }])
}
const giveUp = () =>
  at.db
    .updateTable('dialer')
    .set({ given_up_at: new Date(), given_up_reason: 'burnt' })
    .where('id', '=', line.dialerId)
    .execute()
const isGivenUp = async () =>
  (await at.db.selectFrom('dialer').select('given_up_at').where('id', '=', line.dialerId).executeTakeFirstOrThrow())
    .given_up_at !== null
const campaign = (phones: number[]) =>
  newCampaign(at, { user, line, phones, status: 'ready', flow: at.flow(0), reservePaisa: 40, retries: 0 })
/** Ten numbers with these last digits. */
const numbers = (from: number, suffix: number) => Array.from({ length: 10 }, (_, i) => from + 100 * i + suffix)
const inCall = async (id: number) => (await counts(at, id))['in_call'] ?? 0
const said = async (action: string) =>
  (
    await at.db
      .selectFrom('audit_log')
      .select(['target', 'detail', 'actor_id'])
      .where('action', '=', action)
      .orderBy('id')
      .execute()
  ).map(({ target, detail, actor_id }) => ({ target, detail, actor_id }))
const settled = async () => {
  const { rows } = await at.pool.query(
    `select a.id, a.disposition, a.cost_paisa, a.bill_ms, a.settled_at, c.state, (select sum(paisa) from account_income) as income,
       (select balance_paisa from account where id = $1) as balance from attempt a join campaign_contact c using (campaign_id, no) order by a.id`,
    [user.userId],
  )
  return rows
}

test('calls of a dialer that is given up end as lost at once, a stop ends, what is left waits and says why; its money and channels are free', async () => {
  const ids = await Promise.all([
    campaign(numbers(9779800000000, 50)),
    campaign(numbers(9779810000000, 2)),
    campaign([9779840000002, 9779840000002]),
  ])
  await vi.waitFor(async () => expect(await Promise.all(ids.map(inCall))).toEqual([10, 10, 1]), polling)
  await vi.waitFor(async () => {
    const { rows } = await at.pool.query('select from attempt_step')
    expect(rows).toHaveLength(10)
  }, polling)
  die()
  const [talking = 0, ringing = 0, longer = 0] = ids
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', ringing).execute()
  await vi.waitFor(async () => {
    const state = await at.db.selectFrom('dialer_state').select('reachable').executeTakeFirst()
    expect(state?.reachable).toBe(false)
  }, polling)
  expect(await Promise.all(ids.map(inCall))).toEqual([10, 10, 1])
  await giveUp()
  await at.status(talking, 'complete')
  await at.status(ringing, 'cancelled')
  await at.status(longer, 'onHold')
  await vi.waitFor(
    async () => expect(await counts(at, longer)).toMatchObject({ in_call: 0, done: 1, fresh: 1 }),
    polling,
  )
  const held = await at.db.selectFrom('campaign').select('reason').where('id', '=', longer).executeTakeFirstOrThrow()
  expect(held.reason).toMatch(/^dialer .+ was given up: calls begin again when it answers$/)
  const attempts = await settled()
  expect(attempts).toHaveLength(21)
  for (const one of attempts) expect(one).toMatchObject({ disposition: 'LOST', cost_paisa: 0, state: 'done' })
  const accounts = await at.db.selectFrom('account').select('reserved_paisa').where('id', '=', user.userId).execute()
  expect(accounts).toEqual([{ reserved_paisa: 0 }])
  expect(await busyNumbers(at)).toEqual([])
  await expectSoundBooks(at)
})

test('it comes back: calls begin again, the audit log says so and what it knows of the lost ones, each has a note, and nothing that was booked changes', async () => {
  const before = await settled()
  comeBack()
  await vi.waitFor(async () => expect(await isGivenUp()).toBe(false), polling)
  await vi.waitFor(() => expect(seenAtReturn).not.toEqual([]), polling)
  expect(seenAtReturn[0]).toEqual({ reachable: false, comes_back: true }) // nobody can give it up now
  const target = `dialer ${line.dialerId}`
  expect(await said('dialer.return')).toMatchObject([{ target, actor_id: null, detail: { reason: 'burnt' } }])
  await vi.waitFor(async () => expect(await said('dialer.prove')).not.toEqual([]), polling)
  const notes = await at.db.selectFrom('attempt_proof').selectAll().orderBy('attempt_id').execute()
  const answered = notes.filter(({ talk_ms }) => talk_ms !== null)
  expect(answered).toHaveLength(10)
  const [proven] = await said('dialer.prove')
  expect(proven).toMatchObject({ target, actor_id: null })
  const after = await settled()
  expect(after.filter(({ disposition }) => disposition === 'LOST')).toEqual(
    before.map((one) => ({ ...one, balance: after[0]?.balance, income: after[0]?.income })),
  )
  await vi.waitFor(
    async () => {
      const { rows } = await at.pool.query<{ n: number }>(
        `select count(*)::int as n from attempt where disposition <> 'LOST'`,
      )
      expect(rows[0]?.n).toBe(1) // the row that waited
    },
    { ...polling },
  )
  expect(await at.db.selectFrom('alert').select('kind').where('kind', '=', 'record').execute()).toEqual([])
  await expectSoundBooks(at)
})

test('a dialer that answers is not given up: its calls go on to their end and are charged, and it is taken back', async () => {
  const id = await campaign(numbers(9779850000000, 50))
  await vi.waitFor(async () => expect(await inCall(id)).toBe(10), polling)
  await giveUp()
  await vi.waitFor(async () => expect(await isGivenUp()).toBe(false), polling)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 10 })
  await expectSoundBooks(at)
})

test(
  'an outcome that no table takes does not outlast a dialer that is given up: its attempt ends as lost, its money is free, and its alert is cleared',
  exhaustive,
  async () => {
    const id = await campaign(numbers(9779860000000, 50))
    await vi.waitFor(async () => expect(await inCall(id)).toBe(10), polling)
    await engine.stop({ drainMs: 0 })
    const open = await at.db
      .selectFrom('attempt_open')
      .select('id')
      .where('campaign_id', '=', id)
      .orderBy('id')
      .execute()
    for (const { id: attemptId } of open.slice(0, 3))
      await park(at.engine, { ...nothingKnown, attemptId, disposition: 'ANSWER', billMs: -1 }, 'no table takes it')
    isGone = true
    await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', id).execute()
    engine = start()
    await giveUp()
    await at.status(id, 'cancelled')
    const { rows } = await at.pool.query(
      `select disposition, cost_paisa, count(*)::int as n from attempt where campaign_id = $1 group by 1, 2`,
      [id],
    )
    expect(rows).toEqual([{ disposition: 'LOST', cost_paisa: 0, n: 10 }])
    const accounts = await at.db.selectFrom('account').select('reserved_paisa').where('id', '=', user.userId).execute()
    expect(accounts).toEqual([{ reserved_paisa: 0 }])
    expect(await at.db.selectFrom('attempt_open').selectAll().execute()).toEqual([])
    await vi.waitFor(async () => {
      const parked = at.db.selectFrom('alert').select('cleared_at').where('kind', '=', 'outcome_parked')
      expect((await parked.execute()).map(({ cleared_at }) => cleared_at !== null)).toEqual([true])
    }, polling)
    expect(await busyNumbers(at)).toEqual([])
    await expectSoundBooks(at)
  },
)
