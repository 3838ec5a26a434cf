import type { HookEvent } from '@ghanti/contract/hooks.ts'
import { TestAggregator } from '../../drivers/sms/http/testing.ts'
import type { Viewer } from '../../policy.ts'
import type { TestApp } from '../../testing/app.ts'
import { changeSetting } from '../platform/actions.ts'
import { makeHook } from './actions.ts'

type Answer = Parameters<typeof TestAggregator.listen>[0]

const listed: string[] = []

/** A receiver on this machine that the operator allows. It answers 200 unless told otherwise. */
export async function newReceiver(
  app: TestApp,
  answer: Answer = (_asked, response) => void response.end(),
): Promise<{ receiver: TestAggregator; url: string }> {
  const receiver = await TestAggregator.listen(answer)
  const host = `127.0.0.1:${receiver.port}`
  listed.push(host)
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsAddressHosts', listed.slice(-100), null))
  return { receiver, url: `http://${host}/hook` }
}

export const ctxOf = (app: TestApp, viewer: Viewer) => ({
  app,
  viewer,
  origin: { ip: '127.0.0.1', host: 'localhost', userAgent: '' },
})

/** Active already, as after a test that arrived. */
export async function newHook(
  app: TestApp,
  viewer: Viewer,
  url: string,
  events: HookEvent[] = ['balance.low'],
): Promise<{ hookId: number; secret: string }> {
  const { hookId, secret } = await makeHook(ctxOf(app, viewer), { url, events })
  await app.db.deleteFrom('hook_delivery').where('hook_id', '=', hookId).execute()
  await app.db.updateTable('hook').set({ state: 'active' }).where('id', '=', hookId).execute()
  return { hookId, secret: secret ?? '' }
}

/** As a transaction in which it happens leaves it. */
export async function happens(app: TestApp, viewer: Viewer, times = 1): Promise<void> {
  const news = Array.from({ length: times }, () => ({ user_id: viewer.userId, type: 'balance.low' }))
  await app.db.insertInto('hook_news').values(news).execute()
}
