import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import {
  address,
  confirmWith,
  expectAccessible,
  goTo,
  openBrowser,
  password,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

/** What each field says: web/src/screens/sms-campaigns/compose/message-field.test.tsx and draft.test.ts; many at once: web/src/screens/voice-campaigns/summary.test.tsx. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
let page: Page
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
})
const field = () => page.getByRole('textbox', { name: 'SMS text' })
const estimate = () => page.getByRole('complementary', { name: 'Estimate' })
const name = `Due notice ${Date.now()}`

test(
  'a message’s missing parts are named at their fields, and the reason for its length is shown while typing',
  exhaustive,
  async () => {
    await goTo(page, '/add-sms-campaign', 'Add SMS Campaign')
    await estimate().getByRole('button', { name: 'Send Now' }).click()
    for (const text of ['Campaign name is required', 'SMS text is required', 'Paste at least one number'])
      await see(page, text)
    const text = field()
    await text.fill('a'.repeat(161))
    await see(page, '161 characters · 2 segments')
    await text.fill('It’s due')
    await see(page, 'Sent as Unicode because of “’” (U+2019): 70 characters a segment instead of 160.')
    await page.getByText('Personalised', { exact: true }).click()
    expect(await text.inputValue(), 'another template clears the text').toBe('')
  },
)

test(
  'a column that the file lacks is shown at the text, and the file keeps its columns and its counts',
  exhaustive,
  async () => {
    await goTo(page, '/add-sms-campaign', 'Add SMS Campaign')
    await page.getByText('Personalised', { exact: true }).click()
    const text = page.getByRole('textbox', { name: 'SMS text' })
    await text.fill('Dear {name}')
    await page.getByLabel('List of numbers').fill('9841000020\n015970001')
    await page.getByRole('button', { name: 'Check the numbers' }).click()
    await see(page, 'SMS text names {name}, and the file has {mobile}')
    await page.getByRole('button', { name: 'Insert mobile' }).waitFor()
    await page.getByText('get a message', { exact: true }).waitFor()
    expect(await page.getByText('The file could not be checked').count()).toBe(0)
    await estimate().getByRole('button', { name: 'Send Now' }).click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await text.fill('Dear {mobile}')
    await see(page, 'Dear 9841000020')
  },
)

test('a written message survives a reload until it is discarded', exhaustive, async () => {
  await goTo(page, '/add-sms-campaign', 'Add SMS Campaign')
  await page.getByText('Same text', { exact: true }).click()
  await field().fill('Half written')
  const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
  await expect.poll(kept).toContain('Half written')
  await page.reload()
  await see(page, 'Draft restored')
  expect(await field().inputValue()).toBe('Half written')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => field().inputValue()).toBe('')
  await expect.poll(kept).not.toContain('Half written')
})

test('a personalised campaign is composed, sent, and read in its report', async () => {
  await goTo(page, '/add-sms-campaign', 'Add SMS Campaign')
  await page.getByLabel('Campaign name').fill(name)
  await page.getByText('Personalised', { exact: true }).click()
  await page.getByText('Upload file').click()
  const rows = [
    'mobile,name,due',
    '9841000020,राम,500',
    '9801000021,Sita,250',
    '015970001,Hari,10',
    '9841000002,Gita,30',
  ]
  await page
    .getByLabel('Contact file')
    .setInputFiles({ name: 'dues.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await page.getByLabel('Base file name').fill(name)
  await page.getByRole('button', { name: 'Upload and check' }).click()
  await page.getByRole('button', { name: 'Insert name' }).click()
  await field().press('End')
  await field().pressSequentially(' owes Rs ')
  await page.getByRole('button', { name: 'Insert due' }).click()
  await see(page, 'राम owes Rs 500')
  await page.getByRole('button', { name: 'Next row' }).click()
  await see(page, 'Sita owes Rs 250')
  await estimate().getByRole('button', { name: 'Send Now' }).click()
  await see(page, 'Sends 3 messages from HimalBank, for Rs 4.50 (3 segments).')
  await page.getByRole('dialog').getByRole('button', { name: 'Send Now' }).click()
  await seeDone(page, `“${name}” is being prepared and is sent as soon as it is ready. The summary shows its progress.`)
  await page.getByRole('link', { name: `View Summary of ${name}` }).click()
  await page.getByText('Complete', { exact: true }).first().waitFor(polling)
  const figure = (label: string) =>
    page.getByRole('region', { name: 'Summary' }).locator('dl > div', { hasText: label })
  await expect.poll(() => figure('Delivered').innerText(), polling).toMatch(/2$/)
  await expect.poll(() => figure('Unreachable').innerText()).toMatch(/1$/)
  await page.getByRole('tab', { name: 'Detailed Report' }).click()
  for (const text of ['98410 00020', '98010 00021', '98410 00002', '01-597 0001']) await see(page, text)
  // The table was there before the campaign was over, and follows it.
  await expect.poll(() => page.getByRole('row', { name: /98410 00002/ }).innerText()).toContain('Failed')
  await expect.poll(() => page.getByRole('row', { name: /01-597 0001/ }).innerText()).toContain('Unreachable')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download Report' }).click()
  expect((await download).suggestedFilename()).toMatch(/ messages \d{4}-\d\d-\d\d\.csv$/)
})

test('several campaigns are paused with one question, and Ctrl K finds them', exhaustive, async () => {
  const api = await signInOver(address, 'user', password)
  const names = ['one', 'two'].map((which) => `Hyacinth ${Date.now()} ${which}`)
  const scheduleTime = nepalTimeOf(new Date(Date.now() + 48 * 3600_000))
  const campaign = { templateId: 0, cli: 'HimalBank', contactList: '9841000020', smsText: 'Hello', scheduleTime }
  for (const campaignName of names) await api.ask(smsComposeRoutes.create, { ...campaign, campaignName })
  await goTo(page, '/sms-campaign-summary?search=hyacinth', 'SMS Campaign Summary')
  const ofStatus = (status: string) => page.getByRole('row').filter({ hasText: status }).count()
  await expect.poll(() => ofStatus('Ready'), polling).toBe(2)
  for (const name of names) await page.getByRole('checkbox', { name: `Choose ${name}` }).check()
  const bar = page.getByRole('toolbar', { name: 'What to do with the chosen ones' })
  await expectAccessible(page, 'campaigns that were chosen')
  await bar.getByRole('button', { name: 'Pause' }).click()
  await confirmWith(page, 'Pause 2 chosen?', 'Are you sure you want to pause these 2 campaigns?')
  await expect.poll(() => ofStatus('Paused'), polling).toBe(2)

  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Go to…' }).fill('hyacinth')
  await page.getByRole('button', { name: new RegExp(`^${names[1]}`) }).click()
  await expect.poll(() => page.url()).toMatch(/\/sms-campaign-report\/\d+$/)
})
