import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '../../api/query.ts'
import { loadTexts } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { campaign, detailOf } from './fixtures.ts'
import { downloadReport } from './report.ts'
import { AwaitedReports } from './ReportState.tsx'

await loadTexts('voiceCampaigns')

const wanted = { campaignId: 12, campaignName: 'Dashain Offer', type: 'cc' } as const
let downloaded: string[] = []
let posts: string[] = []
let row: CampaignRow

const detail = () => detailOf(row)

function becomes(changes: Partial<CampaignRow>): void {
  const { reportStatus: _, ...kept } = row
  row = { ...kept, ...changes }
  queryClient.setQueriesData({ queryKey: [campaignDetailRoutes.detail.path] }, detail())
}

function serverAnswers(first: string): void {
  vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    if (init?.method !== 'POST') return Response.json(detail())
    posts.push(`${String(address)} ${String(init.body)}`)
    row = { ...row, reportStatus: first }
    return Response.json({ message: 'Report is being made', reportStatus: first })
  })
}

beforeEach(() => {
  row = campaign('complete')
  downloaded = []
  posts = []
  queryClient.clear()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloaded.push(this.getAttribute('href') ?? '')
  })
})
afterEach(() => vi.restoreAllMocks())

test('a ready report is downloaded at once', async () => {
  serverAnswers('2')
  await downloadReport(wanted)
  expect(posts).toEqual(['/api/obd/report/download {"campaignId":12,"reprtType":"cc"}'])
  expect(downloaded).toEqual(['/reports/12.zip?type=cc'])
})

test('another report is downloaded once a live event says that it is ready, however often it was requested', async () => {
  serverAnswers('0')
  await renderApp(<AwaitedReports />)
  const done = Promise.all([downloadReport(wanted), downloadReport(wanted)])
  await expect.element(page.getByText(/^Dashain Offer: the report is being made/)).toBeVisible()
  await expect.poll(() => queryClient.getQueryCache().getAll()[0]?.state.status).toBe('success')
  becomes({ reportStatus: '1' })
  expect(downloaded).toEqual([])
  becomes({ reportStatus: '2' })
  await done
  expect(posts).toHaveLength(1)
  expect(downloaded).toEqual(['/reports/12.zip?type=cc'])
  await expect.element(page.getByText(/the report is being made/)).not.toBeInTheDocument()
})

test('a row that was read before the report was requested, and comes late, does not end the wait', async () => {
  serverAnswers('0')
  const done = downloadReport(wanted)
  await expect.poll(() => queryClient.getQueryCache().getAll()[0]?.state.status).toBe('success')
  becomes({})
  becomes({ reportStatus: '2' })
  await done
  expect(downloaded).toEqual(['/reports/12.zip?type=cc'])
  await expect.element(page.getByRole('dialog', { name: 'Error' })).not.toBeInTheDocument()
})

test('a failed report shows why and downloads nothing', async () => {
  serverAnswers('0')
  await renderApp(<AwaitedReports />)
  const done = downloadReport({ ...wanted, type: 'both' })
  await expect.poll(() => queryClient.getQueryCache().getAll()[0]?.state.status).toBe('success')
  becomes({ reportReason: 'the disk is full' })
  await done
  expect(posts).toEqual(['/api/obd/report/download {"campaignId":12}'])
  expect(downloaded).toEqual([])
  await expect.element(page.getByText('Report failed: the disk is full')).toBeVisible()
})
