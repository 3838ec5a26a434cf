import { expect, test, vi } from 'vitest'
import { startWorkers } from './jobs.ts'
import { testApp } from './testing/app.ts'
import { polling } from './testing/timeouts.ts'

const app = await testApp()
const left = (queue: string) =>
  app.pool.query(`select from pgboss.job where name = $1 and state <> 'completed'`, [queue])
const done = (queue: string) => vi.waitFor(async () => expect((await left(queue)).rowCount).toBe(0), polling)

test('a process goes on to its next job at once: by polling, these would take a minute and a half', async () => {
  const campaignIds = Array.from({ length: 30 }, (_, n) => 1_000_000 + n) // campaigns that do not exist, so there is nothing to make
  for (const campaignId of campaignIds) await app.jobs.send('report', { campaignId })
  await startWorkers(app)
  await done('report')
}, 60_000)

test('files of one account follow each other at once, whichever of the two workers made the one before', async () => {
  const group = { id: '7' }
  for (let round = 0; round < 8; round++) {
    const began = performance.now()
    for (let n = 0; n < 3; n++) await app.jobs.send('export', { exportId: 1_000_000 + n }, { group })
    await done('export')
    expect(performance.now() - began, `round ${round}`).toBeLessThan(2000) // polling would take 3 s
  }
}, 60_000)
