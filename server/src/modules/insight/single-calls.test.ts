import type { CallInsight } from '@ghanti/contract/insight.ts'
import { expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { countAll } from './actions-count.ts'

const app = await testApp()
const day = 24 * 3600_000
/** A Sunday, 12:00 in Nepal. */
const noon = new Date('2026-11-22T06:15:00Z')
const back = (ms: number) => new Date(noon.getTime() - ms)

const leftOf = (answers: CallInsight['rows'][number]['answers']) => answers?.left.map(({ count }) => count)

test('all Call Nows are one row among the campaigns, and all test calls another, however many they are, for the account and for everybody above', async () => {
  const http = await testHttp(app)
  app.clock.set(noon)
  const boss = await newSuperAdmin(app)
  const reseller = await newReseller(app, { parent: boss })
  const caller = await newUser(app, { parent: reseller })
  const get = async (viewer: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, viewer) })
  const shop = await newCampaign(app, caller, { name: 'Shop' })
  const at = back(30 * day)
  await newCall(app, caller, shop, { at })
  await newCall(app, caller, shop, { at })
  for (let n = 0; n < 3; n++) {
    const one = await newCampaign(app, caller, { name: 'Call Now: Shop' })
    await app.db.updateTable('campaign').set({ is_test: true, is_call_now: true }).where('id', '=', one).execute()
    const trail = 'connect >bell'
    await newCall(app, caller, one, { at: back((30 - n) * day), kind: 'callNow', ...answered(20, at), trail })
  }
  for (let n = 0; n < 4; n++) {
    const one = await newCampaign(app, caller, { name: 'Test call: Shop' })
    await app.db.updateTable('campaign').set({ is_test: true }).where('id', '=', one).execute()
    await newCall(app, caller, one, {
      at: back((30 - n) * day),
      kind: 'test',
      ...answered(10, at),
      keys: '2',
      trail: 'menu menu=2 >end',
    })
  }
  await countAll(app.db)
  const range = 'from=2026-10-20&to=2026-11-01&of=campaign'
  for (const [viewer, of] of [
    [caller, caller],
    [reseller, caller],
    [reseller, reseller],
    [boss, boss],
  ] as const) {
    const seen = (await get(viewer, `/api/obd/insight/${of.userId}?${range}`)).json<CallInsight>()
    expect(seen.rows.map(({ key, label, attempts }) => [key, label, attempts])).toEqual([
      ['-1', 'Test calls', 4],
      ['0', 'Call Now', 3],
      [String(shop), 'Shop', 2],
    ])
    expect(seen.rowsLeftOut).toBe(0)
    expect(seen.rows.slice(0, 2)).toMatchObject([
      { answered: 4, seconds: 40, cost: 2 },
      { answered: 3, seconds: 60, cost: 1.5 },
    ])
    expect(seen.rows.reduce((sum, { cost }) => sum + cost, 0)).toBe(seen.totals.cost)
    expect(seen.rows[0]?.answers?.keys).toEqual([{ key: '2', count: 4 }])
    expect(leftOf(seen.rows[1]?.answers ?? null)).toEqual(leftOf(seen.answers?.now ?? null))
  }
  const url = `/api/obd/insight/${caller.userId}/insight-calls.csv?table=rows&${range}`
  const csv = await get(caller, url)
  expect(csv.body).toMatch(/^\ufeff?Name,.*\r\nTest calls,4,.*\r\nCall Now,3,.*\r\nShop,2,.*\s*$/)
})
