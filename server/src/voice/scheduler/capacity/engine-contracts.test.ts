import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { answering, campaignsIn } from '../../testing/campaigns.ts'
import { dialling } from '../../testing/engine.ts'
import { expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { newContract, newRoute } from '../../testing/routes.ts'
import { callsOver, mostASecond, mostAtOnce } from '../../testing/traffic.ts'
import { newLine } from '../../../testing/seed.ts'

/** server/src/voice/dialer/trunks/limits/contract-grants.test.ts and contracts.test.ts have how channels go round. */
const exhaustive = { tags: ['exhaustive'] }

const speed = 50
const at = await dialling({ speed, timeScale: 0.004, inRealTime: true })
at.start()
const { row } = campaignsIn(at)

type Line = Fixtures['line']
const trunkIdsOf = (lines: readonly Line[]) => lines.map(({ trunkId }) => trunkId)

/** Two dialers, which the engine has, with a trunk and a caller ID each; both trunks belong to one contract. */
async function twoDialers(of: { channels: number; cps: number }): Promise<{ fixtures: Fixtures; lines: [Line, Line] }> {
  const fixtures = await newFixtures(at, { cps: 100, channels: 60 })
  const other = await newLine(at, { holders: fixtures.users, cps: 100, channels: 60, portFrom: 20_000 })
  const trunkIds = trunkIdsOf([fixtures.line, other])
  await newContract(at, { trunkIds, ...of })
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

const campaign = ({ user }: Fixtures, line: Line, phones: number[]) =>
  newCampaign(at, { user, line, phones, status: 'ready', flow: at.flow(0), retries: 0, reservePaisa: 40 })
test('two dialers of one contract call side by side, and together never more, at once and in a second, than it has', async () => {
  const { fixtures, lines } = await twoDialers({ channels: 9, cps: 12 })
  const [one, other] = lines
  const ids = [
    await campaign(fixtures, one, answering(60, 9779840000000)),
    await campaign(fixtures, other, answering(60, 9779841000000)),
  ]
  for (const id of ids) await at.status(id, 'complete')
  const spans = await callsOver(at, trunkIdsOf(lines), speed)
  expect(spans).toHaveLength(120)
  expect(mostAtOnce(spans)).toBeLessThanOrEqual(9)
  expect(mostAtOnce(spans)).toBeGreaterThan(5)
  expect(mostASecond(spans)).toBeLessThanOrEqual(12 + 2)
  await expectSoundBooks(at)
}, 120_000)

test(
  'the channels of a contract go round: a campaign on another dialer does not wait until the first has ended',
  { ...exhaustive, timeout: 120_000 },
  async () => {
    const { fixtures, lines } = await twoDialers({ channels: 2, cps: 20 })
    const [one, other] = lines
    const talking = await campaign(fixtures, one, answering(40, 9779842000000))
    await at.tick(({ dialerId, up }) => dialerId === one.dialerId && up === 2)
    const waiting = await campaign(fixtures, other, answering(3, 9779843000000))
    await at.status(waiting, 'complete')
    expect(await row(talking)).toMatchObject({ status: 'running' })
    await at.status(talking, 'complete')
    await expectSoundBooks(at)
  },
)

test(
  'where none of its calls are up, its page says that the contract is in use elsewhere',
  { ...exhaustive, timeout: 60_000 },
  async () => {
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
      expect((await row(id)).reason).toMatch(/^all 1 channels of contract Contract .+ are busy$/)
    }, polling)
    await at.pool.query('delete from dialer_lease where dialer_id = $1', [elsewhere.dialerId])
    await at.status(id, 'complete')
    await expectSoundBooks(at)
  },
)

test('a dialer that is taken out of the route of a campaign whose calls may ring agents gives back the channels that it kept for them', async () => {
  const { fixtures, lines } = await twoDialers({ channels: 2, cps: 20 })
  const [one, other] = lines
  await at.db.updateTable('trunk').set({ contract_id: null }).where('id', '=', one.trunkId).execute()
  const step = { priority: 1, weight: 1 }
  await newRoute(at, fixtures, [
    { trunkId: one.trunkId, ...step },
    { trunkId: other.trunkId, ...step },
  ])
  const flow = at.flow(2, { agents: [{ number: '+9779860000037', key: '1' }] })
  const phones = answering(400, 9779845000000)
  const { user } = fixtures
  const id = await newCampaign(at, { user, line: one, phones, flow, retries: 0, reservePaisa: 40 })
  await at.tick(({ dialerId, up }) => dialerId === other.dialerId && up > 0)
  await at.db.deleteFrom('call_route_step').where('trunk_id', '=', other.trunkId).execute()
  await at.tick(({ dialerId, campaigns, up }) => dialerId === other.dialerId && campaigns.length + up === 0)
  const granted = async () => {
    const { rows } = await at.pool.query('select channels from contract_grant where dialer_id = $1 and channels > 0', [
      other.dialerId,
    ])
    return rows
  }
  await vi.waitFor(async () => expect(await granted()).toEqual([]), polling)
  await at.db.updateTable('campaign').set({ status: 'cancelling' }).where('id', '=', id).execute()
  await at.status(id, 'cancelled')
  await expectSoundBooks(at)
}, 120_000)
