import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { ChannelRecord, DialerConnection } from '../../drivers/telephony/driver.ts'
import { newCampaign, newFixtures } from '../testing/fixtures.ts'
import { dialling, instead } from '../testing/engine.ts'
import { differencesOf, measuredOf, RecordCheck } from './record-check.ts'
import { legOf } from '../../dispatch/channel-names.ts'
import { channelPrefix } from '../../dispatch/lease/lease.sql.ts'

const channel = (channelId: string, answeredAt: number | null, endedAt: number | null): ChannelRecord => ({
  channelId,
  startedAt: 1000,
  answeredAt,
  endedAt,
  cause: 16,
  endedByFarEnd: true,
})
const settled = (id: number, bill_ms: number | null, patch_bill_ms: number | null = null) => ({
  id,
  bill_ms,
  patch_bill_ms,
  is_open: false,
  is_lost: false,
  is_call_now: false,
})

test('a call’s legs are put together; those that last, that began later, others’, and those over trunks that were at fault are left out', () => {
  const channels = [
    channel('x-1-7-c', 2000, 12_000),
    channel('x-1-7-c-a1-3-c', 5000, 9000),
    channel('x-1-7-c-a1-5-c', null, 9500),
    channel('x-1-8-c', null, 3000),
    channel('x-1-9-c', 2000, null),
    { ...channel('x-1-10-c', 2000, 3000), startedAt: 60_000 },
    channel('y-1-11', 2000, 3000),
    channel('x-1-13-d2-c', 4000, 9000),
    channel('x-1-13-c', null, 2000),
    channel('x-1-13-d1-c', null, 3000),
    channel('x-1-13-d2-c-a1-3-c', 5000, 6000),
    channel('x-1-12-c-a1-3-c', 2000, 3000),
  ]
  expect([...measuredOf(channels, 'x-', 60_000)]).toEqual([
    [7, { billMs: 10_000, patchBillMs: 4000 }],
    [8, { billMs: null, patchBillMs: null }],
    [13, { billMs: 5000, patchBillMs: 1000 }],
  ])
})

test.each([
  { why: 'the same', measured: { billMs: 10_000, patchBillMs: null }, attempt: settled(1, 9000), detail: null },
  {
    why: 'a second and more',
    measured: { billMs: 10_000, patchBillMs: null },
    attempt: settled(1, 8999),
    detail: 'the customer: 10000 ms by the dialer’s record, 8999 ms in history',
  },
  {
    why: 'an answer that nobody saw',
    measured: { billMs: 500, patchBillMs: null },
    attempt: settled(1, null),
    detail: 'the customer: 500 ms by the dialer’s record, no answer in history',
  },
  {
    why: 'an answer that never was, and an agent’s leg too long',
    measured: { billMs: null, patchBillMs: 1000 },
    attempt: settled(1, 400, 3000),
    detail:
      'the customer: no answer by the dialer’s record, 400 ms in history; the agents: 1000 ms by the dialer’s record, 3000 ms in history',
  },
  { why: 'given back', measured: { billMs: null, patchBillMs: null }, attempt: null, detail: null },
  {
    why: 'nobody knows of it',
    measured: { billMs: 3000, patchBillMs: null },
    attempt: null,
    detail: 'the customer: 3000 ms by the dialer’s record, no answer in history',
  },
  {
    why: 'not settled yet',
    measured: { billMs: 3000, patchBillMs: null },
    attempt: { ...settled(1, null), is_open: true },
    detail: null,
  },
  {
    why: 'settled as lost, which a note is of',
    measured: { billMs: 3000, patchBillMs: null },
    attempt: { ...settled(1, null), is_lost: true },
    detail: null,
  },
])('what was settled beside what was measured: $why', ({ measured, attempt, detail }) => {
  const differences = differencesOf(new Map([[1, measured]]), new Map(attempt ? [[1, attempt]] : []))
  expect(differences.map((one) => one.detail)).toEqual(detail === null ? [] : [detail])
})

const at = await dialling({ speed: 50, timeScale: 0.004 })

test('after a campaign history and the dialer’s record agree; what differs is listed, once', async () => {
  const fixtures = await newFixtures(at, { users: 1 })
  const connections: DialerConnection[] = []
  const driver = instead(at.simulator, (connection) => {
    connections.push(connection)
    return {}
  })
  at.start({ telephony: [driver] })
  const phones = Array.from({ length: 30 }, (_, i) => 9779812000000 + i)
  const { user } = fixtures
  const id = await newCampaign(at, {
    user,
    line: fixtures.line,
    phones,
    flow: at.flow(0),
    channels: 100,
    reservePaisa: 40,
  })
  await at.status(id, 'complete')
  const [connection] = connections
  if (!connection) throw new Error('the engine has no dialer')
  const prefix = await channelPrefix(at.pool)
  const check = (of: Pick<DialerConnection, 'readRecord'>) =>
    new RecordCheck(at.pool, pino({ enabled: false }), prefix, fixtures.lease).check(of, Date.now() + 3_600_000)
  expect(await check(connection)).toEqual([])
  const { channels, ...record } = await connection.readRecord(0)
  const [one] = [...channels.values()].filter(({ answeredAt }) => answeredAt !== null)
  if (!one) throw new Error('nobody answered')
  const longer = new Map(channels).set(one.channelId, { ...one, endedAt: (one.endedAt ?? 0) + 5000 })
  const altered = { readRecord: async () => ({ ...record, channels: longer }) }
  expect(await check(altered)).toHaveLength(1)
  await check(altered)
  const alerts = await at.db.selectFrom('alert').select('subject').where('kind', '=', 'record').execute()
  expect(alerts).toEqual([{ subject: `attempt ${legOf(prefix, one.channelId)?.attemptId}` }])
})
