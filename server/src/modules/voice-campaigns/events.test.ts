import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'

const app = await testApp()
const http = await testHttp(app)
await http.listen({ port: 0, host: '127.0.0.1' })
const address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/api/obd/events`

const controllers: AbortController[] = []
afterEach(() => controllers.splice(0).forEach((controller) => controller.abort()))

type SentIds = { campaigns: number[]; smsCampaigns: number[] }

/** Everything a new stream has sent so far: answered calls per campaign, and delivered messages. */
async function watched(viewer: Viewer): Promise<() => SentIds> {
  const controller = new AbortController()
  controllers.push(controller)
  const { body } = await fetch(address, { headers: await signedIn(app, viewer), signal: controller.signal })
  let text = ''
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  })().catch(() => undefined)
  const idsIn = (event: string, field: string) =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)]
      .filter(([, name]) => name === event)
      .flatMap(([, , data = '[]']) => JSON.parse(data))
      .map((row) => row[field])
  return () => ({
    campaigns: idsIn('campaigns', 'callsConnected'),
    smsCampaigns: idsIn('smsCampaigns', 'smsDelivered'),
  })
}

test('a change of shortly before a stream was opened is sent, once: the lists were read before that', async () => {
  const user = await newUser(app)
  const calls = await newCampaign(app, user)
  const messages = await newSmsCampaign(app, user)
  const change = async (count: number, changed_at = new Date()) => {
    const { db } = app
    await db
      .updateTable('campaign_progress')
      .set({ answered: count, changed_at })
      .where('campaign_id', '=', calls)
      .execute()
    await db
      .updateTable('sms_campaign_progress')
      .set({ delivered: count, changed_at })
      .where('campaign_id', '=', messages)
      .execute()
  }
  await change(1)
  const first = await watched(user)
  await expect.poll(first).toEqual({ campaigns: [1], smsCampaigns: [1] }) // nobody watched when it changed
  await change(2)
  await expect.poll(first).toEqual({ campaigns: [1, 2], smsCampaigns: [1, 2] })
  const second = await watched(user)
  await expect.poll(second).toEqual({ campaigns: [2], smsCampaigns: [2] }) // the first viewer got it before
  const stranger = await watched(await newUser(app))
  await change(3)
  await expect.poll(second).toEqual({ campaigns: [2, 3], smsCampaigns: [2, 3] })
  expect(first()).toEqual({ campaigns: [1, 2, 3], smsCampaigns: [1, 2, 3] })
  expect(stranger()).toEqual({ campaigns: [], smsCampaigns: [] })
})
