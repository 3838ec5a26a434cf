import { expect, onTestFinished, test } from 'vitest'
import { testLog } from '../../testing/log.ts'
import { renew } from '../../dispatch/lease/lease.sql.ts'
import { engineDb } from '../testing/db.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../testing/fixtures.ts'
import { Writer } from './writer.ts'

const at = await engineDb()

test('an end that was written after the lease had run out does not count, and is written again once the lease is renewed', async () => {
  const fixtures = await newFixtures(at)
  const { lease, user, line } = fixtures
  const campaignId = await newCampaign(at, { user, line, phones: phones(2) })
  const [first, second] = await claimed(at, fixtures, campaignId, 2)
  if (!first || !second) throw new Error('no calls')
  const state = { isValid: true }
  const settled: number[] = []
  const writer = new Writer(at.engine, testLog()).dialer({
    lease,
    slot: 0,
    isValid: () => state.isValid,
    onSettled: (ended) => void settled.push(...ended.map(({ attemptId }) => attemptId)),
  })
  onTestFinished(() => writer.close())
  const ends = { disposition: 'ANSWER', billMs: 20_000 } as const
  await at.pool.query(`update dialer_lease set expires_at = now() - interval '1 second' where dialer_id = $1`, [
    lease.dialerId,
  ])
  writer.settle({ ...outcome(first, ends), campaignId }, user.userId)
  writer.settle({ ...outcome(second, ends), campaignId }, user.userId)
  const written = writer.flush()
  state.isValid = false // while the statement is under way
  await written
  expect([settled, writer.waiting]).toEqual([[], 2])
  await writer.flush()
  expect([settled, writer.waiting]).toEqual([[], 2])

  expect(await renew(at.engine, lease, 600_000)).toBe(true)
  state.isValid = true
  await expect.poll(() => settled).toEqual([first.id, second.id])
  expect(writer.waiting).toBe(0)
  await expectSoundBooks(at)
})
