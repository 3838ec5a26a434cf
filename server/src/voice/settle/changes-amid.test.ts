import { afterAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import type { Viewer } from '../../policy.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser, sumOfBalances } from '../../testing/seed.ts'
import { expectPaid, owedFor, type Talk } from '../testing/expected-charges.ts'
import { claimed, expectSoundBooks, newCampaign, newFixtures, outcome, phones } from '../testing/fixtures.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import { settleOutcomes } from './settle.sql.ts'

const app = await testApp()
const http = await testHttp(app)
const engine = openPool(
  { connectionString: app.url, max: 20, name: 'ghanti-engine-test', options: enginePoolOptions },
  () => {},
)
afterAll(() => engine.end())
const at = { ...app, engine }

async function send(viewer: Viewer, path: string, payload: object) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method: 'POST', url: `/api/obd/${path}`, headers, payload })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ campaignId: number }>()
}

test('what a call costs each level was fixed as its campaign was composed, whatever becomes of plans, channels and caller IDs while it runs', async () => {
  const fixtures = await newFixtures(at, { rupees: 1000, channels: 500 })
  const { user, reseller, top, lease, line } = fixtures
  const campaignId = await newCampaign(at, { user, line, phones: phones(300) })
  const levels = [user, reseller, top]
  /** As the screens do: another plan, other channels, another caller ID. */
  const change = async (no: number): Promise<void> => {
    for (const [level, { userId }] of levels.entries()) {
      const planId = await newPlan(app, { pulseSeconds: 15 * (1 + (no % 2)), pulsePaisa: 1 + 500 * ((no + level) % 3) })
      await app.db.updateTable('users').set({ plan_id: planId }).where('id', '=', userId).execute()
      await app.db.updateTable('plan').set({ enabled: false }).where('id', '<', planId).execute()
    }
    const channels = no % 2 === 0 ? 1 : 500
    await app.db.updateTable('account_channels').set({ channels }).where('account_id', '=', user.userId).execute()
    if (no === 10) await app.db.deleteFrom('cli_holder').where('cli_id', '=', line.cliId).execute()
  }
  const talks: Talk[] = []
  const call = async (no: number): Promise<void> => {
    const calls = await claimed(at, fixtures, campaignId, 5, { slot: no % 8 })
    const ended = calls.map((one, i) => {
      const talk =
        i % 3 === 2 ? { customerMs: null, agentMs: null } : { customerMs: 1000 + 7000 * ((i + no) % 10), agentMs: null }
      talks.push(talk)
      const { customerMs: billMs } = talk
      return outcome(one, billMs === null ? { disposition: 'NO ANSWER' } : { disposition: 'ANSWER', billMs })
    })
    await change(100 + no)
    await settleOutcomes(engine, lease, no % 8, ended)
  }
  for (let no = 1; no <= 20; no += 1) await Promise.all([call(no), change(no)])
  expect(talks.filter(({ customerMs }) => customerMs !== null).length).toBeGreaterThan(10)
  await expectSoundBooks(at)
  expect(await sumOfBalances(app)).toBe(0)
  await expectPaid(at, fixtures, owedFor(talks))
})

test('a campaign that is composed while its account gets another plan has the prices of the one or of the other', async () => {
  const boss = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 10 })
  const reseller = await newReseller(app, { planId: boss })
  const plans: [number, number] = [
    await newPlan(app, { owner: reseller, pulseSeconds: 30, pulsePaisa: 50 }),
    await newPlan(app, { owner: reseller, pulseSeconds: 60, pulsePaisa: 170 }),
  ]
  const user = await newUser(app, { parent: reseller, planId: plans[0], rupees: 1000 })
  const { cli } = await newLine(app, { holders: [user] })
  const of = {
    templateId: 0,
    cli,
    baseId: await newBase(app, user),
    welcomePId: await newPrompt(app, user, { durationMs: 9000 }),
  }
  const pricesOf = (campaignId: number) =>
    app.db
      .selectFrom('campaign_level')
      .select(['pulse_ms', 'pulse_paisa'])
      .where('campaign_id', '=', campaignId)
      .orderBy('level')
      .execute()
  const compose = async (no: number) =>
    (await send(user, 'campaign/compose', { ...of, campaignName: `Amid ${no}` })).campaignId
  const prices = (pulse_ms: number, pulse_paisa: number) => [
    { pulse_ms, pulse_paisa },
    { pulse_ms: 30_000, pulse_paisa: 10 },
  ]
  const [cheap, dear] = [prices(30_000, 50), prices(60_000, 170)]
  const first = await compose(0)
  expect(await pricesOf(first)).toEqual(cheap)
  const change = (no: number) =>
    app.db
      .updateTable('users')
      .set({ plan_id: no % 2 === 0 ? plans[0] : plans[1] })
      .where('id', '=', user.userId)
      .execute()
  const composed = await Promise.all(
    Array.from({ length: 8 }, async (_, no) => {
      const [campaignId] = await Promise.all([compose(no + 1), change(no), change(no + 1)])
      return campaignId
    }),
  )
  for (const campaignId of composed) expect([cheap, dear]).toContainEqual(await pricesOf(campaignId))
  await change(1)
  expect(await pricesOf(await compose(9))).toEqual(dear)
  expect(await pricesOf(first), 'as it was composed').toEqual(cheap)
})
