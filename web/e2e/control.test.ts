// @module-tag exhaustive
// Cheaper: server/src/voice/scheduler/steps/engine-control.test.ts has who may pause, resume and stop what, web/src/screens/voice-campaigns/allowed.test.ts the menu.
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { cellOf, mark, rowOf, untilStatus } from './campaign.ts'
import {
  address,
  chooseAction,
  chooseOption,
  confirmWith,
  goTo,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'

useBrowser()
let api: Caller
let user: Page
let reseller: Page
let admin: Page
const name = 'Load shedding notice'
const other = 'Water supply notice'

beforeAll(async () => {
  api = await signInOver(address, 'user2', password)
  const [cli] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const [welcome] = await api.ask(promptRoutes.list, { userId: api.userId, promptCategory: 'welcome' })
  // They answer and listen: two minutes of calls give time to act.
  const contactList = Array.from(
    { length: 2400 },
    (_, n) => `98412${String(Math.floor(n / 40)).padStart(3, '0')}${50 + (n % 40)}`,
  )
  const { baseId } = await api.ask(contactRoutes.paste, { contactList: contactList.join('\n') })
  for (const campaignName of [name, other])
    await api.ask(composeRoutes.compose, {
      campaignName,
      templateId: 0,
      cli: cli?.cli,
      baseId,
      welcomePId: welcome?.promptId,
    })
  ;[user, reseller, admin] = await Promise.all([
    openBrowser({ as: 'user2' }),
    openBrowser({ as: 'reseller' }),
    openBrowser({ as: 'superadmin' }),
  ])
  for (const page of [user, reseller]) await goTo(page, '/voice-campaign-summary', 'Voice Campaign Summary')
})

const reasonOf = (page: Page, campaign: string) =>
  rowOf(page, campaign).locator('td[data-label="Campaign Name"]').innerText()

async function inCall(campaign: string): Promise<number | undefined> {
  const rows = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: campaign })
  return rows.find(({ campaignName }) => campaignName === campaign)?.pending.inCall
}

test('a running campaign is paused and resumed from its menu, and the row follows by itself', async () => {
  await untilStatus(user, name, 'Running')
  const notReloaded = await mark(user)
  await chooseAction(user, name, 'Pause')
  await confirmWith(user, name, 'Are you sure you want to pause this campaign?')
  await untilStatus(user, name, 'Paused')
  const dialled = await cellOf(user, name, 'Calls Dialed')
  await chooseAction(user, name, 'Resume')
  await confirmWith(user, name, 'Are you sure you want to resume this campaign?')
  await untilStatus(user, name, 'Running')
  await expect.poll(() => cellOf(user, name, 'Calls Dialed')).not.toBe(dialled)
  await notReloaded()
})

test('an action that is impossible now stands in the menu with its reason', async () => {
  await user.getByRole('button', { name: `Take Action: ${name}` }).click()
  const resume = user.getByRole('menuitem', { name: /^Resume/ })
  await resume.getByText('Only a campaign that is pausing, paused or on hold can be resumed.').waitFor()
  expect(await resume.getAttribute('aria-disabled')).toBe('true')
  await user.keyboard.press('Escape')
})

test('‘Stop all dialling’ of the super admin is the reason on every campaign’s row, until it is lifted', async () => {
  await admin.route('**/api/obd/events*', () => undefined) // no live event says it
  await goTo(admin, '/stop-dialling', 'Stop Calls and Messages')
  await admin.getByLabel('Reason').fill('The operator asked us to')
  await admin.getByRole('button', { name: 'Stop', exact: true }).click()
  await confirmWith(admin, 'The whole platform', 'Are you sure you want to stop dialling: The whole platform?')
  const banner = admin.getByRole('main').getByRole('alert').filter({ hasText: 'The operator asked us to' })
  expect(await banner.isVisible(), 'at once: later it would move what somebody is about to click').toBe(true)
  for (const campaign of [name, other])
    await rowOf(user, campaign)
      .getByText(/The operator asked us to/)
      .waitFor()
  await untilStatus(user, name, 'Running') // statuses stay as they are
  await expect.poll(() => inCall(name)).toBe(0)
  const dialled = await cellOf(user, name, 'Calls Dialed')
  await admin
    .getByRole('row')
    .filter({ hasText: 'The operator asked us to' })
    .getByRole('button', { name: 'Allow dialling' })
    .click()
  await confirmWith(admin, 'The whole platform', 'Are you sure you want to allow dialling again?')
  expect(await banner.isVisible()).toBe(false)
  await expect.poll(() => reasonOf(user, name)).not.toMatch(/operator/)
  await expect.poll(() => cellOf(user, name, 'Calls Dialed')).not.toBe(dialled)
})

test('an account whose dialling is to stop is searched for by the server, and named before it stops', async () => {
  await chooseOption(admin, 'What to stop', 'An account and all below it')
  const field = admin.getByRole('combobox', { name: 'Which one' })
  await Promise.all([admin.waitForRequest(/targets\?.*search=ser2/), field.fill('ser2')])
  await admin.getByRole('option', { name: 'user2' }).click()
  await admin.getByLabel('Reason').fill('Unpaid')
  await admin.getByRole('button', { name: 'Stop', exact: true }).click()
  const dialog = admin.getByRole('dialog', { name: 'user2' })
  await dialog.getByText('Are you sure you want to stop dialling: user2?').waitFor()
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
})

test('a reseller sees the campaigns below with their owner, pauses one, which its owner cannot lift, and stops another with a reason', async () => {
  await rowOf(reseller, name)
    .getByText(/^user2/)
    .waitFor()
  await chooseAction(reseller, name, 'Pause')
  await confirmWith(reseller, name, 'Are you sure you want to pause this campaign?', 'Please call us')
  await untilStatus(user, name, 'On Hold')
  await rowOf(user, name)
    .getByText(/Please call us/)
    .waitFor()
  await user.getByRole('button', { name: `Take Action: ${name}` }).click()
  await user
    .getByRole('menuitem', { name: /^Resume/ })
    .getByText('An administrator paused it. Only that administrator or an account above can resume it.')
    .waitFor()
  await user.keyboard.press('Escape')

  await chooseAction(reseller, other, 'Stop')
  const dialog = reseller.getByRole('dialog', { name: other })
  await dialog.getByRole('button', { name: 'YES' }).click()
  await dialog.getByText('Please give a reason').waitFor()
  await confirmWith(reseller, other, 'Are you sure you want to stop this campaign?', 'Sent by mistake')
  await untilStatus(user, other, 'Cancelled')
  await rowOf(user, other)
    .getByText(/Sent by mistake/)
    .waitFor()
})

test('the reseller lifts the pause; the owner stops the campaign, which ends what is up and keeps every figure', async () => {
  await chooseAction(reseller, name, 'Resume')
  await confirmWith(reseller, name, 'Are you sure you want to resume this campaign?')
  await untilStatus(user, name, 'Running')
  await chooseAction(user, name, 'Stop')
  await user.getByLabel('End answered calls at once').check()
  await confirmWith(user, name, 'Are you sure you want to stop this campaign?')
  await untilStatus(user, name, 'Cancelled')
  await rowOf(user, name).getByRole('link', { name }).click()
  await user.getByRole('tab', { name: 'History' }).click()
  await see(user, 'Rows in the file 2,400 = 2,400 accepted + 0 invalid + 0 duplicate')
  await user.getByRole('region', { name: 'Status history' }).getByText('On Hold').first().waitFor()
})
