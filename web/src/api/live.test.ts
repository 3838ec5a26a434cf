import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { campaign } from '../screens/voice-campaigns/fixtures.ts'
import type { Page } from './client.ts'
import { openLiveEvents } from './live.ts'
import { queryClient } from './query.ts'

/** The stream, told by the test. */
class ToldStream extends EventTarget {
  static last: ToldStream
  readyState = 1
  constructor() {
    super()
    ToldStream.last = this
  }
  tell(...rows: CampaignRow[]) {
    this.dispatchEvent(new MessageEvent('campaigns', { data: JSON.stringify(rows) }))
  }
  close() {
    this.readyState = 2
  }
}

const realStream = globalThis.EventSource
let close: () => void
beforeEach(() => {
  Object.assign(globalThis, { EventSource: ToldStream })
  close = openLiveEvents()
})
afterEach(() => {
  close()
  Object.assign(globalThis, { EventSource: realStream })
  queryClient.clear()
})

const pageOf = (row: CampaignRow): Page<CampaignRow> => ({ rows: [row], total: 1, exact: true, truncated: false })
const keyOf = (userId: number) => [voiceCampaignRoutes.list.path, { userId }, {}]
const shown = (userId: number) => queryClient.getQueryData<Page<CampaignRow>>(keyOf(userId))?.rows[0]?.campaignStatus
const cancelling = campaign('cancelling')
const cancelled = campaign('cancelled')
const [asked, beside] = [3, 4]

test.each([
  { why: 'a list that is read again', before: pageOf(cancelling) },
  { why: 'a list that is read for the first time', before: undefined },
])('$why does not undo what the stream told while its answer was under way', async ({ before }) => {
  queryClient.setQueryData(keyOf(asked), before)
  queryClient.setQueryData(keyOf(beside), pageOf(cancelling))
  let answer: (page: Page<CampaignRow>) => void = () => undefined
  const queryFn = () => new Promise<Page<CampaignRow>>((resolve) => (answer = resolve))
  const answered = queryClient.fetchQuery({ queryKey: keyOf(asked), queryFn, staleTime: 0 })
  ToldStream.last.tell(cancelled)
  await expect.poll(() => shown(beside)).toBe(cancelled.campaignStatus)
  answer(pageOf(cancelling))
  await answered
  await expect.poll(() => shown(asked)).toBe(cancelled.campaignStatus)
})

test('a stream that newer tabs replaced comes back when this tab is looked at, not before', () => {
  const replaced = ToldStream.last
  replaced.dispatchEvent(new MessageEvent('replaced', { data: '{}' }))
  expect(replaced.readyState).toBe(2)
  expect(ToldStream.last).toBe(replaced)
  window.dispatchEvent(new Event('focus'))
  expect(ToldStream.last).not.toBe(replaced)
  const back = ToldStream.last
  window.dispatchEvent(new Event('focus'))
  expect(ToldStream.last, 'once').toBe(back)
})

test('what is asked for after the stream told stays as it is answered', async () => {
  queryClient.setQueryData(keyOf(asked), pageOf(campaign('running')))
  ToldStream.last.tell(cancelling)
  await expect.poll(() => shown(asked)).toBe(cancelling.campaignStatus)
  const queryFn = () => Promise.resolve(pageOf(cancelled))
  await queryClient.fetchQuery({ queryKey: keyOf(asked), queryFn, staleTime: 0 })
  expect(shown(asked)).toBe(cancelled.campaignStatus)
})

test('an open campaign loses what the stream’s row has no more: a retry that was queued', async () => {
  const key = [voiceCampaignRoutes.detail.path, { campaignId: cancelling.campaignId }]
  const queuing = campaign('running', { isRetry: 1, retryQueuing: true })
  queryClient.setQueryData(key, queuing)
  ToldStream.last.tell(campaign('running', { isRetry: 1, attempts: queuing.attempts + 1 }))
  await expect.poll(() => queryClient.getQueryData<CampaignRow>(key)?.attempts).toBe(queuing.attempts + 1)
  expect(queryClient.getQueryData(key)).not.toHaveProperty('retryQueuing')
})
