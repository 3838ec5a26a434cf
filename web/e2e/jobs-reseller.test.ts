// @module-tag exhaustive
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { platformRoutes } from '@ghanti/contract/platform.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { rowOf } from './campaign.ts'
import { address, chooseAction, chooseOption, password, see, useBrowser } from './console.ts'
import { job, newCli, newCustomer, openCounted, openMenu } from './jobs.ts'

useBrowser()
const customer = 'jobscustomer'
const silent = 'Why so silent'
const word = 'nine yellow buffaloes'
let page: Page
let admin: Caller
let dialBlockId = 0
beforeAll(async () => {
  const api = await newCustomer(customer, '015970802')
  admin = await signInOver(address, 'superadmin', password)
  const stop = { kind: 'account', targetId: api.userId, reason: 'Unpaid since August' }
  dialBlockId = (await admin.ask(platformRoutes.stopDialling, stop)).dialBlockId
  const [[cli], [welcome], { baseId }] = await Promise.all([
    api.ask(lineRoutes.clisOfUser, { userId: api.userId }),
    api.ask(promptRoutes.list, { userId: api.userId }),
    api.ask(contactRoutes.paste, { contactList: '9841880150' }),
  ])
  const what = { templateId: 0, cli: cli?.cli, baseId, welcomePId: welcome?.promptId }
  await api.ask(composeRoutes.compose, { campaignName: silent, ...what })
  await newCli('015970803')
  await newCli('015970804')
  await callOne(await signInOver(address, 'user', password))
  page = await openCounted('reseller')
})
afterAll(() => admin.ask(platformRoutes.allowDialling, { dialBlockId }))
const to = () => page

/** Each is called once and answers, so that there is a margin. */
async function callOne(api: Caller): Promise<void> {
  const [[cli], [welcome], { baseId }] = await Promise.all([
    api.ask(lineRoutes.clisOfUser, { userId: api.userId }),
    api.ask(promptRoutes.list, { userId: api.userId, promptCategory: 'welcome' }),
    api.ask(contactRoutes.paste, { contactList: '9841880250' }),
  ])
  const what = { templateId: 0, cli: cli?.cli, baseId, welcomePId: welcome?.promptId }
  const { campaignId } = await api.ask(composeRoutes.compose, { campaignName: 'One call', ...what })
  const isOver = async () => expect((await api.ask(campaignDetailRoutes.detail, { campaignId })).campaignStatus).toBe(2)
  await vi.waitFor(isOver, polling)
}

job({
  what: 'a reseller creates a customer',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'Create User')
    const typed = { username: 'jobsnew', password: word, confirm: word, name: 'New Customer', company: 'New Company' }
    const contact = {
      emailid: 'new@example.com',
      number: '9841000001',
      address: 'Butwal',
      pincode: '32907',
      channels: '1',
    }
    for (const [field, text] of Object.entries({ ...typed, ...contact }))
      await page.locator(`input[name=${field}]`).fill(text)
    await chooseOption(page, 'Voice plan', /^Minute/)
    await page.getByRole('button', { name: 'Create User' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.getByRole('button', { name: 'Take Action: jobsnew', exact: true }).waitFor()
  },
})

job({
  what: 'a reseller creates a customer with plan, credits and caller ID, and copies what to tell it',
  clicks: 8,
  page: to,
  run: async () => {
    await openMenu(page, 'Create User')
    const typed = {
      username: 'jobsready',
      name: 'Ready Customer',
      company: 'Ready Company',
      emailid: 'ready@example.com',
    }
    const more = { number: '9841000002', address: 'Butwal', pincode: '32907', channels: '1', credits: '1,250.50' }
    for (const [field, text] of Object.entries({ ...typed, ...more }))
      await page.locator(`input[name=${field}]`).fill(text)
    await chooseOption(page, 'Voice plan', /^Minute/)
    await chooseOption(page, 'CLI', '01-597 0804')
    await page.getByRole('button', { name: 'Create User' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.getByRole('button', { name: 'Copy welcome text' }).click()
    const text = await page.getByLabel('Welcome text').innerText()
    expect(text).toMatch(/^Username: jobsready$/m)
    expect(text).toMatch(/^Credits: Rs 1,250\.50$/m)
    expect(text).toMatch(/^Caller ID: 01-597 0804$/m)
    const [, phrase = ''] = /^Password: (.+)$/m.exec(text) ?? []
    const owner = await signInOver(address, 'jobsready', phrase)
    expect(await owner.ask(lineRoutes.clisOfUser, { userId: owner.userId })).toMatchObject([{ cli: '015970804' }])
  },
})

job({
  what: 'a reseller recharges a customer',
  clicks: 5,
  page: to,
  run: async () => {
    await openMenu(page, 'User List', 'Users')
    await chooseAction(page, customer, 'Add Recharge')
    const dialog = page.getByRole('dialog', { name: `Add Recharge: ${customer}` })
    await dialog.getByLabel('Recharge amount').fill('1,250')
    await dialog.getByRole('button', { name: 'Add Recharge' }).click()
    await see(page, /^Rs 1,250\.00 added to jobscustomer/)
  },
})

job({
  what: 'a reseller allocates a caller ID',
  clicks: 7,
  page: to,
  run: async () => {
    await openMenu(page, 'Allocate CLI')
    await chooseOption(page, 'CLI', '01-597 0803')
    await chooseOption(page, 'User', customer)
    await page.getByRole('button', { name: 'Allocate CLI' }).click()
    await see(page, 'The CLIs were allocated.')
  },
})

job({
  what: 'a reseller reads why a customer’s campaign does not dial',
  clicks: 2,
  page: to,
  run: async () => {
    await openMenu(page, 'Voice Campaigns', 'Voice Campaign Summary')
    await rowOf(page, silent)
      .getByText(/Unpaid since August/)
      .waitFor()
  },
})

job({
  what: 'a reseller reads the margin',
  clicks: 2,
  page: to,
  run: async () => {
    await openMenu(page, 'Insight')
    await see(page, 'Margin (Rs)')
  },
})
