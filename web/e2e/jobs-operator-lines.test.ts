// @module-tag exhaustive
import { brandRoutes } from '@ghanti/contract/brands.ts'
import { callRouteRoutes } from '@ghanti/contract/call-routes.ts'
import { callingHoursRoutes } from '@ghanti/contract/calling-hours.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { address, chooseAction, chooseOption, confirmWith, password, see, useBrowser } from './console.ts'
import { job, openCounted, openMenu } from './jobs.ts'

useBrowser()
const [first, second] = ['061550001', '061550002']
const hostname = 'calls.jobs.example.com'
const holiday = '2027-10-20'
let page: Page
let admin: Caller
let reseller: Caller
let brand: { company: string }
beforeAll(async () => {
  ;[admin, reseller] = await Promise.all([
    signInOver(address, 'superadmin', password),
    signInOver(address, 'reseller', password),
  ])
  const user = await signInOver(address, 'user', password)
  await user.ask(promptRoutes.upload, {
    waveFile: toneFile('x.wav', 1),
    fileName: 'Not understood',
    promptCategory: 'thanks',
  })
  await user.ask(smsSenderRoutes.ask, { cliName: 'JobsSender' })
  for (const cli of [first, second]) await admin.ask(lineRoutes.add, { cli, channels: 5, trunkName: 'Simulated trunk' })
  brand = await reseller.ask(brandRoutes.own)
  await reseller.ask(brandRoutes.save, { company: brand.company, domain: hostname })
  page = await openCounted('superadmin')
})
/** What other tests would see stays no longer than this file. */
afterAll(async () => {
  const { hours, dialDays } = await admin.ask(callingHoursRoutes.platform)
  const holidays = hours.holidays.filter(({ date }) => date !== holiday)
  await admin.ask(callingHoursRoutes.save, { hours: { ...hours, holidays }, dialDays })
  const routes = await admin.ask(callRouteRoutes.list, { search: 'Jobs route' })
  for (const { routeId } of routes) await admin.ask(callRouteRoutes.delete, { routeId })
  const [domain] = await admin.ask(brandRoutes.domains, { search: hostname })
  if (domain) await admin.ask(brandRoutes.refuseDomain, { domainId: domain.domainId, reason: 'Over' })
  for (const search of ['Jobs numbers', '06155000'])
    for (const { cliId } of await admin.ask(lineRoutes.all, { search })) await admin.ask(lineRoutes.delete, { cliId })
})
const to = () => page
const rowWith = (text: string) => page.getByRole('row').filter({ hasText: text })

job({
  what: 'an operator rejects a voice file, with a reason',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Prompts for Approval')
    await chooseAction(page, 'Not understood.wav', 'Reject')
    await confirmWith(
      page,
      'Not understood.wav',
      'Are you sure you want to reject this file?',
      'Nobody understands what is said',
    )
    await rowWith('Not understood.wav').getByText('Pending').waitFor({ state: 'detached' })
  },
})

job({
  what: 'an operator approves a sender ID',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Sender IDs')
    await chooseAction(page, 'JobsSender', 'Approve')
    await page.getByRole('dialog', { name: 'Approve JobsSender' }).getByRole('button', { name: 'Approve' }).click()
    await see(page, 'JobsSender is approved')
  },
})

job({
  what: 'an operator adds a caller ID',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Add CLI')
    await page.getByRole('textbox', { name: 'CLI' }).fill('061550003')
    await chooseOption(page, 'Trunk', /^Simulated trunk/)
    await page.getByRole('button', { name: 'Add CLI' }).click()
    await page.getByRole('heading', { level: 1, name: 'CLI List' }).waitFor()
    await rowWith('061-550003').getByText('Active').waitFor()
  },
})

job({
  what: 'an operator makes a group of two caller IDs',
  clicks: 9,
  page: to,
  run: async () => {
    await openMenu(page, 'CLI List')
    await page.getByRole('button', { name: 'New Caller ID Group' }).click()
    const dialog = page.getByRole('dialog', { name: 'New Caller ID Group' })
    await dialog.getByLabel('Group name').fill('Jobs numbers')
    await chooseOption(page, 'Trunk', /^Simulated trunk/)
    await dialog.getByRole('combobox', { name: 'CLI 1' }).fill(first)
    await page.getByRole('option', { name: '061-550001' }).click()
    await dialog.getByRole('button', { name: 'Add CLI' }).click()
    await dialog.getByRole('combobox', { name: 'CLI 2' }).fill(second)
    await page.getByRole('option', { name: '061-550002' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await rowWith('Jobs numbers').getByText('Group of 2 CLIs').waitFor()
  },
})

job({
  what: 'an operator makes a route of calls',
  clicks: 6,
  page: to,
  run: async () => {
    await openMenu(page, 'Call Routes')
    await page.getByRole('button', { name: 'Create Route' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Route' })
    await dialog.getByLabel('Route name').fill('Jobs route')
    await chooseOption(page, 'Trunk', /^Simulated trunk/)
    await dialog.getByRole('button', { name: 'Create Route' }).click()
    await rowWith('Jobs route').getByText('1. Simulated trunk').waitFor()
  },
})

job({
  what: 'an operator adds a dialer',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Dialers')
    await page.getByRole('link', { name: 'Create Dialer' }).click()
    await page.getByLabel('Dialer name').fill('Jobs dialer')
    await page.getByLabel('Dialer IP').fill('127.0.0.1')
    await page.getByLabel('Dialer port').fill('9129')
    await page.getByRole('button', { name: 'Create Dialer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dialers' }).waitFor()
    await rowWith('Jobs dialer').getByText('Reachable').waitFor()
  },
})

job({
  what: 'an operator adds a holiday on which nobody is called',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Calling Hours')
    await page.getByRole('textbox', { name: 'Date' }).fill(holiday)
    await page.getByLabel('Name').fill('Ghatasthapana')
    await page.getByRole('button', { name: 'Add holiday' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await see(page, 'The calling hours were saved.')
  },
})

job({
  what: 'an operator confirms a reseller’s domain',
  clicks: 4,
  page: to,
  run: async () => {
    await openMenu(page, 'Branding')
    await rowWith(hostname).getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('dialog', { name: hostname }).getByRole('button', { name: 'Confirm' }).click()
    await rowWith(hostname).getByText('Works', { exact: true }).waitFor()
  },
})

job({
  what: 'an operator finds out who did something',
  clicks: 2,
  page: to,
  run: async () => {
    await openMenu(page, 'Audit Log')
    await page.getByRole('searchbox').fill('domain.confirm')
    await rowWith(hostname).first().getByText('superadmin').waitFor()
  },
})
