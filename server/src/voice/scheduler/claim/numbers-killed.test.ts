import * as fs from 'node:fs'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from '../../../db/embedded/pg-local.ts'
import { clusterFolder, startMigrated } from '../../../testing/cluster.ts'
import { kyselyOver, openPool } from '../../../db/pool.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { rebuildNumbers, takeAgent } from '../../model/campaigns/numbers.sql.ts'
import { enginePoolOptions } from '../../../dispatch/statement.ts'
import {
  agentsCall,
  busyNumbers,
  claimed,
  claimOf,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  type EngineDb,
} from '../../testing/fixtures.ts'

const folder = clusterFolder('killed')
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  fs.rmSync(folder, { recursive: true, force: true })
})
const cluster = { folder: path.join(folder, 'cluster') }

test('PostgreSQL that was killed by SIGKILL comes back without who is in a call and was called; nobody is called until that is counted again, then it is as it was', async () => {
  const first = await startMigrated(cluster)
  let stop = () => first.stop()
  ends.push(() => stop())
  const open = (name: string) =>
    openPool({ connectionString: first.url(), max: 4, name, options: enginePoolOptions }, () => {})
  const [pool, engine] = [open('killed'), open('killed-engine')]
  ends.push(() => Promise.all([pool.end(), engine.end()]))
  const at: EngineDb = { db: kyselyOver(pool), pool, url: first.url(), engine }

  const caps = { answered: 3, attempted: 10, platform: 20 }
  const [called, inCall, agent, free] = [9779841000001, 9779841000002, 9779841000003, 9779841000004]
  const fixtures = await newFixtures(at, { users: 2 })
  const { user, line, lease, users } = fixtures
  const done = await newCampaign(at, { user, line, phones: [called, called, called, called] })
  for (let call = 0; call < 3; call++) {
    const up = await claimed(at, fixtures, done, 1, { caps })
    await settleOutcomes(
      at.engine,
      lease,
      0,
      up.map((one) => outcome(one, { disposition: 'ANSWER', billMs: 1000 })),
    )
  }
  const [up] = await claimed(at, fixtures, await newCampaign(at, { user, line, phones: [inCall] }), 1, { caps })
  if (!up) throw new Error('no call')
  expect(await takeAgent(engine, lease, agent, agentsCall(up))).toBe('taken')
  const days = async () => (await pool.query('select * from number_day order by phone, account_id')).rows
  const before = [await busyNumbers(at), await days()]
  expect(before).toEqual([[inCall, agent], [expect.objectContaining({ phone: called, tried: 3, answered: 3 })]])

  process.kill(first.pid, 'SIGKILL')
  const second = await startPostgres(cluster)
  stop = () => second.stop()
  expect([second.adopted, second.pid === first.pid, second.url()]).toEqual([false, false, first.url()])
  expect((await pool.query('select from number_use union all select from number_use_others')).rowCount).toBe(0)

  const other = users[1] ?? user
  const again = await newCampaign(at, { user: other, line, phones: [inCall, agent, free] })
  const mine = await newCampaign(at, { user, line, phones: [called] })
  expect(await claimed(at, fixtures, again, 10, { caps })).toEqual([])
  expect((await Promise.all([rebuildNumbers(engine), rebuildNumbers(engine)])).filter(Boolean)).toHaveLength(1)
  expect([await busyNumbers(at), await days()]).toEqual(before)
  expect((await claimed(at, fixtures, again, 10, { caps })).map((call) => call.phone)).toEqual([free])
  const { calls, putOff } = await claimOf(at, fixtures, mine, 10, { caps })
  expect([calls, putOff?.calledToday]).toEqual([[], 3])
  await settleOutcomes(engine, lease, 0, [outcome(up, { disposition: 'ANSWER', billMs: 1000 })])
  expect(await busyNumbers(at)).toEqual([free])
  await expectSoundBooks(at)
})
