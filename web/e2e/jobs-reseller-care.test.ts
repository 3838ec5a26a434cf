// @module-tag exhaustive
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { rowOf } from './campaign.ts'
import { chooseAction, chooseOption, confirmWith, downloadedBy, see, useBrowser } from './console.ts'
import { job, newCustomer, openCounted, openMenu } from './jobs.ts'

useBrowser()
const customer = 'jobscare'
const cli = '015970841'
const campaignName = 'Sent by mistake'
let page: Page
beforeAll(async () => {
  const api = await newCustomer(customer, cli)
  const [[line], [welcome], { baseId }] = await Promise.all([
    api.ask(lineRoutes.clisOfUser, { userId: api.userId }),
    api.ask(promptRoutes.list, { userId: api.userId }),
    api.ask(contactRoutes.paste, { contactList: '9841880450' }),
  ])
  const scheduleTime = nepalTimeOf(new Date(Date.now() + 24 * 3600_000))
  const what = { templateId: 0, cli: line?.cli, baseId, welcomePId: welcome?.promptId, scheduleTime }
  await api.ask(composeRoutes.compose, { campaignName, ...what })
  page = await openCounted('reseller')
})
const to = () => page
const rowWith = (text: string) => page.getByRole('row').filter({ hasText: text })

job({
  what: 'a reseller stops a customer’s campaign, with a reason',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaigns', 'Voice Campaign Summary')
    await chooseAction(page, campaignName, 'Stop')
    await confirmWith(page, campaignName, 'Are you sure you want to stop this campaign?', 'You asked us to')
    await rowOf(page, campaignName).getByText('Cancelled', { exact: true }).waitFor()
  },
})

job({
  what: 'a reseller disables a customer and enables it again',
  clicks: 8,
  page: to,
  run: async () => {
    await openMenu(page, 'User List', 'Users')
    await chooseAction(page, customer, 'Disable')
    await confirmWith(page, customer, 'Are you sure you want to disable this user?', 'Unpaid')
    await rowWith(customer).getByText('Disabled: Unpaid').waitFor()
    await chooseAction(page, customer, 'Enable')
    await confirmWith(page, customer, 'Are you sure you want to enable this user?', 'Paid')
    await rowWith(customer).getByText('Disabled: Unpaid').waitFor({ state: 'detached' })
  },
})

job({
  what: 'a reseller gives a customer a new password',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'User List', 'Users')
    await chooseAction(page, customer, 'Reset Password')
    const dialog = page.getByRole('dialog', { name: `Reset the password of ${customer}` })
    for (const field of [/^Password/, /^Confirm/]) await dialog.getByLabel(field).fill('marigold tunnel 58')
    await dialog.getByRole('button', { name: 'Reset Password' }).click()
    await see(page, 'Password Reset Successfully')
  },
})

job({
  what: 'a reseller gives a customer more channels',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'User List', 'Users')
    await chooseAction(page, customer, 'Change Channels')
    const dialog = page.getByRole('dialog', { name: `Channels of ${customer}` })
    await dialog.getByLabel('Channels', { exact: false }).fill('3')
    await dialog.getByRole('button', { name: 'Change Channels' }).click()
    await see(page, `${customer} now has 3 channels.`)
  },
})

job({
  what: 'a reseller reads all about a customer on one page',
  clicks: 3,
  page: to,
  run: async () => {
    await openMenu(page, 'User List', 'Users')
    await page.getByRole('link', { name: customer, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: customer }).waitFor()
    await see(page, campaignName)
  },
})

job({
  what: 'a reseller adds a voice plan',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Add Voice Plan')
    await page.getByLabel('Plan name').fill('Jobs minute')
    await chooseOption(page, 'Pulse duration', '60 s')
    await page.getByLabel('Pulse price').fill('500')
    await page.getByRole('button', { name: 'Add Voice Plan' }).click()
    await page.getByRole('heading', { level: 1, name: 'Voice Plans' }).waitFor()
    await rowWith('Jobs minute').getByText('Enabled').waitFor()
  },
})

job({
  what: 'a reseller takes a caller ID back',
  clicks: 6,
  page: to,
  run: async () => {
    await openMenu(page, 'CLI List')
    await page.getByRole('link', { name: 'Allocated CLIs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Allocated CLIs' }).waitFor()
    await chooseAction(page, `${cli}, ${customer}`, 'Remove CLI')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove CLI' }).click()
    await rowWith('01-597 0841').waitFor({ state: 'detached' })
  },
})

job({
  what: 'a reseller downloads the month’s statement',
  clicks: 3,
  page: to,
  run: async () => {
    await openMenu(page, 'Monthly Statement')
    const { name: file } = await downloadedBy(page, () => page.getByRole('link', { name: /CSV/ }).click())
    expect(file).toMatch(/^credits-statement.*\.csv$/)
  },
})
