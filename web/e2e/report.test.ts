// @module-tag exhaustive
// Cheaper: server/src/modules/call-report/call-report.test.ts has what is found and who sees it, web/src/screens/voice-campaigns/report.test.tsx the table.
import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { pageSizes } from '../src/components/table/list-state.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { polling } from '../../server/src/testing/timeouts.ts'
import { fillIn, send, untilStatus } from './campaign.ts'
import { openGroupOf } from './menu.ts'
import {
  address,
  chooseAction,
  chooseOption,
  closeError,
  confirmWith,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  openListMenu,
  password,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

useBrowser()
let page: Page
let api: Caller
let name: string
/** 11 presses 1 and talks to the agent; 02 never answers. */
const [talking, silent] = ['9841770011', '9841770002']
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
  api = await signInOver(address, 'user', password)
  const agents = [{ number: '9801111137', key: '1' }]
  // The ten seconds with the agent are 20 ms here, in which a busy engine may record nothing: then they talk again.
  for (let n = 1; n <= 5; n += 1) {
    name = `Report helpline ${n}`
    await fillIn(page, { name, template: 'Call Patch', contacts: `${talking}\n${silent}`, agents })
    await send(page)
    await untilStatus(page, name, 'Complete')
    const isRecorded = vi.waitFor(async () => expect(await recorded()).toEqual(expect.any(String)), { timeout: 5000 })
    if (
      await isRecorded.then(
        () => true,
        () => false,
      )
    )
      return
  }
})

/** The recording of the last call to who talked to the agent. */
async function recorded(): Promise<string | null | undefined> {
  const [call] = await api.ask(callReportRoutes.list, { userId: api.userId, search: talking })
  return call?.uuID
}

const table = () => page.getByRole('table', { name: 'Report' })
const shown = () => table().locator('tbody').getByRole('row')
const query = () => new URL(page.url()).search

