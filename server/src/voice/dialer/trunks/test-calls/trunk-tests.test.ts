import { expect, test } from 'vitest'
import { freeNumbers } from '../../../model/campaigns/numbers.sql.ts'
import {
  busyNumbers,
  claimed,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  type Fixtures,
} from '../../../testing/fixtures.ts'
import { engineDb } from '../../../testing/db.ts'
import { beginTest, takeTests, reportTest } from './trunk-tests.sql.ts'

const at = await engineDb(4)

async function askFor({ line, user }: Fixtures, phone: number): Promise<void> {
  await at.pool.query(
    `insert into trunk_test (trunk_id, dialer_id, kind, phone, cli, by_user_id) values ($1, $2, 'call', $3, '1', $4)`,
    [line.trunkId, line.dialerId, phone, user.userId],
  )
}

test('a number takes one call, of tests of trunks too, whoever asks for them: it is taken before it rings and free when the test is over', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const phone = 9779851900001
  const of = { trunkId: line.trunkId, phone, cli: '1', everyMs: 0, aDay: 2 }
  const id = await newCampaign(at, { user, line, phones: [phone] })
  const test = await beginTest(at.engine, lease, of)
  if (typeof test === 'string') throw new Error(test)
  expect(test).toMatchObject({ trunk_id: line.trunkId, kind: 'call', phone, cli: '1' })
  expect(await beginTest(at.engine, lease, of)).toBe('busy')
  await askFor(fixtures, phone)
  expect(await takeTests(at.engine, lease, 'busy')).toEqual([])
  expect(await claimed(at, fixtures, id, 1)).toEqual([])
  await expectSoundBooks(at)
  await at.pool.query('update number_use set attempt_id = null where phone = $1', [phone])
  await expect(expectSoundBooks(at)).rejects.toThrow('numbers_wrong')
  await at.pool.query('update number_use set attempt_id = $2 where phone = $1', [phone, -test.id])
  const over = { id: test.id, progress: null, passed: true, result: 'answered' }
  await reportTest(at.engine, { ...lease, epoch: lease.epoch + 1 }, over)
  expect(await busyNumbers(at)).toContain(phone)
  await reportTest(at.engine, lease, over)
  expect(await busyNumbers(at)).not.toContain(phone)
  await askFor(fixtures, phone)
  await askFor(fixtures, phone)
  const [one, other] = await takeTests(at.engine, lease, 'busy')
  expect([one?.phone, other]).toEqual([phone, undefined])
  const { rows } = await at.pool.query('select passed, result from trunk_test where phone = $1 order by id', [phone])
  const busy = { passed: false, result: 'busy' }
  expect(rows).toEqual([{ passed: true, result: 'answered' }, busy, { passed: null, result: null }, busy])
  await at.pool.query(`update trunk_test set taken_at = now() - interval '181 seconds' where id = $1`, [one?.id])
  await expectSoundBooks(at)
  expect(await freeNumbers(at.engine)).toEqual([phone]) // its engine died
})

test('the engine calls a test number of its own accord no more than once a minute and so often a day, whichever engine and trunk it was', async () => {
  const [fixtures, other] = [await newFixtures(at), await newFixtures(at)]
  const phone = 9779851900002
  const call = async ({ line, lease }: Fixtures, everyMs = 60_000) => {
    const test = await beginTest(at.engine, lease, { trunkId: line.trunkId, phone, cli: '1', everyMs, aDay: 2 })
    if (typeof test === 'string') return test
    await reportTest(at.engine, lease, { id: test.id, progress: null, passed: true, result: 'answered' })
    return 'called'
  }
  expect([await call(fixtures), await call(fixtures), await call(other)]).toEqual(['called', 'enough', 'enough'])
  expect([await call(other, 0), await call(fixtures, 0)]).toEqual(['called', 'enough'])
  await at.pool.query(`update trunk_test set taken_at = taken_at - interval '1 day' where phone = $1`, [phone])
  expect(await call(fixtures)).toBe('called')
  await askFor(fixtures, phone)
  expect(await takeTests(at.engine, fixtures.lease, 'busy'), 'who asks for a test gets it').toHaveLength(1)
})
