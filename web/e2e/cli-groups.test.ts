// @module-tag exhaustive
// Cheaper: server/src/modules/lines/groups.test.ts has the rules, web/e2e/screens.test.ts the screens.
import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { chooseTemplate, send } from './campaign.ts'
import {
  address,
  chooseAction,
  chooseOption,
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

useBrowser()
const groupName = 'Pokhara numbers'
const clis = ['061540001', '061540002'] as const
const shown = ['061-540001', '061-540002'] as const
let admin: Page
let api: Caller
beforeAll(async () => {
  api = await signInOver(address, 'superadmin', password)
  for (const cli of clis) await api.ask(lineRoutes.add, { cli, channels: 30, trunkName: 'Simulated trunk' })
  admin = await openBrowser({ as: 'superadmin' })
})

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

async function chooseMember(page: Page, number: string, search: string, label: string): Promise<void> {
  const picker = page.getByRole('dialog').getByRole('combobox', { name: `CLI ${number}` })
  await picker.fill(search)
  await page.getByRole('option', { name: label }).click()
}

test('a super admin makes a group of CLIs; what is missing or wrong is said at its field', async () => {
  await goTo(admin, '/cli-list', 'CLI List')
  await admin.getByRole('button', { name: 'New Caller ID Group' }).click()
  const dialog = admin.getByRole('dialog', { name: 'New Caller ID Group' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  for (const field of ['Group name', 'Trunk', 'CLI 1']) await see(admin, `${field} is required`)
  await dialog.getByLabel('Group name').fill('061540')
  await chooseOption(admin, 'Trunk', /^Simulated trunk/)
  await chooseMember(admin, '1', clis[0], shown[0])
  await dialog.getByRole('button', { name: 'Add CLI' }).click()
  await chooseMember(admin, '2', clis[1], shown[1])
  await expectAccessible(admin, 'the form of a caller ID group')
  expectRefusals(400)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await see(admin, 'Group name must have a letter: it is no number')
  await dialog.getByLabel('Group name').fill(groupName)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await seeDone(admin, 'The group was created. Allocate it as you allocate a CLI.')
  await rowOf(admin, groupName).getByText('Group of 2 CLIs').waitFor()
})

test('it is allocated as a CLI is, and a user composes with it; each call’s row shows a CLI of the group', async () => {
  await chooseAction(admin, groupName, 'Allocate CLI')
  await chooseOption(admin, 'User', 'user2')
  await admin.getByRole('button', { name: 'Allocate CLI' }).click()
  await seeDone(admin, 'The CLIs were allocated.')
  const page = await openBrowser({ as: 'user2' })
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  await page.getByLabel('Campaign name').fill('Group of callers')
  await chooseOption(page, 'CLI', groupName)
  await chooseTemplate(page, 'Simple IVR')
  await chooseOption(page, 'Welcome file', 'Welcome (demo tone).wav')
  await page.getByLabel('List of numbers').fill('9841990050\n9841990150\n9841990250\n9841990350')
  await send(page)
  const user = await signInOver(address, 'user2', password)
  const calls = async () => await user.ask(callReportRoutes.list, { userId: user.userId, search: '0050' })
  const ofGroup = async () => (await calls()).filter(({ cli }) => clis.some((one) => one === cli)).length
  await expect.poll(ofGroup, polling).toBe(1)
  await goTo(page, `/voice-campaign-summary?cli=${clis[1]}`, 'Voice Campaign Summary')
  await rowOf(page, 'Group of callers').waitFor()
})

test('it is changed by keyboard; while it has a CLI, that one cannot be deleted', async () => {
  await goTo(admin, `/cli-list?search=${encodeURIComponent(groupName)}`, 'CLI List')
  await chooseAction(admin, groupName, 'Change group')
  const dialog = admin.getByRole('dialog', { name: groupName })
  await dialog.getByLabel('Group name').waitFor()
  await dialog.getByLabel('Weight').nth(1).focus()
  await admin.keyboard.press('ControlOrMeta+A')
  await admin.keyboard.type('3')
  await admin.keyboard.press('Enter')
  await seeDone(admin, 'The group was saved. Calls that begin from now on show its CLIs.')
  await goTo(admin, `/cli-list?search=${clis[0]}`, 'CLI List')
  expectRefusals(409)
  await chooseAction(admin, clis[0], 'Delete CLI')
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete CLI' }).click()
  await see(admin, /is in the caller ID groups 'Pokhara numbers': take it out first/)
})

test('on a phone the list and the form of a group fit', async () => {
  const page = await openBrowser({ as: 'superadmin', viewport: phone })
  await goTo(page, `/cli-list?search=${encodeURIComponent(groupName)}`, 'CLI List')
  await chooseAction(page, groupName, 'Change group')
  await page.getByRole('dialog', { name: groupName }).getByLabel('Group name').waitFor()
  await expectAccessible(page, 'the form of a caller ID group on a phone')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  await page.keyboard.press('Escape')
})

test('nothing of it is left', async () => {
  await goTo(admin, `/cli-list?search=${encodeURIComponent(groupName)}`, 'CLI List')
  await chooseAction(admin, groupName, 'Delete CLI')
  await confirmWith(admin, groupName, 'Are you sure you want to delete this CLI? Nobody can call from it any more.')
  await rowOf(admin, groupName).waitFor({ state: 'detached' })
  for (const cli of clis) {
    const [row] = await api.ask(lineRoutes.all, { search: cli })
    await api.ask(lineRoutes.delete, { cliId: row?.cliId ?? 0 })
  }
})
