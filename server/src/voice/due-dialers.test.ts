import { expect, test } from 'vitest'
import { engineDb } from './testing/db.ts'
import { newCampaign, newFixtures } from './testing/fixtures.ts'
import { dueDialers } from './due-dialers.sql.ts'
import { Polls } from './polls.ts'

const at = await engineDb(2)
const leaseMs = 10_000

async function version(): Promise<string | null> {
  const due = await dueDialers(at.engine)
  return due.find(({ what }) => what === 'lines')?.version ?? null
}

test('whatever changes of a dialer, its trunks, their contract or their health, the settings have another version', async () => {
  const { dialerId, trunkId } = (await newFixtures(at)).line
  const changes = [
    `update dialer set name = 'renamed' where id = ${dialerId}`,
    `update trunk set ring_seconds = ring_seconds + 1 where id = ${trunkId}`,
    `insert into trunk_disposition (trunk_id, sip_status, disposition, sign) values (${trunkId}, 480, 'BUSY', 'good')`,
    `delete from trunk_disposition where trunk_id = ${trunkId}`,
    `insert into operator_contract (name, channels, cps) values ('Of version', 10, 2)`,
    `update operator_contract set cps = 3 where name = 'Of version'`,
    `insert into trunk_health (trunk_id, probes) values (${trunkId}, 0) on conflict do nothing`,
    `update trunk_health set probes = probes + 1 where trunk_id = ${trunkId}`,
  ]
  for (const change of changes) {
    const before = await version()
    await at.pool.query(change)
    expect(await version(), change).not.toBe(before)
  }
  expect(await version()).toBe(await version())
})

test('settings that were read are stale as soon as a poll finds a change', async () => {
  const { dialerId } = (await newFixtures(at)).line
  const polls = new Polls(at.engine, leaseMs)
  await polls.read()
  await polls.scheduler.snapshots.readTrunks(dialerId)
  await polls.read()
  expect(polls.scheduler.snapshots.isStale(dialerId)).toBe(false)
  await at.pool.query('update dialer set cps = cps + 1 where id = $1', [dialerId])
  await polls.read()
  expect(polls.scheduler.snapshots.isStale(dialerId)).toBe(true)
})

test('a dialer is told of a campaign that can be worked on, and that it has one that only waits', async () => {
  const { user, line } = await newFixtures(at)
  const polls = new Polls(at.engine, leaseMs)
  let told = 0
  polls.whenDue(line.dialerId, () => (told += 1))
  await polls.read()
  expect([told, polls.isDue(line.dialerId), polls.scheduler.waiting.has(line.dialerId)]).toEqual([0, false, false])
  const id = await newCampaign(at, { user, line, phones: [9779851900101] })
  for (const { status, expected } of [
    { status: 'running', expected: [1, true, false] },
    { status: 'paused', expected: [1, false, true] },
    { status: 'cancelling', expected: [2, true, false] },
    { status: 'cancelled', expected: [2, false, false] },
  ]) {
    await at.pool.query('update campaign set status = $2 where id = $1', [id, status])
    await polls.read()
    expect([told, polls.isDue(line.dialerId), polls.scheduler.waiting.has(line.dialerId)], status).toEqual(expected)
  }
  polls.forget(line.dialerId)
  await at.pool.query(`update campaign set status = 'running' where id = $1`, [id])
  await polls.read()
  expect(told).toBe(2)
})
