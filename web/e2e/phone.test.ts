// @module-tag exhaustive
// Cheaper: web/e2e/screens.test.ts has that every screen fits a phone.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { scheduled } from './campaign.ts'
import { desktop, expectAccessible, goTo, openBrowser, phone, useBrowser } from './console.ts'

useBrowser()
let campaignId: number

beforeAll(async () => {
  campaignId = await scheduled('On a phone')
})

const panels = (page: Page) => page.getByRole('tabpanel').filter({ visible: true })
const opened = (page: Page, name: string) => page.getByRole('tab', { selected: true, name })

test.each([
  { where: 'a phone', viewport: { ...phone, width: 375 } },
  { where: 'a wide window', viewport: desktop },
])(
  'on $where a campaign has its result, then tabs, which the arrows walk and the address keeps',
  async ({ viewport }) => {
    const page = await openBrowser({ as: 'user', viewport })
    await goTo(page, `/voice-campaign-summary/${campaignId}`, 'On a phone')
    const result = page.getByRole('heading', { level: 2, name: /, (none|not) called yet$/ })
    await result.waitFor()
    await opened(page, 'Calls').waitFor()
    expect(await panels(page).count()).toBe(1)
    expect(await page.getByRole('heading', { name: 'What was composed' }).count()).toBe(0)
    await opened(page, 'Calls').focus()
    await page.keyboard.press('End')
    await page.getByRole('heading', { name: 'Status history' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('History')
    await page.keyboard.press('ArrowRight')
    await opened(page, 'Calls').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/\?tab=history$/)
    await page.reload()
    await page.getByRole('heading', { name: 'Status history' }).waitFor()
    await result.waitFor()
    expect(await page.getByRole('heading', { name: 'Attempts' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Set-up' }).click()
    await page.getByRole('heading', { name: 'What was composed' }).waitFor()
    const { height } = await page.evaluate(() => document.documentElement.getBoundingClientRect())
    expect(height, 'no long way to scroll').toBeLessThan(3 * viewport.height)
  },
)

test('a link to a campaign’s calls opens them on a phone, and a search there stays among them', async () => {
  const page = await openBrowser({ as: 'user', viewport: { ...phone, width: 375 } })
  await page.goto(`/voice-campaign-summary/${campaignId}?tab=attempts`)
  await page.getByRole('heading', { name: 'Attempts' }).waitFor()
  await page.getByRole('searchbox').fill('9841')
  await page.waitForURL(/search=9841/)
  expect(await page.getByText('filter that does not exist').count()).toBe(0)
  await opened(page, 'Calls').waitFor()
})

test('a campaign’s page has one main button by its state, and the rest in three groups of one menu', async () => {
  const page = await openBrowser({ as: 'user' })
  await goTo(page, `/voice-campaign-summary/${campaignId}`, 'On a phone')
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Take Action: On a phone' }).click()
  const menu = page.getByRole('menu')
  await menu.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  for (const group of ['This campaign', 'Results', 'Once more, and away']) await menu.getByText(group).waitFor()
  for (const action of ['Refresh', 'Download Report', 'Test call', 'Stop'])
    await menu.getByRole('menuitem', { name: action, exact: true }).waitFor()
  await expectAccessible(page, 'the menu of a campaign’s page')
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

test.each([
  { width: 390, height: 844 },
  { width: 320, height: 640 },
])('at $width px the header is one row with the balance, and the menu begins below it', async (viewport) => {
  const page = await openBrowser({ as: 'user', viewport })
  await goTo(page, '/bulk-voice-blacklist')
  await page
    .getByRole('banner')
    .getByText(/^Rs [\d,]+\.\d\d$/)
    .waitFor()
  const boxOf = async (at: string) => {
    const box = await page.locator(at).boundingBox()
    if (!box) throw new Error(`${at} is not shown`)
    return box
  }
  const header = await boxOf('header')
  expect(header.height).toBe(52)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
  await page.getByRole('button', { name: 'More' }).click()
  await page.locator('#sidebar[data-open]').waitFor()
  expect((await boxOf('#sidebar')).y).toBe(header.y + header.height)
  await page.getByRole('link', { name: 'Profile of user' }).click()
  await page.waitForURL(/user-profile/)
})

test('after a reload the menu shows the entry of the screen, however far down it is', async () => {
  const page = await openBrowser({ as: 'user', viewport: { width: 1440, height: 600 } })
  await goTo(page, '/cli-list')
  await page.reload()
  const entry = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'CLI List' })
  await entry.waitFor()
  await expect.poll(async () => (await entry.boundingBox())?.y ?? Infinity, polling).toBeLessThanOrEqual(568)
  expect(await page.evaluate(() => scrollY), 'the page itself stays').toBe(0)
})

test.each([800, 784])(
  'at %i px, a little more than cards need, the pinned action covers no calls dialled, and no line of a row is cut',
  async (width) => {
    const page = await openBrowser({ as: 'user', viewport: { width, height: 450 } })
    await goTo(page, '/voice-campaign-summary')
    await page.getByRole('button', { name: 'Take Action: On a phone' }).waitFor()
    const cut = await page.evaluate(() => {
      const headings = [...document.querySelectorAll<HTMLElement>('thead th')]
      const pinned =
        headings.find((heading) => heading.dataset['pinned'] !== undefined)?.getBoundingClientRect().left ?? 0
      const dialed = headings.find(({ textContent }) => textContent.startsWith('Calls Dialed'))?.getBoundingClientRect()
      const cells = [...document.querySelectorAll<HTMLElement>('tbody td > div')]
      const low = cells.filter((cell) => cell.scrollHeight > cell.clientHeight + 1)
      return { covered: !dialed?.width || dialed.right > pinned, low: low.map(({ innerText }) => innerText) }
    })
    expect(cut).toEqual({ covered: false, low: [] })
  },
)
