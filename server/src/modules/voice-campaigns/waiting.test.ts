import type { AddressInfo } from 'node:net'
import { WaitingEvent } from '@ghanti/contract/notice-events.ts'
import { afterEach, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import type { Viewer } from '../../policy.ts'
import { raiseAlert } from '../alerts/actions.ts'

const app = await testApp()
const http = await testHttp(app)
await http.listen({ port: 0, host: '127.0.0.1' })
const address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/api/obd/events`

const controllers: AbortController[] = []
afterEach(() => controllers.splice(0).forEach((controller) => controller.abort()))

async function watched(viewer: Viewer): Promise<() => string> {
  const controller = new AbortController()
  controllers.push(controller)
  const { body } = await fetch(address, { headers: await signedIn(app, viewer), signal: controller.signal })
  let text = ''
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  })().catch(() => undefined)
  return () => text
}

const waitingIn = (text: string) =>
  [...text.matchAll(/event: waiting\ndata: (.*)\n\n/g)].map(([, data = '']) => WaitingEvent.parse(JSON.parse(data)))

const nothing = { prompts: 0, alerts: 0, senders: 0, texts: 0, values: 0 }

test('super admins, and nobody else, are notified of changes in what waits for them', async () => {
  const user = await newUser(app)
  const events = await watched(await newSuperAdmin(app))
  const eventsOfUser = await watched(user)
  await expect.poll(() => waitingIn(events())).toEqual([nothing])
  const prompt = {
    owner_id: user.userId,
    category: 'menu',
    duration_ms: 1000,
    size_bytes: 1,
    account_type: 'promotional',
  } as const
  const hashes = { wav_hash: 'a'.repeat(64), original_hash: 'b'.repeat(64) }
  const names = ['one', 'two', 'gone', 'decided']
  await app.db
    .insertInto('prompt')
    .values(names.map((name) => ({ ...prompt, ...hashes, name, ...(name === 'gone' && { deleted_at: new Date() }) })))
    .execute()
  await app.db.updateTable('prompt').set({ status: 'approved' }).where('name', '=', 'decided').execute()
  await raiseAlert(app.db, 'prompt', 'campaign 3', 'the cause')
  await expect.poll(() => waitingIn(events()).at(-1)).toEqual({ ...nothing, prompts: 2, alerts: 1 })
  await expect.poll(eventsOfUser).toContain('event: balance')
  expect(waitingIn(eventsOfUser())).toEqual([])
})

test('waiting sender IDs, texts and columns of campaigns are reported until they are decided on or gone', async () => {
  const user = await newUser(app)
  const events = await watched(await newSuperAdmin(app))
  await expect.poll(() => waitingIn(events())).toMatchObject([{ senders: 0, texts: 0, values: 0 }])
  const gone = { deleted_at: new Date() }
  const sender = { account_id: user.userId, created_at: new Date() }
  await app.db
    .insertInto('sms_sender')
    .values([
      { ...sender, name: 'ONE' },
      { ...sender, name: 'GONE', ...gone },
      { ...sender, name: 'DECIDED', status: 'approved', operators: [0] },
    ])
    .execute()
  const text = { account_id: user.userId, text: 'Dear customer', changed_at: new Date() }
  await app.db
    .insertInto('sms_text')
    .values([
      { ...text, name: 'One' },
      { ...text, name: 'Two' },
      { ...text, name: 'Gone', ...gone },
      { ...text, name: 'Decided', status: 'rejected' },
    ])
    .execute()
  for (const status of ['running', 'paused', 'complete'] as const) {
    const id = await newSmsCampaign(app, user, { name: `Values ${status}`, status })
    await app.db.updateTable('sms_campaign').set({ unapproved: 3 }).where('id', '=', id).execute()
  }
  await expect.poll(() => waitingIn(events()).at(-1)).toMatchObject({ senders: 1, texts: 2, values: 2 })
  await app.db.updateTable('sms_campaign').set({ values_decision: 'approved' }).where('status', '=', 'paused').execute()
  await expect.poll(() => waitingIn(events()).at(-1)).toMatchObject({ senders: 1, texts: 2, values: 1 })
})
