import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { patient } from '../../server/src/testing/patience.ts'
import { fillIn, send, untilStatus } from './campaign.ts'
import {
  address,
  chooseAction,
  chooseOption,
  downloadedBy,
  expectAccessible,
  goTo,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'

useBrowser()
let page: Page
let api: Caller
const name = 'Report helpline'
/** 11 presses 1 and talks to the agent; 02 never answers. */
const [talking, silent] = ['9841770011', '9841770002']
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
  api = await signInOver(address, 'user', password)
  const agents = [{ number: '9801111137', key: '1' }]
  await fillIn(page, { name, template: 'Call Patch', contacts: `${talking}\n${silent}`, agents })
  await send(page)
  await untilStatus(page, name, 'Complete')
})

const table = () => page.getByRole('table', { name: 'Report' })
const shown = () => table().locator('tbody').getByRole('row')
const query = () => new URL(page.url()).search

test('a search for a number finds every call to it; the clear button brings all back', async () => {
  await goTo(page, '/report', 'Report')
  await page.getByRole('searchbox').fill(`+977 ${silent}`)
  await see(page, 'Search for a customer number: the whole number, or at least its last four digits.')
  const { length } = await api.ask(callReportRoutes.list, { userId: api.userId, search: silent })
  await expect.poll(() => shown().count()).toBe(length)
  expect(await table().locator('td[data-label="Status"]').first().innerText()).toMatch(/^Fail\s+No answer$/)
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect.poll(query).toBe('')
})

test('filters are chips in the address, a campaign is chosen by its name, and a wrong number of seconds is refused', async () => {
  await goTo(page, '/report', 'Report')
  const filters = page.getByRole('group', { name: 'Filters' })
  const open = async (label: string) => {
    await filters.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: label, exact: true }).click()
  }
  await open('Campaign')
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await filters.getByText(name).waitFor()
  await expect.poll(query).toMatch(/^\?campaignId=\d+$/)
  await open('Seconds, at least')
  const seconds = page.getByRole('textbox', { name: 'Seconds, at least' })
  await seconds.fill('9999')
  await page.getByRole('button', { name: 'Apply' }).click()
  await see(page, 'Enter a whole number from 0 to 3600.')
  await expectAccessible(page, 'a number that cannot be')
  await seconds.fill('१')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(query).toMatch(/minSeconds=1$/)
  await expect.poll(() => shown().count()).toBe(1)
  await table().getByText('98417 70011').waitFor()
  await table().getByText('98011 11137').waitFor()
})

test('what was recorded is listened to, what was not says why', async () => {
  const menuOf = (number: string) => page.getByRole('button', { name: new RegExp(`^Take Action: ${number}`) }).first()
  await goTo(page, `/report?search=${talking}`, 'Report')
  const recorded = async () => {
    const [call] = await api.ask(callReportRoutes.list, { userId: api.userId, search: talking })
    return call?.uuID
  }
  await expect.poll(recorded, { timeout: 30_000 }).toEqual(expect.any(String))
  await page.reload()
  await menuOf('98417 70011').click()
  await page.getByRole('menuitem', { name: 'Listen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Listen Recording' })
  await dialog.getByRole('button', { name: /Play|Pause/ }).waitFor()
  await page.keyboard.press('Escape')
  await goTo(page, `/report?search=${silent}`, 'Report')
  await menuOf('98417 70002').click()
  await see(page, 'The call was not answered.')
})

test('the CSV holds what is filtered', async () => {
  await goTo(page, `/report?search=${talking}`, 'Report')
  const { name: fileName, bytes } = await downloadedBy(page, () =>
    page.getByRole('link', { name: 'Export to CSV' }).click(),
  )
  const [header = '', ...lines] = bytes.toString().trim().split('\r\n')
  expect(fileName).toBe('report.csv')
  expect(header).toContain('Customer Number,Campaign,Agent No,Start Time')
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.every((line) => line.includes(`,${talking},`))).toBe(true)
})

test('the detail of the campaign has the same table, and its number leads to all calls to it', async () => {
  const [campaign] = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: name })
  await goTo(page, `/voice-campaign-summary/${campaign?.campaignId}`, name)
  const attempts = page.getByRole('table', { name: 'Attempts' })
  await attempts.getByRole('link', { name: '98417 70011' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Report' }).waitFor()
  expect(query()).toBe(`?search=${talking}`)
})

test('the next campaign begins with those who were not reached: a contact file is made of them and chosen', async () => {
  await goTo(page, '/voice-campaign-summary', 'Voice Campaign Summary')
  await chooseAction(page, name, 'New campaign from…')
  const dialog = page.getByRole('dialog', { name: `New campaign from ${name}` })
  await dialog
    .getByText('Who was not reached')
    .or(dialog.getByRole('combobox', { name: 'Who' }))
    .first()
    .waitFor()
  await expectAccessible(page, 'whom the next campaign is to call')
  await dialog.getByRole('button', { name: 'Make and compose' }).click()
  const stored = page.getByRole('combobox', { name: 'Stored contact file' })
  await expect.poll(() => stored.inputValue(), patient).toMatch(new RegExp(`^${name}: not reached · 1 `))
  await goTo(page, '/voice-campaign-summary', 'Voice Campaign Summary')
  await chooseAction(page, name, 'New campaign from…')
  await chooseOption(page, 'Whom to call', 'Who pressed a key')
  await dialog.getByRole('combobox', { name: 'Keys' }).click()
  await page.getByRole('option', { name: '9', exact: true }).click()
  await page.keyboard.press('Tab') // the choices lie over the button
  await dialog.getByRole('button', { name: 'Make and compose' }).click()
  await see(page, 'The contact file would be empty: no row of the campaign is like that')
  await dialog.getByRole('button', { name: 'Choose again' }).click()
  await dialog.getByText('Any of these, at whatever menu.').waitFor()
  await page.keyboard.press('Escape')
})
