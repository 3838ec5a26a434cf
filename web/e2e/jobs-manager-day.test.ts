// @module-tag exhaustive
/** A manager’s day, counted in clicks. Other files prove each step: edit-campaign, control, report, call-now, blacklist, sms-campaigns, sender-ids, keys. */
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, vi } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { rowOf } from './campaign.ts'
import { address, chooseAction, chooseOption, confirmWith, downloadedBy, password, see, useBrowser } from './console.ts'
import { customersWord, job, newCustomer, openCounted, openMenu } from './jobs.ts'

useBrowser()
const name = 'jobsday'
const called = '9841880350'
let page: Page
let api: Caller
beforeAll(async () => {
  api = await newCustomer(name, '015970831')
  const admin = await signInOver(address, 'superadmin', password)
  const [[cli], [welcome], { baseId }, { cliId }] = await Promise.all([
    api.ask(lineRoutes.clisOfUser, { userId: api.userId }),
    api.ask(promptRoutes.list, { userId: api.userId }),
    api.ask(contactRoutes.paste, { contactList: called }),
    api.ask(smsSenderRoutes.ask, { cliName: 'JobsDay' }),
  ])
  await admin.ask(smsSenderRoutes.approve, { cliId, operators: ['ntc', 'ncell', 'smart', 'other'] })
  const what = { templateId: 0, cli: cli?.cli, baseId, welcomePId: welcome?.promptId, retries: 0 }
  const { campaignId } = await api.ask(composeRoutes.compose, { campaignName: 'This morning', ...what })
  const isOver = async () => expect((await api.ask(campaignDetailRoutes.detail, { campaignId })).campaignStatus).toBe(2)
  await vi.waitFor(isOver, polling)
  page = await openCounted(name, customersWord)
})
const to = () => page

job({
  what: 'a manager schedules a campaign for tomorrow at ten',
  clicks: 9,
  page: to,
  run: async () => {
    await openMenu(page, 'Compose Voice Campaign')
    await page.getByLabel('Campaign name').fill('Tomorrow’s dues')
    await page.getByRole('group', { name: 'Template' }).getByText('Simple IVR', { exact: true }).click()
    await chooseOption(page, 'Welcome file', 'Welcome.wav')
    await page.getByLabel('List of numbers').fill('9841880351')
    const panel = page.getByRole('complementary', { name: 'Estimate' })
    await page.getByText('Schedule Call').click()
    await page.getByRole('button', { name: 'Tomorrow 10:00' }).click()
    await panel.getByRole('button', { name: 'Compose Campaign' }).click()
    await page.getByRole('dialog', { name: 'Review' }).getByRole('button', { name: 'Compose Campaign' }).click()
    await page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
    await rowOf(page, 'Tomorrow’s dues')
      .getByText(/ 10:00$/)
      .waitFor()
  },
})

job({
  what: 'a manager puts a scheduled campaign off to Sunday',
  clicks: 6,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaign Summary')
    await chooseAction(page, 'Tomorrow’s dues', 'Change…')
    const dialog = page.getByRole('dialog', { name: 'Change “Tomorrow’s dues”' })
    await dialog.getByRole('button', { name: 'Next Sunday 10:00' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await see(page, '“Tomorrow’s dues” was changed.')
  },
})

job({
  what: 'a manager stops a campaign',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaign Summary')
    await chooseAction(page, 'Tomorrow’s dues', 'Stop')
    await confirmWith(page, 'Tomorrow’s dues', 'Are you sure you want to stop this campaign?')
    await rowOf(page, 'Tomorrow’s dues').getByText('Cancelled', { exact: true }).waitFor()
  },
})

job({
  what: 'a manager reads what became of the calls to a number',
  clicks: 2,
  page: to,
  run: async () => {
    await openMenu(page, 'Report')
    await page.getByRole('searchbox').fill(called)
    await page.getByRole('row').filter({ hasText: '98418 80350' }).getByText('Success').waitFor()
  },
})

job({
  what: 'a manager calls somebody back at once',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Report')
    await page
      .getByRole('button', { name: /^Take Action: 98418 80350/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Call Now' }).click()
    await page.getByRole('dialog', { name: '98418 80350' }).getByRole('button', { name: 'YES' }).click()
    await page
      .getByRole('complementary', { name: 'Call Now' })
      .getByText(/has ended|was not reached/)
      .waitFor()
  },
})

job({
  what: 'a manager sees to it that a number is never called again',
  clicks: 3,
  page: to,
  run: async () => {
    await openMenu(page, 'Add Blacklist Number')
    await page.getByLabel('Mobile number').fill('9841880359')
    await page.getByRole('button', { name: 'Add Number' }).click()
    await page.getByRole('row').filter({ hasText: '98418 80359' }).waitFor()
    expect(await api.ask(blacklistRoutes.check, { mobile: '9841880359' })).toMatchObject({ blacklisted: true })
  },
})

job({
  what: 'a manager sends a message to a list of numbers',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Add SMS Campaign')
    await page.getByLabel('Campaign name').fill('Closed on Friday')
    await page.getByRole('textbox', { name: 'SMS text' }).fill('We are closed on Friday.')
    await page.getByLabel('List of numbers').fill('9841880020')
    // The only one is chosen as soon as the list of them has come.
    await expect.poll(() => page.getByRole('combobox', { name: 'Sender ID' }).inputValue(), polling).toBe('JobsDay')
    await page.getByRole('complementary', { name: 'Estimate' }).getByRole('button', { name: 'Send Now' }).click()
    await see(page, /^Sends 1 message from JobsDay/)
    await page.getByRole('dialog').getByRole('button', { name: 'Send Now' }).click()
    await see(page, /^“Closed on Friday” is being prepared/)
  },
})

job({
  what: 'a manager asks for a sender ID',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Sender IDs')
    await page.getByRole('button', { name: 'Ask for a Sender ID' }).click()
    const asking = page.getByRole('dialog', { name: 'Ask for a Sender ID' })
    await asking.getByLabel('Sender ID').fill('JobsTihar')
    await asking.getByRole('button', { name: 'Ask for it' }).click()
    await page.getByRole('row').filter({ hasText: 'JobsTihar' }).getByText('Pending').waitFor()
  },
})

job({
  what: 'a manager goes to a campaign by its name, from the keyboard',
  clicks: 0,
  page: to,
  run: async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Go to…' }).fill('This morning')
    await page.getByRole('button', { name: /^This morning/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'This morning' }).waitFor()
  },
})

job({
  what: 'a manager downloads the month’s statement',
  clicks: 3,
  page: to,
  run: async () => {
    await openMenu(page, 'Monthly Statement')
    const { name: file } = await downloadedBy(page, () => page.getByRole('link', { name: /CSV/ }).click())
    expect(file).toMatch(/^credits-statement.*\.csv$/)
  },
})
