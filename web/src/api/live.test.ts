import { overviewRoutes } from '@ghanti/contract/overview.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { smsCampaignRoutes, type SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { campaign } from '../screens/voice-campaigns/fixtures.ts'
import type { Page } from './client.ts'
import { openLiveEvents } from './live.ts'
import { queryClient, refresh } from './query.ts'

class FakeStream extends EventTarget {
  static last: FakeStream
  readyState = 1
  constructor() {
    super()
    FakeStream.last = this
  }
  send(...rows: CampaignRow[]) {
    this.dispatchEvent(new MessageEvent('campaigns', { data: JSON.stringify(rows) }))
  }
  sendSms(...rows: SmsCampaignRow[]) {
    this.dispatchEvent(new MessageEvent('smsCampaigns', { data: JSON.stringify(rows) }))
  }
  close() {
    this.readyState = 2
  }
}

const realStream = globalThis.EventSource
let close: () => void
beforeEach(() => {
  Object.assign(globalThis, { EventSource: FakeStream })
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
  FakeStream.last.send(cancelled)
  await expect.poll(() => shown(beside)).toBe(cancelled.campaignStatus)
  answer(pageOf(cancelling))
  await answered
  await expect.poll(() => shown(asked)).toBe(cancelled.campaignStatus)
})

const smsCampaign = (campaignStatus: number): SmsCampaignRow => ({
  campaignId: 7,
  campaign_id: 7,
  campaignName: 'Reminder',
  username: 'user',
  templateId: 0,
  campaignStatus,
  scheduleTime: '2026-11-20 09:00:00',
  numbersUploaded: 2,
  smsSubmitted: 0,
  smsDelivered: 0,
  smsFailed: 0,
  smsExpired: 0,
  smsUnknown: 0,
  dndCount: 0,
  optOuts: 0,
  unreachable: 0,
  segments: 0,
  cost: 0,
  cli: 'GHANTI',
  isRetry: 0,
  reason: null,
  unapproved: 0,
  pending: { fresh: 2, inFlight: 0, waiting: 0, nextDue: null },
})

test('a reply with SMS campaigns does not undo what the stream reported while it was under way', async () => {
  const [processing, running] = [smsCampaign(0), smsCampaign(1)]
  const page = (row: SmsCampaignRow): Page<SmsCampaignRow> => ({ rows: [row], total: 1, exact: true, truncated: false })
  const key = (userId: number) => [smsCampaignRoutes.list.path, { userId }, {}]
  const statusOf = (userId: number) =>
    queryClient.getQueryData<Page<SmsCampaignRow>>(key(userId))?.rows[0]?.campaignStatus
  queryClient.setQueryData(key(beside), page(processing))
  let answer: (page: Page<SmsCampaignRow>) => void = () => undefined
  const queryFn = () => new Promise<Page<SmsCampaignRow>>((resolve) => (answer = resolve))
  const answered = queryClient.fetchQuery({ queryKey: key(asked), queryFn, staleTime: 0 })
  FakeStream.last.sendSms(running)
  await expect.poll(() => statusOf(beside)).toBe(running.campaignStatus)
  answer(page(processing))
  await answered
  await expect.poll(() => statusOf(asked)).toBe(running.campaignStatus)
})

test('a stream that newer tabs replaced reconnects when this tab becomes visible, not before', () => {
  const replaced = FakeStream.last
  replaced.dispatchEvent(new MessageEvent('replaced', { data: '{}' }))
  expect(replaced.readyState).toBe(2)
  expect(FakeStream.last).toBe(replaced)
  window.dispatchEvent(new Event('focus'))
  expect(FakeStream.last).not.toBe(replaced)
  const back = FakeStream.last
  window.dispatchEvent(new Event('focus'))
  expect(FakeStream.last, 'once').toBe(back)
})

test('a reply requested after the stream’s event stays as it is', async () => {
  queryClient.setQueryData(keyOf(asked), pageOf(campaign('running')))
  FakeStream.last.send(cancelling)
  await expect.poll(() => shown(asked)).toBe(cancelling.campaignStatus)
  const queryFn = () => Promise.resolve(pageOf(cancelled))
  await queryClient.fetchQuery({ queryKey: keyOf(asked), queryFn, staleTime: 0 })
  expect(shown(asked)).toBe(cancelled.campaignStatus)
})

test('what a dashboard counts by status is reloaded when a campaign’s status has changed, not with its other figures', async () => {
  const keys = [
    [overviewRoutes.own.path, {}],
    [userRoutes.dashboard.path, { userId: asked }],
  ]
  const isStale = () => keys.some((key) => queryClient.getQueryState(key)?.isInvalidated)
  const read = () => keys.forEach((key) => queryClient.setQueryData(key, {}))
  read()
  FakeStream.last.send(cancelling)
  await expect.poll(() => keys.every((key) => queryClient.getQueryState(key)?.isInvalidated)).toBe(true)
  read()
  queryClient.setQueryData(keyOf(asked), pageOf(cancelling))
  FakeStream.last.send({ ...cancelling, attempts: cancelling.attempts + 1 })
  await expect
    .poll(() => queryClient.getQueryData<Page<CampaignRow>>(keyOf(asked))?.rows[0]?.attempts)
    .toBe(cancelling.attempts + 1)
  expect(isStale()).toBe(false)
})

test('an open campaign loses a queued retry that the stream’s row no longer has', async () => {
  const key = [campaignDetailRoutes.detail.path, { campaignId: cancelling.campaignId }]
  const queuing = campaign('running', { isRetry: 1, retryQueuing: true })
  queryClient.setQueryData(key, queuing)
  FakeStream.last.send(campaign('running', { isRetry: 1, attempts: queuing.attempts + 1 }))
  await expect.poll(() => queryClient.getQueryData<CampaignRow>(key)?.attempts).toBe(queuing.attempts + 1)
  expect(queryClient.getQueryData(key)).not.toHaveProperty('retryQueuing')
})

test('data from before the stream’s reach is reloaded once it is open, other data is not', async () => {
  const [late, fresh] = [pageOf(cancelling), pageOf(cancelled)]
  queryClient.setQueryData(keyOf(asked), late, { updatedAt: Date.now() - 25_000 })
  queryClient.setQueryData(keyOf(beside), fresh, { updatedAt: Date.now() - 15_000 })
  FakeStream.last.dispatchEvent(new Event('open'))
  const isStale = (userId: number) => queryClient.getQueryState(keyOf(userId))?.isInvalidated
  expect([isStale(asked), isStale(beside)]).toEqual([true, false])
})

test('what a list lacks since a campaign was composed is read even when the stream tells of another campaign first', async () => {
  queryClient.setQueryData(keyOf(asked), pageOf(cancelling))
  await refresh(voiceCampaignRoutes.list)
  FakeStream.last.send(cancelled)
  await expect.poll(() => shown(asked)).toBe(cancelled.campaignStatus)
  const both = { rows: [campaign('running'), cancelled], total: 2, exact: true, truncated: false }
  const read = await queryClient.fetchQuery({ queryKey: keyOf(asked), queryFn: () => Promise.resolve(both) })
  expect(read).toEqual(both)
})
