// @module-tag exhaustive
// It is about paper alone: what prints is on screens of which other files prove each part.
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, goTo, openBrowser, password, useBrowser } from './console.ts'

useBrowser()
let campaignId: number
/** Set to look at the sheets. */
const folder = process.env['PRINT_FOLDER']
const numbers = Array.from({ length: 40 }, (_, n) => `98410${String(n).padStart(3, '0')}50`)

beforeAll(async () => {
  const api = await signInOver(address, 'user', password)
  const [line] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const asked = { userId: api.userId, promptCategory: 'welcome', promptStatus: '1' }
  const [welcome] = await api.ask(promptRoutes.list, asked)
  const { baseId } = await api.ask(contactRoutes.paste, { contactList: numbers.join('\n') })
  const campaign = { templateId: 0, cli: line?.cli, baseId, welcomePId: welcome?.promptId, campaignName: 'On paper' }
  campaignId = (await api.ask(composeRoutes.compose, campaign)).campaignId
  const isOver = async () => expect((await api.ask(campaignDetailRoutes.detail, { campaignId })).campaignStatus).toBe(2)
  await vi.waitFor(isOver, polling)
})

/** Width and height of each sheet in millimetres. */
async function sheetsOf(page: Page, name: string): Promise<[number, number][]> {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  if (folder !== undefined) fs.writeFileSync(path.join(folder, `${name}.pdf`), pdf)
  const millimetres = (points = '') => Math.round((Number(points) / 72) * 25.4)
  const boxes = pdf.toString('latin1').matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g)
  return [...boxes].map(([, width, height]) => [millimetres(width), millimetres(height)])
}

/** Asserts what every printed page has, and that nothing on it is to be pressed. */
async function expectPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.getByText('Ghanti', { exact: true }).waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('navigation').count(), 'menus').toBe(0)
  const pressed = page.locator('button:not(th button, [data-paper]), input, select, a[download], [role=tablist]')
  expect(await pressed.filter({ visible: true }).count(), 'controls').toBe(0)
  const colours = () => {
    const { color, colorScheme } = getComputedStyle(document.body)
    return { color, scheme: colorScheme }
  }
  expect(await page.evaluate(colours), 'dark on white').toEqual({ color: 'rgb(27, 26, 23)', scheme: 'light' })
  const wide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
  expect(await page.evaluate(wide), 'wider than the window').toBe(false)
}

test('a campaign prints with all its parts, upright, from a phone in dark colours too', async () => {
  const page = await openBrowser({ as: 'user', colorScheme: 'dark', viewport: { width: 375, height: 812 } })
  await goTo(page, `/voice-campaign-summary/${campaignId}?tab=history`, 'On paper')
  await page.getByRole('heading', { name: 'Status history' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  // The tab of the calls is closed on the screen, not on paper.
  await page.locator('tbody tr').nth(9).waitFor({ state: 'attached' })
  await expectPaper(page)
  for (const name of [/^\d+ of 40 answered, Rs/, 'What was composed', 'Status history', 'Attempts'])
    await page.getByRole('heading', { name, exact: true }).waitFor()
  const sheets = await sheetsOf(page, 'detail')
  expect(sheets.length).toBeGreaterThan(1)
  expect(new Set(sheets.map(String))).toEqual(new Set(['210,297']))
})

test('the call report prints across the sheet, with its filter, and its head on every sheet', async () => {
  const page = await openBrowser({ as: 'user' })
  await goTo(page, `/report?pageSize=50&campaignId=${campaignId}`, 'Report')
  await page.getByRole('row').nth(30).waitFor()
  await expectPaper(page)
  await page.getByText('On paper').filter({ visible: true }).first().waitFor()
  const parts = () =>
    ['thead', 'tbody tr'].map((selector) => {
      const { display, breakInside } = getComputedStyle(document.querySelector(`main ${selector}`) ?? document.body)
      return { display, breakInside }
    })
  expect(await page.evaluate(parts)).toMatchObject([{ display: 'table-header-group' }, { breakInside: 'avoid' }])
  const sheets = await sheetsOf(page, 'report')
  expect(sheets.length).toBeGreaterThan(1)
  expect(new Set(sheets.map(String))).toEqual(new Set(['297,210']))
})

test('a statement prints with its account, its month and its sums', async () => {
  const page = await openBrowser({ as: 'user' })
  await goTo(page, '/credits-statement', 'Monthly Statement')
  await page.getByText('Closing balance', { exact: true }).waitFor()
  const month = await page.getByRole('combobox', { name: 'Month' }).locator('option:checked').innerText()
  await expectPaper(page)
  await page.getByText('Account: user').waitFor()
  await page.getByRole('heading', { level: 2, name: month }).waitFor()
  await page.getByText('Closing balance', { exact: true }).waitFor()
  // Upright, however many rows the tests before it made.
  expect(new Set((await sheetsOf(page, 'statement')).map(String))).toEqual(new Set(['210,297']))
})
