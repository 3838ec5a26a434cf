// @module-tag exhaustive
/** The network between engine and dialer falls silent for 20 s in the middle of a campaign, while calls continue. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { Proxy } from '../server/src/testing/proxy.ts'
import { sipBench } from './testing.ts'
import { CrashBench } from './testing-crash.ts'

const silentMs = 20_000
const at = await sipBench()
const proxy = await Proxy.to(at.own.dialer)
afterAll(() => proxy.close())

test('nobody is called twice or lost, everybody is charged for the time talked, and the campaign continues by itself', async () => {
  const bench = new CrashBench(at, await at.fixtures({ cps: 10, channels: 60, port: proxy.port }))
  const engine = await bench.engine()
  const campaign = await bench.campaignUnderWay()
  const from = performance.now()
  proxy.silence()
  const dialer = () => at.db.selectFrom('dialer_state').select('reachable').executeTakeFirst()
  await at.until('the engine misses its dialer', async () => (await dialer())?.reachable === false)
  await sleep(from + silentMs - performance.now())
  expect(await dialer()).toEqual({ reachable: false })
  proxy.mend()
  await bench.completed(campaign)
  await engine.kill()
  await bench.expectAsTheOperatorSaw(campaign, null)
  expect(await at.db.selectFrom('alert').selectAll().execute()).toEqual([])
}, 240_000)
