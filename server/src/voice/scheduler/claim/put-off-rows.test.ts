import { beforeEach, expect, test } from 'vitest'
import type { NumberCaps } from '../../model/campaigns/claim.sql.ts'
import { takeover } from '../../../dispatch/lease/lease.sql.ts'
import { PutOffRows } from './put-off-rows.ts'
import { claimOf, expectSoundBooks, newCampaign, newFixtures, phones, type Fixtures } from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'

const at = await engineDb()
const fixtures: Fixtures = await newFixtures(at)
const caps: NumberCaps = { answered: 3, attempted: 10, platform: 20 }
const raised = { ...caps, platform: 21 }
/** Two campaigns of 25 rows, one of them paused, whose numbers all had their calls today. */
let ids: number[] = []
const askedAgain = async () => {
  for (const id of ids) await claimOf(at, fixtures, id, 25, { caps })
}
beforeEach(async () => {
  await at.pool.query(`update campaign set status = 'cancelled'`) // those of the previous test
  const of = { user: fixtures.user, line: fixtures.line }
  const numbers = [phones(25), phones(25)]
  ids = []
  for (const some of numbers) ids.push(await newCampaign(at, { ...of, phones: some }))
  await at.pool.query(
    `insert into number_use (phone, day, account_id, tried) select unnest($1::bigint[]), nepal_day(now()), $2, 20`,
    [numbers.flat(), fixtures.user.userId],
  )
  await at.pool.query('update dialer_lease set put_off_caps = null')
  await askedAgain()
  await at.pool.query(`update campaign set status = 'paused' where id = $1`, [ids[1]])
})
const waiting = async () => {
  const { rows } = await at.pool.query<{ n: number }>(
    'select count(r.no)::int as n from unnest($1::int[]) c (id) left join contact_retry r on r.campaign_id = c.id and r.put_off > 0 group by c.id order by c.id',
    [ids],
  )
  return rows.map(({ n }) => n)
}
const isDue = async () => {
  const { rows } = await at.pool.query('select from contact_retry where campaign_id = any ($1) and due_at > now()', [
    ids,
  ])
  return rows.length === 0
}
/** As a session creates it. */
const session = (rows = 10_000) => new PutOffRows(at.engine, fixtures.lease, rows)
/** Each part is of one campaign. */
const ticksOf = async (rows: PutOffRows, now: NumberCaps) => {
  for (let tick = 0; tick < 4; tick++) await rows.capsAre(now)
}

test('caps that were raised while no engine ran bring back what waits, of campaigns that are paused, too', async () => {
  await ticksOf(session(), caps)
  await askedAgain()
  expect(await waiting()).toEqual([25, 0]) // unknown caps make rows due again; a paused campaign claims nothing
  await ticksOf(session(), raised)
  expect(await waiting()).toEqual([0, 0])
  expect(await isDue()).toBe(true)
  await expectSoundBooks(at)
})

test('an engine that comes while the caps are as they were leaves waiting rows alone, also after they were lowered', async () => {
  await ticksOf(session(), caps)
  await askedAgain()
  await ticksOf(session(), caps)
  await ticksOf(session(), { ...caps, attempted: 5 })
  expect(await waiting()).toEqual([25, 0])
  await ticksOf(session(), caps) // rows may be waiting because of the lower caps
  expect(await waiting()).toEqual([0, 0])
})

test('rows come back a part at a time, each once: what is put off again meanwhile stays so', async () => {
  const rows = session(10)
  const seen: number[][] = []
  for (let tick = 0; tick < 8; tick++) {
    await rows.capsAre(raised)
    seen.push(await waiting())
    if (tick === 1) await askedAgain() // twenty are put off again
  }
  expect(seen).toEqual([
    [15, 25],
    [5, 25],
    [20, 25],
    [20, 15],
    [20, 5],
    [20, 0],
    [20, 0],
    [20, 0],
  ])
})

test('an engine that dies while rows come back leaves the others to the next one', async () => {
  await ticksOf(session(), caps)
  await at.pool.query(`update campaign set status = 'running' where id = $1`, [ids[1]])
  await askedAgain()
  await session(10).capsAre(raised)
  expect(await waiting()).toEqual([15, 25])
  await ticksOf(session(), raised)
  expect(await waiting()).toEqual([0, 0])
})

test('an engine whose lease is gone brings nothing back', async () => {
  const lease = await takeover(at.engine, fixtures.line.dialerId, 'test', 600_000)
  if (!lease) throw new Error('no lease')
  await ticksOf(session(), raised)
  expect(await waiting()).toEqual([25, 25])
  Object.assign(fixtures.lease, lease)
})
