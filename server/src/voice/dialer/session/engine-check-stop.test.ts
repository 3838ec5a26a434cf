import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { newFixtures } from '../../testing/fixtures.ts'
import { dialling, poolWith } from '../../testing/engine.ts'

const at = await dialling({ speed: 10, timeScale: 0.01 })

test('an engine that is told to stop gives its dialers up at once, however long the check of the books takes that is under way', async () => {
  await newFixtures(at)
  const checking = Promise.withResolvers<unknown>()
  const mayEnd = Promise.withResolvers<unknown>()
  const pool = poolWith(at, 'check_invariants_since', async (send) => {
    checking.resolve(null)
    await mayEnd.promise
    return send()
  })
  const engine = at.start({ pool })
  let stopped: Promise<void> | null = null
  onTestFinished(async () => {
    mayEnd.resolve(null)
    await (stopped ?? engine.stop({ drainMs: 0 }))
  })
  await Promise.all([checking.promise, once(engine.reports, 'tick')])
  const leases = async () =>
    (await at.pool.query('select from dialer_lease where expires_at > clock_timestamp()')).rowCount
  expect(await leases()).toBe(1)
  stopped = engine.stop({ drainMs: 0 })
  await expect.poll(leases).toBe(0)
})
