import { expect, test, vi } from 'vitest'
import { polling } from '../../../testing/timeouts.ts'
import { answering } from '../../testing/campaigns.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { losableDialers } from '../../testing/crash/losable-dialers.ts'
import { anotherDialer, newRoute } from '../../testing/routes.ts'

/** Waits of the engine are as long as in production. */
const at = await losableDialers({ speed: 50, timeScale: 1 })
const withinMs = 5000
/** How long a silent dialer may go unnoticed while it is asked for calls. */
const noticedMs = 3000

type Other = { dialerId: number; trunkId: number }
/** A caller ID with a route over two dialers. */
async function twoDialers(priorities: [number, number]): Promise<[Fixtures, Other]> {
  const fixtures = await newFixtures(at, { cps: 40, channels: 60 })
  const other = await anotherDialer(at, { channels: 60 })
  const trunkIds = [fixtures.line.trunkId, other.trunkId]
  const steps = trunkIds.map((trunkId, n) => ({ trunkId, priority: priorities[n] ?? 1, weight: 1 }))
  await newRoute(at, fixtures, steps)
  await at.areSet(trunkIds)
  return [fixtures, other]
}
const campaign = ({ user, line }: Fixtures, phones: number[]) =>
  newCampaign(at, { user, line, phones, status: 'ready', flow: at.flow(0), retries: 0, reservePaisa: 40 })

test('rows that a dialer had claimed and not dialled when it was lost are called over another dialer within 5 s', async () => {
  const [fixtures, other] = await twoDialers([1, 1])
  const { line } = fixtures
  const lost = at.loseAtDial(line.dialerId)
  const id = await campaign(fixtures, answering(60, 9779863000000))
  await lost
  const lostAt = performance.now()
  /** Those that the lost dialer had claimed, and over which trunk each was called then. */
  const claimed = async () =>
    (
      await at.pool.query<{ phone: number; over: number | null }>(
        `select a.phone, (select o.trunk_id from attempt o where o.campaign_id = a.campaign_id and o.no = a.no and o.id > a.id and o.disposition = 'ANSWER') as over
         from attempt a where a.campaign_id = $1 and a.trunk_id = $2 and a.disposition = 'CANCEL'`,
        [id, line.trunkId],
      )
    ).rows
  await vi.waitFor(async () => {
    const rows = await claimed()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ over }) => over !== other.trunkId)).toEqual([])
  }, polling)
  expect(performance.now() - lostAt).toBeLessThan(withinMs)
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 60, done: 60 })
  await expectSoundBooks(at)
})

test('a dialer of a later order takes over at once when the one before it is lost', async () => {
  const [fixtures, other] = await twoDialers([1, 2])
  const id = await campaign(fixtures, answering(120, 9779864000000))
  const over = async (trunkId: number): Promise<number> => {
    const { rows } = await at.pool.query(
      `select from attempt where campaign_id = $1 and trunk_id = $2 and disposition = 'ANSWER'`,
      [id, trunkId],
    )
    return rows.length
  }
  await vi.waitFor(async () => expect(await over(fixtures.line.trunkId)).toBeGreaterThan(20), polling)
  const before = await over(other.trunkId)
  const lostAt = performance.now()
  at.lose(fixtures.line.dialerId)
  await vi.waitFor(async () => expect(await over(other.trunkId)).toBeGreaterThan(before + 20), polling)
  expect(performance.now() - lostAt).toBeLessThan(withinMs - noticedMs)
  at.comeBack(fixtures.line.dialerId)
  await at.status(id, 'complete')
  await expectSoundBooks(at)
})
