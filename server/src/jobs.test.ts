import { expect, test, vi } from 'vitest'
import { startWorkers } from './jobs.ts'
import { testApp } from './testing/app.ts'
import { patient } from './testing/patience.ts'

const app = await testApp()

test('a process goes on to its next job at once: by polling, these would take a minute and a half', async () => {
  const campaignIds = Array.from({ length: 30 }, (_, n) => 1_000_000 + n) // of none there is anything to make
  for (const campaignId of campaignIds) await app.jobs.send('report', { campaignId })
  await startWorkers(app)
  const left = () => app.pool.query(`select from pgboss.job where name = 'report' and state <> 'completed'`)
  await vi.waitFor(async () => expect((await left()).rowCount).toBe(0), patient)
}, 60_000)
