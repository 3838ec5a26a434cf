import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newUser } from '../../testing/seed.ts'
import { pageFaults } from './testing.ts'

const app = await testApp()

async function ended(campaignId: number, calls: number): Promise<void> {
  await app.pool.query(
    `insert into attempt (id, started_at, ended_at, claimed_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, attempt_no, disposition)
     values ($2::int, now(), now(), now(), 9779841000000, 1, 0, 0, $1, 0, 0, $2::int, 'BUSY')`,
    [campaignId, calls],
  )
  await app.db.updateTable('campaign_progress').set({ attempts: calls }).where('campaign_id', '=', campaignId).execute()
}

test('a call that ends while pages are compared with the calls is no fault; a page that goes on saying something else is one', async () => {
  const campaignId = await newCampaign(app, await newUser(app), { rows: 1 })
  await ended(campaignId, 1)
  let answers = 0
  const meanwhile: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answers += 1
      if (answers === 1) await ended(campaignId, 2) // the calls were read, the page was not
      return result
    },
  }
  expect(await pageFaults(app.db.withPlugin(meanwhile))).toEqual([])
  expect(answers).toBeGreaterThan(2)
  const uncounted = { answered: 1, pulses: 3 }
  await app.db.updateTable('campaign_progress').set(uncounted).where('campaign_id', '=', campaignId).execute()
  expect(await pageFaults(app.db)).toEqual([expect.stringContaining(`campaign ${campaignId}: its page says`)])
})
