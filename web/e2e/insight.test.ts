// @module-tag exhaustive
// Cheaper: server/src/modules/insight/insight.test.ts has the figures and who sees which, web/e2e/screens.test.ts the screen.
import { insightRoutes } from '@ghanti/contract/insight.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { fillIn, send, untilStatus } from './campaign.ts'
import {
  address,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  openListMenu,
  password,
  see,
  useBrowser,
} from './console.ts'

useBrowser()
let page: Page
let api: Caller
const name = 'Insight helpline'
const numbers = ['9841550011', '9801550002', '9841550003']

beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
  api = await signInOver(address, 'user', password)
  await fillIn(page, { name, template: 'Simple IVR', contacts: numbers.join('\n') })
  await send(page)
  await untilStatus(page, name, 'Complete')
})

const asked = () => api.ask(insightRoutes.calls, { userId: api.userId, of: 'campaign' })
const callsOfIt = async () => (await asked()).rows.find(({ label }) => label === name)?.attempts ?? 0

test('figures of calls that just ended are shown as a chart and as a table, and the keyboard reaches both', async () => {
  await expect.poll(callsOfIt, { timeout: 20_000 }).toBeGreaterThanOrEqual(numbers.length)
  const figures = page.getByLabel('Figures of the range')
  // Calls of other campaigns may end meanwhile.
  const isShown = async () => {
    const { totals } = await asked()
    await goTo(page, '/insight', 'Insight')
    await figures.getByText(/\d/).first().waitFor()
    return (await figures.getByText(String(totals.attempts), { exact: true }).count()) > 0
  }
  await expect.poll(isShown, { timeout: 20_000 }).toBe(true)
  await page.getByLabel('Compare').selectOption('campaign')
  const rows = page.getByRole('table', { name: 'Campaigns with the most' })
  await rows.getByText(name).waitFor()
  await page.locator('.recharts-surface').first().waitFor()
  const summary = page.getByRole('region', { name: 'Calls over time' }).getByText('As a table')
  await summary.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Calls over time' }).getByRole('row').nth(1).waitFor()
  for (const [link, file] of [
    ['Export to CSV: Calls over time', /^insight-calls-time-/],
    ['Export to CSV', /^insight-calls-rows-/],
  ] as const) {
    if (link === 'Export to CSV') await openListMenu(page)
    const { name: fileName } = await downloadedBy(page, () =>
      page.getByRole('link', { name: link, exact: true }).click(),
    )
    expect(fileName).toMatch(file)
  }
  await expectAccessible(page, 'insight with its tables')
})

test('the drawing prints as wide as the sheet, however wide the window', async () => {
  await goTo(page, '/insight', 'Insight')
  const drawing = page.locator('.recharts-surface').first()
  await drawing.waitFor()
  await page.emulateMedia({ media: 'print' })
  const widths = () =>
    page.evaluate(() => {
      const figure = document.querySelector('main figure')
      if (!(figure instanceof HTMLElement)) return []
      figure.style.width = '600px' // a sheet, before the drawing learns of it
      return ['.recharts-wrapper > .recharts-surface', '.recharts-legend-wrapper'].map((part) =>
        Math.round(figure.querySelector(part)?.getBoundingClientRect().width ?? 0),
      )
    })
  expect(await widths()).toEqual([600, 600])
  await page.emulateMedia({ media: 'screen' })
})

test.each(['en', 'ne'])('on a phone the account is not cut in %s', async (language) => {
  const reseller = await openBrowser({ as: 'reseller', viewport: { width: 375, height: 812 }, locale: language })
  await goTo(reseller, '/insight')
  const account = reseller.locator('input[value*=reseller]').first()
  await account.waitFor()
  expect(await account.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0)
})

test('customers see how long people listened and not the figures of operators, and read the best hours by keyboard', async () => {
  await goTo(page, '/insight', 'Insight')
  const figures = page.getByLabel('Figures of the range')
  await figures.getByText('Listened', { exact: true }).waitFor()
  for (const term of ['ASR', 'ACD', 'NER', 'PDD']) expect(await page.getByText(term, { exact: true }).count()).toBe(0)
  const map = page.getByRole('grid', { name: 'Best hours' })
  await map.locator('[tabindex="0"]').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  const inFocus = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await inFocus()).toMatch(/, 1 to 2: /)
  await expectAccessible(page, 'the best hours')
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/insight', 'Insight')
  await admin.getByLabel('Figures of the range').getByText('ASR', { exact: true }).waitFor()
})

test('hours of the week are a table, and Back leads to it again', async () => {
  await goTo(page, '/insight?by=weekday', 'Insight')
  await page.getByRole('table', { name: 'Calls by hour of the week' }).getByRole('row').nth(7).waitFor()
  await page.getByLabel('By', { exact: true }).selectOption('hour')
  await page.getByRole('heading', { name: 'Calls over time' }).waitFor()
  await page.goBack()
  await page.getByRole('table', { name: 'Calls by hour of the week' }).waitFor()
})

test('a range of ten years, and a campaign that the account may not see, are refused in the words of the screen', async () => {
  expectRefusals(400)
  await goTo(page, '/insight?started=2016-01-01..2026-11-26', 'Insight')
  await see(page, 'Days must be at most 400 days by day')
  await goTo(page, '/insight?campaignId=999999&by=day', 'Insight')
  await see(page, 'Campaign is not a campaign that you may see')
  expectRefusals()
})
