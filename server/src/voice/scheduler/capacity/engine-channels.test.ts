import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newLine } from '../../../testing/seed.ts'
import { dialling } from '../../testing/engine.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, numbersEnding } from '../../testing/fixtures.ts'

/** channels.test.ts beside this has who gets which. */
const exhaustive = { tags: ['exhaustive'] }

/** A call lasts 0.3 s. */
const at = await dialling({ speed: 10, timeScale: 0.01 })
const rows = 16

/** The most calls in progress of an account and all below it while `work` runs, and on how many dialers at once. */
async function most(accountId: number, work: () => Promise<unknown>): Promise<{ calls: number; dialers: number }> {
  const seen = { calls: 0, dialers: 0 }
  const watching = { now: true }
  const watch = (async () => {
    for (; watching.now; await sleep(5)) {
      const { rows: open } = await at.pool.query<{ n: number; dialers: number }>(
        `select count(*)::int as n, count(distinct o.dialer_id)::int as dialers
         from attempt_open o join campaign_level l on l.campaign_id = o.campaign_id where l.payer_id = $1`,
        [accountId],
      )
      seen.calls = Math.max(seen.calls, open[0]?.n ?? 0)
      seen.dialers = Math.max(seen.dialers, open[0]?.dialers ?? 0)
    }
  })()
  await work()
  watching.now = false
  await watch
  return seen
}

/** Three dialers with a campaign each, of two users below one reseller. */
async function setUp(channels: number): Promise<{ resellerId: number; campaigns: number[] }> {
  await at.db.updateTable('dialer').set({ deleted_at: new Date() }).execute() // those of the test before
  const fixtures = await newFixtures(at, { users: 2, channels: 300 })
  const { userId: resellerId } = fixtures.reseller
  await at.db.updateTable('account_channels').set({ channels }).where('account_id', '=', resellerId).execute()
  const lines = [fixtures.line]
  while (lines.length < 3)
    lines.push(await newLine(at, { holders: fixtures.users, channels: 300, cps: 100, portFrom: 20_000 }))
  const dialerIds = lines.map(({ dialerId }) => dialerId)
  await at.db.deleteFrom('dialer_lease').where('dialer_id', 'in', dialerIds).execute()
  const campaigns: number[] = []
  for (const [i, line] of lines.entries()) {
    const user = fixtures.users[i % 2] ?? fixtures.user
    const phones = numbersEnding(['50', '51', '52', '53'], rows / 4).map((one) => one + 10_000 * (10 * resellerId + i))
    campaigns.push(await newCampaign(at, { user, line, phones, flow: at.flow(0), reservePaisa: 400, channels: 200 }))
  }
  return { resellerId, campaigns }
}

function started(engineId: string) {
  const engine = at.start({ engineId, name: engineId, settleMs: 300 })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  return engine
}

test('two engines and three dialers under one reseller with two channels: both are used, never a third, and all campaigns end', async () => {
  const { resellerId, campaigns } = await setUp(2)
  const seen = await most(resellerId, async () => {
    started('one')
    started('two')
    for (const id of campaigns) await at.status(id, 'complete')
  })
  expect(seen).toEqual({ calls: 2, dialers: 2 })
  for (const id of campaigns) expect(await counts(at, id)).toMatchObject({ answered: rows, done: rows })
  await expectSoundBooks(at)
})

test('when one of two engines ends in the middle, the other uses all channels', exhaustive, async () => {
  const { resellerId, campaigns } = await setUp(6)
  const one = started('one')
  const seen = await most(resellerId, async () => {
    await at.tick(({ dialled }) => dialled > 0)
    started('two')
    await sleep(1500)
    await one.stop({ drainMs: 0 })
    for (const id of campaigns) await at.status(id, 'complete')
  })
  expect(seen.calls).toBe(6)
  await expectSoundBooks(at)
})