test('a search for a number finds every call to it; the clear button brings all back', async () => {
  await goTo(page, '/report', 'Report')
  await page.getByRole('searchbox').fill(`+977 ${silent}`)
  await see(page, 'Search for a customer number: the whole number, or at least its last four digits.')
  const calls = await api.ask(callReportRoutes.list, { userId: api.userId, search: silent })
  await expect.poll(() => shown().count()).toBe(Math.min(calls.length, pageSizes[0])) // more when they had to talk again
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

test('a campaign that the account may not see is refused in the words of the screen, and its filter goes by a click', async () => {
  expectRefusals(400)
  await goTo(page, '/report?campaignId=999999', 'Report')
  await see(page, 'Campaign is not a campaign that you may see')
  expectRefusals()
  await page
    .getByRole('group', { name: 'Filters' })
    .getByRole('button', { name: 'Remove the filter Campaign' })
    .first()
    .click()
  await expect.poll(query).toBe('')
  await expect.poll(() => shown().count()).toBeGreaterThan(0)
})

test('a range of ten years shows the calls; one that ends before it begins is left out, with a message', async () => {
  await goTo(page, '/report?started=2016-01-01..2026-12-31', 'Report')
  await see(page, '2016-01-01 – 2026-12-31')
  await expect.poll(() => shown().count()).toBeGreaterThan(0)
  await goTo(page, '/report?started=2026-11-26..2026-11-01', 'Report')
  await see(page, 'The filter “Days” cannot be “2026-11-26..2026-11-01”. It was left out.')
})

test('a recording is listened to; a call without one says why', async () => {
  const menuOf = (number: string) => page.getByRole('button', { name: new RegExp(`^Take Action: ${number}`) }).first()
  await goTo(page, `/report?search=${talking}`, 'Report')
  expect(await recorded()).toEqual(expect.any(String))
  await page.reload()
  await menuOf('98417 70011').click()
  await page.getByRole('menuitem', { name: 'Listen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Listen Recording' })
  await dialog.getByRole('button', { name: /Play|Pause/ }).waitFor()
  await dialog.getByRole('combobox', { name: 'Speed' }).selectOption('1.5')
  await expectAccessible(page, 'the player of a recording')
  const saved = await downloadedBy(page, () => dialog.getByRole('link', { name: 'Download' }).click())
  expect(saved.name).toMatch(/ 9841770011 \d{4}-\d\d-\d\d\.wav$/)
  expect(saved.bytes.toString('latin1', 0, 4)).toBe('RIFF')
  await page.keyboard.press('Escape')
  await menuOf('98417 70011').click()
  const again = await downloadedBy(page, () => page.getByRole('menuitem', { name: 'Download recording' }).click())
  expect(again).toEqual(saved)
  await goTo(page, `/report?search=${silent}`, 'Report')
  await menuOf('98417 70002').click()
  await see(page, 'The call was not answered.')
})

test('the filter shows recorded calls; a recording is deleted after a question, and then the report says when', async () => {
  await goTo(page, '/report?recorded=yes', 'Report')
  const heard = await api.ask(callReportRoutes.recordings, { userId: api.userId })
  await expect.poll(() => shown().count()).toBe(heard.length)
  await page.getByRole('group', { name: 'Filters' }).getByText('Recorded', { exact: true }).waitFor()
  const menu = page.getByRole('button', { name: /^Take Action: 98417 70011/ }).first()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete recording' }).click()
  const question = page.getByRole('dialog', { name: 'Delete recording' })
  await question
    .getByText(/^Delete the recording of the call to 98417 70011 of .+\? It cannot be restored\.$/)
    .waitFor()
  await expectAccessible(page, 'the question before a recording is deleted')
  await question.getByRole('button', { name: 'Delete recording' }).click()
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => shown().getByText('98417 70011').count()).toBe(0)
  await goTo(page, `/report?search=${talking}`, 'Report')
  await menu.click()
  await see(page, /the recording was deleted on \d{4}-\d\d-\d\d/i)
  await page.keyboard.press('Escape')
  expect(await api.ask(callReportRoutes.recordings, { userId: api.userId })).toHaveLength(heard.length - 1)
})

test('an account lets its recordings go sooner after a question, never later than the platform', async () => {
  await goTo(page, '/user-profile', 'Profile')
  const part = page.getByRole('region', { name: 'Recordings' })
  const days = part.getByLabel('Days that recordings are kept')
  const save = part.getByRole('button', { name: 'Save the days' })
  expectRefusals(400)
  await days.fill('91')
  await save.click()
  await closeError(page, 'Days that recordings are kept must not be more than 90')
  await see(page, /must not be more than 90: the platform keeps them no longer/)
  expectRefusals()
  await days.fill('60')
  await save.click()
  await confirmWith(
    page,
    'Delete older recordings',
    'Delete all recordings that are older than 60 days? They are deleted within the hour and cannot be restored.',
  )
  await seeDone(page, 'The number of days was saved.')
  await expect.poll(() => days.inputValue()).toBe('60')
  await days.fill('90')
  await save.click()
  await seeDone(page, 'The number of days was saved.')
})

test('the CSV holds what is filtered', async () => {
  await goTo(page, `/report?search=${talking}`, 'Report')
  await openListMenu(page)
  const { name: fileName, bytes } = await downloadedBy(page, () =>
    page.getByRole('link', { name: 'Export to CSV' }).click(),
  )
  const [header = '', ...lines] = bytes.toString().trim().split('\r\n')
  expect(fileName).toMatch(/^calls \d{4}-\d\d-\d\d\.csv$/)
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
  await expect.poll(query).toBe(`?search=${talking}`)
})

/** Headers of a table of which a part is not in sight: outside of what scrolls, or under the pinned actions. */
async function hiddenHeaders(of: Page, title: string): Promise<string[]> {
  await of.getByRole('table', { name: title }).locator('tbody').getByRole('row').first().waitFor()
  return await of.getByRole('table', { name: title }).evaluate((element) => {
    const heads = [...element.querySelectorAll('th')]
    const ends = heads.map((head) => head.matches('[data-pinned]') && head.getBoundingClientRect().left)
    const end = Math.min(...ends.filter((left) => left !== false))
    const wide = (head: Element) => !head.matches('[data-pinned]') && head.getBoundingClientRect().right > end + 1
    return heads.filter(wide).map((head) => head.textContent)
  })
}

async function expectAllColumns(as: string): Promise<void> {
  const desk = await openBrowser({ as, viewport: { width: 1280, height: 800 } })
  await goTo(desk, '/report', 'Report')
  await expect.poll(() => hiddenHeaders(desk, 'Report')).toEqual([])
  await desk.setViewportSize({ width: 1366, height: 800 })
  await expect.poll(() => hiddenHeaders(desk, 'Report')).toEqual([])
  const [campaign] = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: name })
  await desk.setViewportSize({ width: 1280, height: 800 })
  await goTo(desk, `/voice-campaign-summary/${campaign?.campaignId}`, name)
  await expect.poll(() => hiddenHeaders(desk, 'Attempts')).toEqual([])
}

