import { expect, test } from 'vitest'
import { faultsOf } from '../../../dispatch/faults.ts'
import { checkInvariants } from '../../invariants/invariants.sql.ts'
import { killBench } from '../../testing/fault-injection/bench.ts'
import { finishAll, newCampaigns } from '../../testing/fault-injection/campaigns.ts'
import { expectAllAccounted } from '../../testing/fault-injection/expect.ts'
import { chosenKills, executeKill } from '../../testing/fault-injection/kills.ts'

/** `npm test` has time for one of each kind; KILLS=20 SEED=7 takes twenty, at points that the seed chooses. */
const each = Number(process.env['KILLS'] ?? 1)
const seed = Number(process.env['SEED'] ?? 1)
/** Until every dialer dials again, without anybody's help. */
const recoverMsMax = 30_000

const bench = await killBench()
const { at, dialers, engines, until } = bench

test(`engine, dialer, both, PostgreSQL and network, each ${each} times, with two engines and three dialers: nobody is called twice or lost, no number is in two calls, every paisa is right`, async () => {
  const campaigns = await newCampaigns(bench)
  const { feed } = campaigns
  const allDial = async (since: number): Promise<void> => {
    const dial = () => dialers.every((one) => one.channels().some(({ startedAt }) => startedAt > since))
    await until('every dialer dials', dial, feed)
  }
  await feed()
  for (const name of ['one', 'two']) await engines.begin(name)
  await allDial(0)
  for (const kill of chosenKills(each, seed)) {
    const what = await executeKill(bench, kill, feed)
    if (each < 3) continue // in quick succession
    const since = Date.now()
    await allDial(since)
    const tookMs = Date.now() - since
    process.stdout.write(`${what}: every dialer dials after ${tookMs} ms\n`)
    expect(tookMs, what).toBeLessThan(recoverMsMax)
    expect([what, faultsOf(await checkInvariants(at.engine))]).toEqual([what, []])
  }
  const fastFrom = await finishAll(bench, campaigns)
  const lost = await expectAllAccounted(bench, campaigns, fastFrom)
  if (each > 2) process.stdout.write(`${lost} calls were lost with their dialer\n`)
}, 3_000_000)
