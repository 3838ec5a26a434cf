import { beforeEach, expect, test, vi } from 'vitest'
import type { DialerConnection } from '../../../../drivers/telephony/driver.ts'
import type { TrunkFault } from '../../../../drivers/telephony/simulator/numbers.ts'
import { polling } from '../../../../testing/timeouts.ts'
import type { Engine } from '../../../engine.ts'
import { trunkName } from '../../../model/calls/trunk-data.ts'
import {
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  numbersEnding,
  type Fixtures,
} from '../../../testing/fixtures.ts'
import { dialling, instead } from '../../../testing/engine.ts'

const at = await dialling({ speed: 50, timeScale: 0.008 })
let engine: Engine = at.start()
let fixtures: Fixtures
beforeEach(async () => {
  fixtures = await newFixtures(at, { cps: 20 })
})

async function trunkIs(fault: TrunkFault | null): Promise<void> {
  const { host, port } = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', fixtures.line.dialerId)
    .executeTakeFirstOrThrow()
  await at.simulator.control({ host, port }).setTrunkFault(trunkName(fixtures.line.trunkId), fault)
}
const campaign = (phones: readonly number[]) =>
  newCampaign(at, { user: fixtures.user, line: fixtures.line, phones, flow: at.flow(0), reservePaisa: 40 })
async function said(id: number): Promise<Record<string, number>> {
  const { rows } = await at.pool.query<{ disposition: string; n: number }>(
    'select disposition, count(*)::int as n from attempt where campaign_id = $1 group by 1',
    [id],
  )
  return Object.fromEntries(rows.map(({ disposition, n }) => [disposition, n]))
}
const congestions = async (id: number) => (await said(id))['CONGESTION'] ?? 0
const people = numbersEnding(['50'], 3)

test('three numbers over a trunk with a wrong prefix are too few to hold it, and not lost: they are called again, and answer when it is mended', async () => {
  await trunkIs('wrongPrefix')
  const id = await campaign(people)
  await vi.waitFor(async () => expect(await congestions(id)).toBeGreaterThanOrEqual(3), polling)
  await trunkIs(null)
  await at.status(id, 'complete')
  const outcomes = await said(id)
  expect(outcomes).toMatchObject({ ANSWER: 3 })
  expect(outcomes).not.toHaveProperty('INVALID')
  await expectSoundBooks(at)
})

test('numbers that the operator does not know, over a trunk over which nothing rings, are INVALID after the fifth call', async () => {
  const id = await campaign(numbersEnding(['04', '43'], 1))
  await at.status(id, 'complete')
  expect(await said(id)).toEqual({ CONGESTION: 8, INVALID: 2 })
})

test('ends that a new engine finds in the dialer’s record are not final where the trunk may be the cause', async () => {
  await engine.stop({ drainMs: 0 })
  let dialled = 0
  let up = async () => Infinity
  const deaf = instead(at.simulator, (connection) => {
    up = async () => (await connection.live()).length
    const dial: DialerConnection['dial'] = async (call) => {
      const reply = await connection.dial(call)
      dialled += 1
      return reply
    }
    return { dial, onEvents: () => {} }
  })
  engine = at.start({ telephony: [deaf] })
  await at.tick(({ dialerId }) => dialerId === fixtures.line.dialerId)
  await trunkIs('wrongPrefix')
  const id = await campaign(people)
  await vi.waitFor(async () => expect([dialled, await up()]).toEqual([3, 0]), polling)
  await engine.stop({ drainMs: 0 })
  expect(await counts(at, id)).toMatchObject({ in_call: 3, attempts: 0 })
  engine = at.start()
  await vi.waitFor(async () => expect((await counts(at, id))['attempts']).toBeGreaterThanOrEqual(3), polling)
  await trunkIs(null)
  await at.status(id, 'complete')
  const outcomes = await said(id)
  expect(outcomes).toMatchObject({ ANSWER: 3 })
  expect(outcomes).not.toHaveProperty('INVALID')
  await expectSoundBooks(at)
})

test.each([
  { says: '402', fault: 'noCredit' },
  { says: '503', fault: 'refusing' },
] as const)(
  'three numbers over an operator who says $says to everything hold the trunk before any of them is final, and answer when it is mended',
  async ({ fault }) => {
    await trunkIs(fault)
    const id = await campaign(people)
    await at.status(id, 'onHold')
    expect(await counts(at, id)).toMatchObject({ done: 0 })
    expect(await congestions(id)).toBeLessThanOrEqual(12)
    await trunkIs(null)
    await at.status(id, 'complete')
    expect(await said(id)).toMatchObject({ ANSWER: 3 })
    await expectSoundBooks(at)
  },
)
