import { setTimeout as sleep } from 'node:timers/promises'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { expect, test, vi } from 'vitest'
import { polling } from '../../../../testing/timeouts.ts'
import { newGroup } from '../../../testing/cli-groups.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures } from '../../../testing/fixtures.ts'
import { losableDialers } from '../../../testing/crash/losable-dialers.ts'
import { anotherDialer, newRoute } from '../../../testing/routes.ts'

/** engine-cli-groups.test.ts has what each trunk shows. */
const exhaustive = { tags: ['exhaustive'] }

const at = await losableDialers({ speed: 50, timeScale: 0.004 })
const { lose, comeBack } = at
const channels = 6

test('a group of caller IDs is called over all dialers of its route, within the channels of each caller ID, and goes on when the one that leads is lost; a number sees one caller ID', async () => {
  const fixtures = await newFixtures(at, { cps: 40, channels: 60 })
  const other = await anotherDialer(at)
  const group = await newGroup(at, fixtures, { size: 4, channels })
  const line = { ...fixtures.line, cliId: group.cliId }
  const trunkIds = [line.trunkId, other.trunkId]
  const steps = trunkIds.map((trunkId) => ({ trunkId, priority: 1, weight: 1 }))
  await newRoute(at, { ...fixtures, line }, steps)
  await at.areSet(trunkIds)
  const phones = Array.from({ length: 400 }, (_, i) => 9779853000046 + 100 * i)
  const of = { user: fixtures.user, line, status: 'ready' as const, flow: at.flow(0), retries: 0, reservePaisa: 40 }
  const id = await newCampaign(at, { ...of, phones })
  const most = { calls: 0 }
  const over = async (trunkId: number): Promise<number> => {
    const { rows } = await at.pool.query<{ n: number }>(
      'select coalesce(max(n), 0)::int as n from (select count(*) as n from attempt_open where campaign_id = $1 group by cli_id) t',
      [id],
    )
    most.calls = Math.max(most.calls, rows[0]?.n ?? 0)
    return (await at.db.selectFrom('attempt').select('id').where('trunk_id', '=', trunkId).execute()).length
  }
  for (const trunkId of trunkIds) await vi.waitFor(async () => expect(await over(trunkId)).toBeGreaterThan(10), polling)
  lose(line.dialerId)
  const before = await over(other.trunkId)
  await vi.waitFor(async () => expect(await over(other.trunkId)).toBeGreaterThan(before + 60), polling)
  comeBack(line.dialerId)
  await vi.waitFor(
    async () => {
      await over(line.trunkId)
      expect((await counts(at, id))['done']).toBe(400)
    },
    { ...polling, timeout: 60_000 },
  )
  await at.status(id, 'complete')
  expect(most.calls).toBeLessThanOrEqual(channels)
  const { rows } = await at.pool.query<{ clis: number; strange: number }>(
    'select count(distinct cli_id)::int as clis, count(*) filter (where cli_id <> all ($2::int[]))::int as strange from attempt where campaign_id = $1',
    [id, group.members.map(({ cliId }) => cliId)],
  )
  expect(rows).toEqual([{ clis: 4, strange: 0 }])
  await expectSoundBooks(at)
})

test(
  'each dialer’s trunk shows the caller IDs of its own operator: a group of both goes over both dialers, beside a campaign of one of its caller IDs, within the channels of each',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { cps: 40, channels: 60 })
    const other = await anotherDialer(at)
    const group = await newGroup(at, fixtures, { size: 2, channels, last: other })
    const [here, there] = group.members
    if (!here || !there) throw new Error('no members')
    const { user, line } = fixtures
    const shows = new Map([
      [line.trunkId, here],
      [other.trunkId, there],
    ])
    for (const [trunkId, { cli }] of shows)
      await at.db
        .updateTable('trunk')
        .set({ sip_options: JSON.stringify({ ...plainSipOptions, shownClis: [cli] }) })
        .where('id', '=', trunkId)
        .execute()
    const ofGroup = { ...line, cliId: group.cliId }
    const steps = [...shows.keys()].map((trunkId) => ({ trunkId, priority: 1, weight: 1 }))
    await newRoute(at, { ...fixtures, line: ofGroup }, steps)
    await at.areSet([...shows.keys()])
    const of = { user, status: 'ready' as const, flow: at.flow(0), retries: 0, reservePaisa: 40 }
    const numbers = (n: number, from: number) => Array.from({ length: n }, (_, i) => from + 100 * i + 46)
    const ids = [
      await newCampaign(at, { ...of, line: ofGroup, phones: numbers(200, 9779854000000) }),
      await newCampaign(at, { ...of, line: { ...other, cliId: there.cliId }, phones: numbers(80, 9779855000000) }),
    ]
    let most = 0
    for (let isDone = false; !isDone; await sleep(20)) {
      const { rows } = await at.pool.query<{ n: number }>(
        'select coalesce(max(n), 0)::int as n from (select count(*) as n from attempt_open group by cli_id) t',
      )
      most = Math.max(most, rows[0]?.n ?? 0)
      const left = await at.db
        .selectFrom('campaign')
        .select('id')
        .where('id', 'in', ids)
        .where('status', '!=', 'complete')
        .execute()
      isDone = left.length === 0
    }
    expect(most).toBeLessThanOrEqual(channels)
    const { rows } = await at.pool.query<{ trunk_id: number; cli_id: number }>(
      'select distinct trunk_id, cli_id from attempt where campaign_id = any ($1::int[]) order by trunk_id',
      [ids],
    )
    expect(rows).toEqual([...shows].map(([trunk_id, { cliId }]) => ({ trunk_id, cli_id: cliId })))
    await expectSoundBooks(at)
  },
)