// Nobody sees more columns than a super admin.
test('at 1280 pixels superadmin sees every column of the report', () => expectAllColumns('superadmin'))
test.each(['user', 'reseller'])(
  'at 1280 pixels %s sees every column of the report',
  { tags: ['exhaustive'] },
  expectAllColumns,
)

// base-from.test.ts of the server has whom such a file holds, choice.test.ts what is offered.
test(
  'the next campaign begins with those who were not reached: a contact file is made of them and chosen',
  { tags: ['exhaustive'] },
  async () => {
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
    await expect.poll(() => stored.inputValue(), polling).toMatch(new RegExp(`^${name}: not reached · 1 `))
    await goTo(page, '/voice-campaign-summary', 'Voice Campaign Summary')
    await chooseAction(page, name, 'New campaign from…')
    await chooseOption(page, 'Whom to call', 'Who pressed a key')
    await dialog.getByRole('combobox', { name: 'Keys' }).click()
    await page.getByRole('option', { name: '9', exact: true }).click()
    await page.keyboard.press('Tab') // the options cover the button
    await dialog.getByRole('button', { name: 'Make and compose' }).click()
    await see(page, 'The contact file would be empty: no row of the campaign is like that')
    await dialog.getByRole('button', { name: 'Choose again' }).click()
    await dialog.getByText('Any of these, in any menu.').waitFor()
    await page.keyboard.press('Escape')
  },
)

test('those who pressed a key are called from the fourth click after the sign-in on, or written to', async () => {
  const desk = await openBrowser({ as: 'user' })
  await goTo(desk, '/')
  await openGroupOf(desk, 'Voice Campaign Summary') // one click
  await desk.getByRole('link', { name: 'Voice Campaign Summary' }).click()
  await desk.getByRole('link', { name, exact: true }).click()
  await desk.getByRole('button', { name: 'Call the one who pressed 1' }).click()
  const stored = desk.getByRole('combobox', { name: 'Stored contact file' })
  await expect.poll(() => stored.inputValue(), polling).toMatch(new RegExp(`^${name}: pressed 1 · 1 `))
  expect(new URL(desk.url()).pathname).toBe('/add-voice-campaign')
  const [campaign] = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: name })
  await goTo(desk, `/voice-campaign-summary/${campaign?.campaignId}`, name)
  await expectAccessible(desk, 'a campaign’s page with its keys')
  await desk.getByRole('button', { name: 'write to this one who pressed 1' }).click()
  await expect.poll(() => stored.inputValue(), polling).toMatch(new RegExp(`^${name}: pressed 1 2 · 1 `))
  expect(new URL(desk.url()).pathname).toBe('/add-sms-campaign')
})
