import { beforeAll, expect, test, vi } from 'vitest'
import { startWorkers } from '../../jobs.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { polling } from '../../testing/timeouts.ts'
import { newUser } from '../../testing/seed.ts'
import { reportLimit } from '../limits/rules.ts'
import { reportHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { reports: reportHandlers } })
vi.setConfig({ testTimeout: 120_000 })

let hostile: Viewer
let other: Viewer
beforeAll(async () => {
  hostile = await newUser(app)
  other = await newUser(app)
})
async function ask(viewer: Viewer, campaignId: number) {
  const headers = await signedIn(app, viewer)
  return http.inject({ method: 'POST', url: '/api/obd/report/generate', headers, payload: { campaignId } })
}

test('twenty reports of an account wait at most, and another account’s one is made before the second of them', async () => {
  for (let n = 0; n < reportLimit.atOnce; n++)
    expect((await ask(hostile, await newCampaign(app, hostile))).statusCode).toBe(200)
  const beyond = await newCampaign(app, hostile)
  const refused = await ask(hostile, beyond)
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
    429,
    '2',
    { errors: [{ text: 'One account may have 20 reports under way at once. Try again in 2 s' }] },
  ])
  expect(await app.db.selectFrom('report').select('status').where('campaign_id', '=', beyond).execute()).toEqual([])
  expect((await ask(other, await newCampaign(app, other))).statusCode).toBe(200)
  await startWorkers(app)
  const made = () =>
    app.db.selectFrom('report').select('requested_by').where('status', '=', 'ready').orderBy('made_at').execute()
  const place = async () => (await made()).findIndex(({ requested_by }) => requested_by === other.userId)
  await vi.waitFor(async () => expect(await place()).toBeGreaterThanOrEqual(0), { ...polling, timeout: 100_000 })
  const at = await place()
  expect(at, 'beside the first of the hostile account').toBeLessThanOrEqual(1)
})
