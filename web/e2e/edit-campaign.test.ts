// @module-tag exhaustive
// Cheaper: server/src/modules/voice-compose/edit.test.ts has what may be changed.
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { quickTime } from '../src/screens/compose/schedule/schedule.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { fillIn, rowOf, send } from './campaign.ts'
import {
  address,
  chooseAction,
  chooseOption,
  expectAccessible,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'

useBrowser()
let page: Page
let owner: Caller
const name = 'Put off'
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
  owner = await signInOver(address, 'user', password)
})
async function stored() {
  const [row] = await owner.ask(voiceCampaignRoutes.list, { userId: owner.userId, search: name })
  return await owner.ask(campaignDetailRoutes.detail, { campaignId: row?.campaignId ?? 0 })
}
const start = (which: 'tomorrow' | 'sunday') => {
  const { day, time } = quickTime(which, new Date())
  return `${day} ${time}:00`
}

test('a campaign is scheduled for tomorrow at 10:00: 5 clicks after its form', async () => {
  await fillIn(page, { name, template: 'Simple IVR', contacts: '9841660021' })
  await page.getByText('Schedule Call').click()
  await page.getByRole('button', { name: 'Tomorrow 10:00' }).click()
  await send(page, 'Compose Campaign')
  await rowOf(page, name).waitFor()
  expect(await stored()).toMatchObject({ scheduleTime: start('tomorrow'), notAfter: false })
})

test('it is postponed to Sunday: 4 clicks from the list', async () => {
  await chooseAction(page, name, 'Change…')
  const dialog = page.getByRole('dialog', { name: `Change “${name}”` })
  await dialog.getByRole('button', { name: 'Next Sunday 10:00' }).click()
  await expectAccessible(page, 'the dialog that changes a campaign')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await see(page, `“${name}” was changed.`)
  expect(await stored()).toMatchObject({ scheduleTime: start('sunday'), notAfter: false })
})

test('it is given an end, and an end before the start is refused at its field', async () => {
  await chooseAction(page, name, 'Change…')
  const dialog = page.getByRole('dialog', { name: `Change “${name}”` })
  await dialog.getByText('No calls after a certain time').click()
  await dialog.getByLabel('No calls after: date').fill(start('sunday').slice(0, 10))
  await chooseOption(page, 'No calls after: time', '09:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must be after the start', { exact: false }).waitFor()
  await chooseOption(page, 'No calls after: time', '17:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  const { notAfter, dialUntil } = await stored()
  expect([notAfter, dialUntil]).toEqual([true, `${start('sunday').slice(0, 10)} 17:00:00`])
})
