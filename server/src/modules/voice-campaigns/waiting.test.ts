import type { AddressInfo } from 'node:net'
import { WaitingEvent } from '@ghanti/contract/notice-events.ts'
import { afterEach, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import type { Viewer } from '../../policy.ts'
import { raiseAlert } from '../alerts/actions.ts'

const app = await testApp()
const http = await testHttp(app)
await http.listen({ port: 0, host: '127.0.0.1' })
const address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/api/obd/events`

const controllers: AbortController[] = []
afterEach(() => controllers.splice(0).forEach((controller) => controller.abort()))

/** All that the stream has told so far. */
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

test('super admins are told what waits for them as it changes, nobody else is', async () => {
  const user = await newUser(app)
  const told = await watched(await newSuperAdmin(app))
  const toldUser = await watched(user)
  await expect.poll(() => waitingIn(told())).toEqual([{ prompts: 0, alerts: 0 }])
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
  await expect.poll(() => waitingIn(told()).at(-1)).toEqual({ prompts: 2, alerts: 1 })
  await expect.poll(toldUser).toContain('event: balance')
  expect(waitingIn(toldUser())).toEqual([])
})
