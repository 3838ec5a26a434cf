import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { platformRoutes } from '@ghanti/contract/platform.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import {
  address,
  confirmWith,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  phone,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

/** The servers’ parts are in server/src/modules/overview/, the walks in campaigns.test.ts and recharge.test.ts, the looks in screens.test.ts. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
const campaignName = 'Marigold morning'
let api: Caller
let user: Page
let reseller: Page
let user2: number

beforeAll(async () => {
  api = await signInOver(address, 'user', password)
  const ofReseller = await signInOver(address, 'reseller', password)
  const found = await ofReseller.ask(userRoutes.choices, { search: 'user2' })
  user2 = found.find(({ username }) => username === 'user2')?.userId ?? 0
  const [line] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const [welcome] = await api.ask(promptRoutes.list, {
    userId: api.userId,
    promptCategory: 'welcome',
    promptStatus: '1',
  })
  const { baseId } = await api.ask(contactRoutes.paste, { contactList: '9841000077' })
  const scheduleTime = nepalTimeOf(new Date(Date.now() + 48 * 3600_000))
  const campaign = { templateId: 0, cli: line?.cli, baseId, welcomePId: welcome?.promptId, scheduleTime }
  await api.ask(composeRoutes.compose, { ...campaign, campaignName })
  ;[user, reseller] = await Promise.all([openBrowser({ as: 'user' }), openBrowser({ as: 'reseller' })])
})

async function statusNow(): Promise<number | undefined> {
  const [campaign] = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: campaignName })
  return campaign?.campaignStatus
}

test('a campaign is paused and resumed from the dashboard', exhaustive, async () => {
  await goTo(user, '/', 'Dashboard')
  await user.getByRole('button', { name: `Pause: ${campaignName}` }).click()
  await confirmWith(user, campaignName, 'Are you sure you want to pause this campaign?')
  const resume = user.getByRole('button', { name: `Resume: ${campaignName}` })
  await resume.waitFor()
  // An event that was under way may show the campaign as it was, for a moment: then the same button asks whether to pause it.
  await expect.poll(statusNow).toBe(campaignStatusCode.paused)
  await user.reload()
  await resume.click()
  await confirmWith(user, campaignName, 'Are you sure you want to resume this campaign?')
  await user.getByRole('button', { name: `Pause: ${campaignName}` }).waitFor()
  await user.getByRole('region', { name: 'Unfinished campaigns' }).getByText(campaignName).waitFor()
  await user.getByText('Balance Available(Rs)').waitFor()
  await expectAccessible(user, 'a user’s dashboard')
})

test('a rejected voice file is shown on the dashboard, which leads to it', exhaustive, async () => {
  const fileName = 'Marigold greeting'
  const waveFile = toneFile('greeting.wav', 2)
  await api.ask(promptRoutes.upload, { waveFile, fileName, promptCategory: 'thanks' })
  const admin = await signInOver(address, 'superadmin', password)
  const listed = await api.ask(promptRoutes.list, { userId: api.userId, search: fileName })
  await admin.ask(promptRoutes.reject, { promptId: listed[0]?.promptId, reason: 'Too quiet' })
  await goTo(user, '/', 'Dashboard')
  const needs = user.getByRole('region', { name: 'Needs you' })
  await needs.getByText(`${fileName}: Too quiet`).waitFor()
  await needs.getByRole('link', { name: /^Show: \d+ voice files? (was|were) rejected$/ }).click()
  await user
    .getByRole('row')
    .filter({ hasText: `${fileName}.wav` })
    .getByText('Too quiet')
    .waitFor()
})

test(
  'a reseller goes from the user list to a customer, recharges there, and sees the balance change',
  exhaustive,
  async () => {
    await goTo(reseller, '/', 'Dashboard')
    await see(reseller, 'Customers who spend most')
    await see(reseller, 'On hold, out of money, failed in the last 24 hours, or no answer in 20 calls or more.')
    await expectAccessible(reseller, 'a reseller’s dashboard')
    await goTo(reseller, '/user-list?search=user2', 'Users')
    await reseller.getByRole('link', { name: 'user2', exact: true }).click()
    await reseller.getByRole('heading', { level: 1, name: 'Customer user2' }).waitFor()
    const balance = reseller.getByText('Balance (Rs)').locator('xpath=following-sibling::dd').first()
    const before = await balance.innerText()
    await reseller.getByRole('button', { name: 'Add Recharge' }).click()
    const dialog = reseller.getByRole('dialog', { name: 'Add Recharge: user2' })
    await dialog.getByLabel('Recharge amount').fill('7.25')
    await dialog.getByRole('button', { name: 'Add Recharge' }).click()
    await seeDone(reseller, /^Rs 7\.25 added to user2/)
    await expect.poll(() => balance.innerText()).not.toBe(before)
    await reseller.setViewportSize(phone)
    expect(await reseller.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  },
)

test('a customer is disabled and enabled on the page, which shows the state', exhaustive, async () => {
  await goTo(reseller, `/customers/${user2}`, 'Customer user2')
  await reseller.getByRole('button', { name: 'Take Action: user2' }).click()
  await reseller.getByRole('menuitem', { name: 'Disable' }).click()
  await confirmWith(reseller, 'user2', 'Are you sure you want to disable this user?', 'Unpaid')
  await see(reseller, 'Disabled: Unpaid')
  await reseller.getByRole('button', { name: 'Take Action: user2' }).click()
  await reseller.getByRole('menuitem', { name: 'Enable' }).click()
  await confirmWith(reseller, 'user2', 'Are you sure you want to enable this user?', 'Paid')
  await reseller.getByText('Disabled: Unpaid').waitFor({ state: 'detached' })
})

test('another reseller’s customer and a missing one are both reported as missing', exhaustive, async () => {
  expectRefusals(404)
  for (const id of ['1', '999999999']) {
    await goTo(reseller, `/customers/${id}`)
    await see(reseller, 'No data found')
  }
  expectRefusals()
  await goTo(reseller, '/customers/nobody', 'There is no such page')
})

test('the operator’s dashboard shows the trunk as it is now, and what is stopped among what needs somebody', async () => {
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/', 'Dashboard')
  const trunk = admin.getByRole('row').filter({ hasText: 'Simulated trunk' })
  await trunk.getByText('Up', { exact: true }).waitFor()
  const ofAdmin = await signInOver(address, 'superadmin', password)
  const reason = 'Unpaid since August'
  const stop = { kind: 'account', targetId: user2, reason } as const
  const { dialBlockId } = await ofAdmin.ask(platformRoutes.stopDialling, stop)
  await admin.getByRole('region', { name: 'Needs you' }).getByText(reason).waitFor()
  await ofAdmin.ask(platformRoutes.allowDialling, { dialBlockId })
  await admin.getByText(reason).waitFor({ state: 'detached' })
  await expectAccessible(admin, 'the operator’s dashboard')
  await admin.setViewportSize({ width: 375, height: 812 })
  const lines = admin.getByRole('group', { name: 'Lines now' })
  await trunk.getByText('Up', { exact: true }).waitFor()
  const { scrollWidth, clientWidth } = await lines.evaluate((box) => ({
    scrollWidth: box.scrollWidth,
    clientWidth: box.clientWidth,
  }))
  expect(scrollWidth, 'nothing is to be scrolled sideways on a phone').toBe(clientWidth)
  await expectAccessible(admin, 'the operator’s dashboard on a phone')
})
