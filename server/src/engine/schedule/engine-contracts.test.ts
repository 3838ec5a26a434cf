import { expect, test, vi } from 'vitest'
import { polling } from '../../testing/timeouts.ts'
import { dialling } from '../testing/engine.ts'
import { expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../testing/fixtures.ts'
import { newLine } from '../../testing/seed.ts'

const at = await dialling({ speed: 50, timeScale: 0.004 })
at.start()

type Line = Fixtures['line']

/** Two dialers, which the engine has, with a trunk and a caller ID each; both trunks belong to one contract. */
async function twoDialers(of: { channels: number; cps: number }): Promise<{ fixtures: Fixtures; lines: [Line, Line] }> {
  const fixtures = await newFixtures(at, { cps: 100, channels: 60 })
  const other = await newLine(at, { holders: fixtures.users, cps: 100, channels: 60, portFrom: 20_000 })
  const { rows } = await at.pool.query<{ id: number }>(
    `insert into operator_contract (name, channels, cps) values ('NTC ' || $3, $1, $2) returning id`,
    [of.channels, of.cps, fixtures.line.trunkId],
  )
  const trunkIds = [fixtures.line.trunkId, other.trunkId]
  await at.db
    .updateTable('trunk')
    .set({ contract_id: rows[0]?.id ?? 0 })
    .where('id', 'in', trunkIds)
    .execute()
  await at.pool.query(`update operator_contract set changed_at = now() - interval '1 minute'`)
  const areSet = async () => {
    const { rows } = await at.pool.query<{ n: number }>(
      'select count(*)::int as n from trunk_state where trunk_id = any ($1::int[]) and reachable',
      [trunkIds],
    )
    expect(rows).toEqual([{ n: 2 }])
  }
  await vi.waitFor(areSet, polling)
  return { fixtures, lines: [fixtures.line, other] }
}

const answering = (n: number, from: number) => Array.from({ length: n }, (_, i) => from + 100 * i + 46)
const campaign = ({ user }: Fixtures, line: Line, phones: number[]) =>
  newCampaign(at, { user, line, phones, status: 'ready', flow: at.flow(0), retries: 0, reservePaisa: 40 })
const reasonOf = async (id: number): Promise<string | null> =>
  (await at.db.selectFrom('campaign').select('reason').where('id', '=', id).executeTakeFirstOrThrow()).reason

/** When the calls over these trunks began, by the network, in order. */
async function beginnings(lines: readonly Line[]): Promise<number[]> {
  const { rows } = await at.pool.query<{ started_at: Date }>(
    `select started_at from attempt where trunk_id = any ($1::int[]) and disposition <> 'CANCEL' order by 1`,
    [lines.map(({ trunkId }) => trunkId)],
  )
  return rows.map(({ started_at }) => started_at.getTime())
}

function mostASecond(times: readonly number[]): number {
  let [most, from] = [0, 0]
  for (const [n, time] of times.entries()) {
    while (time - (times[from] ?? time) >= 1000) from += 1
    most = Math.max(most, n - from + 1)
  }
  return most
}

test('two dialers of one contract call side by side, and together never more, at once and in a second, than it has', async () => {
  const { fixtures, lines } = await twoDialers({ channels: 9, cps: 12 })
  const [one, other] = lines
  const ids = [
    await campaign(fixtures, one, answering(60, 9779840000000)),
    await campaign(fixtures, other, answering(60, 9779841000000)),
  ]
  let most = 0
  for (let done = false; !done;) {
    const { rows } = await at.pool.query<{ up: number; done: boolean }>(
      `select (select count(*)::int from attempt_open where campaign_id = any ($1::int[])) as up,
         (select bool_and(status = 'complete') from campaign where id = any ($1::int[])) as done`,
      [ids],
    )
    most = Math.max(most, rows[0]?.up ?? 0)
    done = rows[0]?.done ?? false
    await at.tick(() => true)
  }
  expect(most).toBeGreaterThan(3)
  // what was asked of the network a moment before or after a second's end may begin on its other side
  expect(mostASecond(await beginnings(lines))).toBeLessThanOrEqual(12 + 2)
  await expectSoundBooks(at) // by its events the checker knows the contract to the call
}, 120_000)

test('a campaign whose contract others use says so, and dials when they have ended', async () => {
  const { fixtures, lines } = await twoDialers({ channels: 2, cps: 20 })
  const [one, other] = lines
  const talking = await campaign(fixtures, one, answering(40, 9779842000000))
  await at.tick(({ dialerId, up }) => dialerId === one.dialerId && up === 2)
  const waiting = await campaign(fixtures, other, answering(3, 9779843000000))
  await at.status(waiting, 'complete')
  const said = await at.db.selectFrom('campaign').select('status').where('id', '=', talking).executeTakeFirstOrThrow()
  expect(said.status).toBe('running') // it did not wait for the other to end: each has its turn
  await at.status(talking, 'complete')
  await expectSoundBooks(at)
}, 120_000)

test('where none of its calls are up, its page says that the contract is in use elsewhere', async () => {
  const { fixtures, lines } = await twoDialers({ channels: 1, cps: 20 })
  const [one, other] = lines
  await at.db.updateTable('trunk').set({ contract_id: null }).where('id', '=', one.trunkId).execute()
  const { rows } = await at.pool.query<{ contract_id: number }>('select contract_id from trunk where id = $1', [
    other.trunkId,
  ])
  // a dialer that no engine of this test has holds the only channel
  const elsewhere = await newLine(at, { channels: 60, cps: 40 })
  await at.db.updateTable('dialer').set({ driver: 'asterisk' }).where('id', '=', elsewhere.dialerId).execute()
  await at.pool.query(
    `insert into dialer_lease (dialer_id, engine_id, epoch, expires_at) values ($1, 'elsewhere', 1, now() + interval '1 hour')
     on conflict (dialer_id) do update set engine_id = 'elsewhere', epoch = 1, expires_at = excluded.expires_at`,
    [elsewhere.dialerId],
  )
  await at.pool.query(
    `insert into contract_grant (contract_id, dialer_id, epoch, channels, legs, channels_wanted, cps, begun, cps_wanted, asked_at) values ($1, $2, 1, 1, 1, 1, 0, 0, 0, now())`,
    [rows[0]?.contract_id, elsewhere.dialerId],
  )
  const id = await campaign(fixtures, other, answering(3, 9779844000000))
  await vi.waitFor(async () => {
    expect(await reasonOf(id)).toMatch(/^all 1 channels of contract NTC \d+ are busy$/)
  }, polling)
  await at.pool.query('delete from dialer_lease where dialer_id = $1', [elsewhere.dialerId])
  await at.status(id, 'complete')
  await expectSoundBooks(at)
}, 60_000)
