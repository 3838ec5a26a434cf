// @module-tag exhaustive
import { beforeAll, expect, test } from 'vitest'
import { sipBench } from './testing.ts'
import { CrashBench } from './testing-crash.ts'

/** An engine is started again later than in the 5 s for which calls wait by default. */
const at = await sipBench({ settings: { LOST_SECONDS: '120' } })
let bench: CrashBench
beforeAll(async () => {
  bench = new CrashBench(at, await at.fixtures({ cps: 10, channels: 60 }))
})
const testMs = 480_000

function killDialer(): { from: number; to: number } {
  const from = Date.now()
  at.own.kill()
  return { from, to: Date.now() }
}

test(
  'an engine that is killed and started again adopts what is up: nobody is called twice or lost, all are charged as long as they talked',
  async () => {
    const first = await bench.engine()
    const campaign = await bench.campaignUnderWay()
    await first.kill()
    const second = await bench.engine()
    await bench.completed(campaign)
    await second.kill()
    await bench.expectAsTheOperatorSaw(campaign, null)
    expect(await at.db.selectFrom('alert').selectAll().execute()).toEqual([])
  },
  testMs,
)

test(
  'a dialer that is killed and started again: its calls are closed, nobody is called twice, the campaign goes on by itself',
  async () => {
    const engine = await bench.engine()
    const campaign = await bench.campaignUnderWay()
    const death = killDialer()
    await at.own.start()
    await bench.completed(campaign)
    await engine.kill()
    await bench.expectAsTheOperatorSaw(campaign, death)
  },
  testMs,
)

test(
  'both are killed and started again: calls are closed by the record, nobody is called twice, the campaign goes on by itself',
  async () => {
    const first = await bench.engine()
    const campaign = await bench.campaignUnderWay()
    const death = killDialer()
    await first.kill()
    await at.own.start()
    const second = await bench.engine()
    await bench.completed(campaign)
    await second.kill()
    await bench.expectAsTheOperatorSaw(campaign, death)
  },
  testMs,
)
