/** Test calls and Call Now whose caller ID has a route over two dialers, both of which the engine has. */
import { connectFlow } from '@ghanti/callflow/flow.ts'
import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { campaignsIn, setFault } from '../../testing/campaigns.ts'
import { expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { losableDialers } from '../../testing/crash/losable-dialers.ts'
import { anotherDialer, newRoute } from '../../testing/routes.ts'

const at = await losableDialers({ speed: 50, timeScale: 0.004 })
const { over } = campaignsIn(at)

type Two = { fixtures: Fixtures; other: { dialerId: number; trunkId: number } }
async function twoDialers(): Promise<Two> {
  const fixtures = await newFixtures(at, { cps: 40, channels: 60 })
  const other = await anotherDialer(at)
  const trunkIds = [fixtures.line.trunkId, other.trunkId]
  await newRoute(
    at,
    fixtures,
    trunkIds.map((trunkId) => ({ trunkId, priority: 1, weight: 1 })),
  )
  await at.areSet(trunkIds)
  return { fixtures, other }
}

let serial = 9779858000000
/** Rings and answers. */
const customer = (): number => (serial += 100) + 46
/** Speaks, and hangs up after a while. */
const talker = (): number => (serial += 100) + 37

/** A test call, or Call Now to an agent who stays, as somebody has just asked for it. */
async function single({ fixtures }: Two, kind: 'test' | 'callNow'): Promise<number> {
  const { user, line } = fixtures
  const phone = kind === 'test' ? customer() : talker()
  const flow = kind === 'test' ? at.flow(0) : connectFlow({ agent: `+${(serial += 100) + 33}`, customer: `+${phone}` })
  const of = { user, line, phones: [phone], flow, retries: 0, reservePaisa: 4000, status: 'paused' as const }
  const id = await newCampaign(at, of)
  const isOwn = { is_test: true, is_call_now: kind === 'callNow', ring_seconds: 25, status: 'ready' as const }
  await at.db.updateTable('campaign').set(isOwn).where('id', '=', id).execute()
  return id
}
const attemptsOf = (campaignId: number) =>
  at.db
    .selectFrom('attempt')
    .select(['kind', 'disposition', 'trunk_id', 'patch_bill_ms'])
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .execute()

/** What keeps the dialer that leads from the call, and how it passes. */
const faults: { why: string; begins(of: Two): Promise<unknown>; ends(of: Two): Promise<unknown> }[] = [
  {
    why: 'is lost',
    async begins({ fixtures }) {
      at.lose(fixtures.line.dialerId)
      const isSeen = () =>
        at.db.selectFrom('dialer_state').select('reason').where('dialer_id', '=', fixtures.line.dialerId)
      await vi.waitFor(
        async () => expect((await isSeen().executeTakeFirstOrThrow()).reason).toMatch(/no route to it/),
        polling,
      )
    },
    ends: async ({ fixtures }) => at.comeBack(fixtures.line.dialerId),
  },
  {
    why: 'has a trunk that is on hold',
    async begins(two) {
      const { user, line } = two.fixtures
      await setFault(at, line.trunkId, 'unreachable')
      const phones = [customer(), customer()]
      const id = await newCampaign(at, { user, line, phones, flow: at.flow(0), retries: 0, reservePaisa: 40 })
      await at.status(id, 'complete')
      const held = await at.db
        .selectFrom('trunk_health')
        .select('held_since')
        .where('trunk_id', '=', line.trunkId)
        .executeTakeFirst()
      expect(held?.held_since).toBeTruthy()
    },
    ends: ({ fixtures }) => setFault(at, fixtures.line.trunkId, null),
  },
  {
    why: 'was stopped',
    begins: ({ fixtures }) =>
      at.pool.query(
        `insert into dial_block (kind, target_id, reason, what, by_user_id) values ('dialer', $1, 'works', 'calls', $2)`,
        [fixtures.line.dialerId, fixtures.user.userId],
      ),
    ends: () => at.pool.query('update dial_block set lifted_at = now()'),
  },
  {
    why: 'has all channels in use',
    async begins({ fixtures }) {
      const { user, line } = fixtures
      await at.db.updateTable('trunk').set({ channels: 1 }).where('id', '=', line.trunkId).execute()
      // another caller ID of the same trunk
      const { id: cliId } = await at.db
        .insertInto('cli')
        .values({ number: `01598${serial}`, trunk_id: line.trunkId, channels: 10 })
        .returning('id')
        .executeTakeFirstOrThrow()
      const flow = at.flow(1, { menuWaitSeconds: 1000 })
      await newCampaign(at, {
        user,
        line: { ...line, cliId },
        phones: [(serial += 100) + 99],
        flow,
        reservePaisa: 4000,
      })
      const channels = () =>
        at.db
          .selectFrom('trunk_state')
          .select('channels')
          .where('trunk_id', '=', line.trunkId)
          .executeTakeFirstOrThrow()
      await vi.waitFor(async () => expect(await channels()).toEqual({ channels: 1 }), polling)
    },
    ends: ({ fixtures }) =>
      at.db
        .updateTable('campaign')
        .set({ status: 'cancelling', end_now: true })
        .where('account_id', '=', fixtures.user.userId)
        .where('status', '=', 'running')
        .execute(),
  },
]

test.each(['test', 'callNow'] as const)(
  'a call of the kind %s goes over the dialer that leads, as long as that one can take it',
  async (kind) => {
    const two = await twoDialers()
    for (let n = 0; n < 3; n++) {
      const id = await single(two, kind)
      await at.status(id, 'complete')
      expect(await over(id)).toEqual({ [two.fixtures.line.trunkId]: 1 })
    }
    await expectSoundBooks(at)
  },
)

const cases = faults.flatMap((of) => (['test', 'callNow'] as const).map((kind) => ({ ...of, kind })))
/** Each fault meets one of both kinds, in turn. */
const inTurn = cases.filter(({ kind }, n) => (kind === 'test') === n % 4 < 2)
const goesOver = 'a call of the kind $kind goes over the other dialer, once, while the one that leads $why'
async function expectOther({ kind, begins, ends }: (typeof cases)[number]): Promise<void> {
  const two = await twoDialers()
  await begins(two)
  const id = await single(two, kind)
  await at.status(id, 'complete')
  const talks = kind === 'callNow' ? expect.any(Number) : null
  expect(await attemptsOf(id)).toEqual([
    { kind, disposition: 'ANSWER', trunk_id: two.other.trunkId, patch_bill_ms: talks },
  ])
  await ends(two)
  await expectSoundBooks(at)
}

test.each(inTurn)(goesOver, expectOther)

test.each(cases.filter((one) => !inTurn.includes(one)))(goesOver, { tags: ['exhaustive'] }, expectOther)

const refusals = [
  { fault: 'unreachable', why: 'is found out of reach, and held', isHeld: true },
  { fault: 'refusing', why: 'refuses the call', isHeld: false },
] as const

test.each(refusals)(
  'a test call goes on over the other dialer when the trunk of the leading one $why, and ends when that one carries it no more than the first',
  async ({ fault, isHeld }) => {
    const two = await twoDialers()
    const [first, second] = [two.fixtures.line.trunkId, two.other.trunkId]
    const ways = async (): Promise<string[]> => {
      const id = await single(two, 'test')
      await at.status(id, 'complete')
      return (await attemptsOf(id)).map(({ disposition, trunk_id }) => `${disposition} over ${trunk_id}`)
    }
    await setFault(at, first, fault)
    expect(await ways()).toEqual([`CONGESTION over ${first}`, `ANSWER over ${second}`])
    await setFault(at, second, 'refusing')
    const overBoth = [`CONGESTION over ${first}`, `CONGESTION over ${second}`].toSorted()
    // A trunk that is held is tried again now and then: this call may be the one.
    expect(isHeld ? [[`CONGESTION over ${second}`], overBoth] : [overBoth]).toContainEqual((await ways()).toSorted())
    await expectSoundBooks(at)
  },
)

test('Call Now ends at once when the trunk of the leading dialer refuses the call to the agent, and says so', async () => {
  const two = await twoDialers()
  await setFault(at, two.fixtures.line.trunkId, 'refusing')
  const id = await single(two, 'callNow')
  await at.status(id, 'complete')
  const { rows } = await at.pool.query(
    'select trunk_id, disposition, agent_missed from attempt where campaign_id = $1',
    [id],
  )
  // modules/followups says: 'the operator could not carry the call to the agent'
  const of = { trunk_id: two.fixtures.line.trunkId, disposition: 'CONGESTION', agent_missed: 'notReached' }
  expect(rows).toEqual([of])
  await expectSoundBooks(at)
})
