import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { scheduled } from './campaign.ts'
import { goTo, openBrowser, phone, useBrowser } from './console.ts'

useBrowser()
let campaignId: number

beforeAll(async () => {
  campaignId = await scheduled('On a phone')
})

const panels = (page: Page) => page.getByRole('tabpanel').filter({ visible: true })
const opened = (page: Page, name: string) => page.getByRole('tab', { selected: true, name })

test('a phone shows a campaign in tabs, which the arrows walk and the address keeps', async () => {
  const page = await openBrowser({ as: 'user', viewport: { ...phone, width: 375 } })
  await goTo(page, `/voice-campaign-summary/${campaignId}`, 'On a phone')
  await page.getByRole('heading', { name: 'Counts' }).waitFor()
  expect(await panels(page).count()).toBe(1)
  expect(await page.getByRole('heading', { name: 'What was composed' }).count()).toBe(0)
  await opened(page, 'Overview').focus()
  await page.keyboard.press('End')
  await page.getByRole('heading', { name: 'Status history' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('File and history')
  await page.keyboard.press('ArrowRight')
  await opened(page, 'Overview').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(/\?tab=history$/)
  await page.reload()
  await page.getByRole('heading', { name: 'Status history' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Counts' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Set-up' }).click()
  await page.getByRole('heading', { name: 'What was composed' }).waitFor()
  const { height } = await page.evaluate(() => document.documentElement.getBoundingClientRect())
  expect(height, 'no long way to scroll').toBeLessThan(3 * phone.height)
})

test('a link to a campaign’s calls opens them on a phone, and a search there stays among them', async () => {
  const page = await openBrowser({ as: 'user', viewport: { ...phone, width: 375 } })
  await page.goto(`/voice-campaign-summary/${campaignId}?tab=attempts`)
  await page.getByRole('heading', { name: 'Attempts' }).waitFor()
  await page.getByRole('searchbox').fill('9841')
  await page.waitForURL(/search=9841/)
  expect(await page.getByText('filter that does not exist').count()).toBe(0)
  await opened(page, 'Calls').waitFor()
})

test('a wide window shows a campaign as one page, without tabs', async () => {
  const page = await openBrowser({ as: 'user' })
  await goTo(page, `/voice-campaign-summary/${campaignId}?tab=history`, 'On a phone')
  for (const name of ['Counts', 'Status history', 'What was composed', 'Attempts'])
    await page.getByRole('heading', { name, exact: true }).waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
})

test('a phone shows a customer in tabs', async () => {
  const page = await openBrowser({ as: 'reseller', viewport: { ...phone, width: 375 } })
  await goTo(page, '/customers/5')
  await page.getByRole('tab', { name: 'Account' }).click()
  await page.getByRole('heading', { name: 'Sign-ins and failed attempts' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Latest campaigns' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Campaigns' }).click()
  await page.getByRole('heading', { name: 'Latest campaigns' }).waitFor()
  expect(await panels(page).count()).toBe(1)
})
