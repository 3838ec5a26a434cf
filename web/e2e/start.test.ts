// @module-tag exhaustive
// Cheaper: server/src/modules/overview/start.test.ts has when calls begin and why not, web/e2e/control.test.ts a stop.
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { callingHoursRoutes } from '@ghanti/contract/calling-hours.ts'
import { platformRoutes } from '@ghanti/contract/platform.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { fillIn, mark, rowOf } from './campaign.ts'
import {
  address,
  confirmWith,
  expectAccessible,
  goTo,
  openBrowser,
  password,
  phone,
  see,
  useBrowser,
} from './console.ts'

useBrowser()
let api: Awaited<ReturnType<typeof signInOver>>
let user: Page
let userId: number
const tomorrow = nepalDayOf(new Date(Date.now() + 24 * 3600_000))
/** Closed until tomorrow at seven. */
const hours: CallingHours = {
  enabled: true,
  from: '07:00',
  to: '21:00',
  weekdays: [new Date(`${tomorrow}T00:00:00Z`).getUTCDay()],
  ownHours: [],
  holidays: [],
}

beforeAll(async () => {
  api = await signInOver(address, 'superadmin', password)
  userId = (await signInOver(address, 'user', password)).userId
  user = await openBrowser({ as: 'user' })
})

const review = () => user.getByRole('dialog', { name: 'Review' })

test('out of hours the estimate and the review say when calls begin and why; one click schedules the campaign for the opening', async () => {
  await api.ask(callingHoursRoutes.saveException, { userId, hours, reason: 'test' })
  await fillIn(user, { name: 'After hours', template: 'Simple IVR', contacts: '9841000050' })
  const estimate = user.getByRole('complementary', { name: 'Estimate' })
  await estimate.getByText(`The first call begins at ${tomorrow} 07:00, not at once:`).waitFor()
  await estimate.getByText(`utside calling hours, dials from ${tomorrow} 07:00`).waitFor()
  await estimate.getByRole('button', { name: 'Send Now' }).click()
  const sentence = await review()
    .getByText(/^Calls 1 number from/)
    .textContent()
  expect(sentence?.replaceAll('\u2011', '-').replaceAll('\u00a0', ' ')).toMatch(
    new RegExp(`, from ${tomorrow} 07:00 on, done about ${tomorrow} 07:0\\d\\.$`),
  )
  await review()
    .getByText(/^Now, the first call at .* 07:00/)
    .waitFor()
  await user.setViewportSize(phone)
  await expectAccessible(user, 'review out of hours')
  await user.setViewportSize({ width: 1440, height: 900 })
  await review()
    .getByRole('button', { name: `Schedule for ${tomorrow} 07:00` })
    .click()
  const success = user.getByRole('dialog', { name: 'Success' })
  await success.getByText(`is being prepared and starts at ${tomorrow} 07:00`).waitFor()
  await success.getByRole('button', { name: 'OK' }).click()
  await rowOf(user, 'After hours')
    .getByText(/Ready|Processing/)
    .first()
    .waitFor()
  await api.ask(callingHoursRoutes.removeException, { userId })
})

test('while dialling is stopped, a red bar shows on every open screen of affected accounts, and no start is promised; both end with the stop', async () => {
  const [reseller, admin] = await Promise.all([openBrowser({ as: 'reseller' }), openBrowser({ as: 'superadmin' })])
  const bar = (page: Page) => page.getByRole('alert').getByText(/^all dialling of .* is stopped/)
  await fillIn(user, { name: 'Stopped', template: 'Simple IVR', contacts: '9841000050' })
  await goTo(reseller, '/', 'Dashboard')
  await goTo(admin, '/stop-dialling', 'Stop Calls and Messages')
  const notReloaded = await Promise.all([user, reseller].map(mark))
  const { userId: resellerId } = await signInOver(address, 'reseller', password)
  const { dialBlockId } = await api.ask(platformRoutes.stopDialling, {
    kind: 'account',
    targetId: resellerId,
    reason: 'Unpaid since August',
  })
  for (const page of [user, reseller])
    await bar(page)
      .getByText(/Unpaid since August/)
      .waitFor()
  expect(await bar(admin).count(), 'an account’s stop is not the super admin’s').toBe(0)
  const estimate = user.getByRole('complementary', { name: 'Estimate' })
  await estimate.getByText('It is not known yet when the first call begins:').waitFor()
  expect(await estimate.getByText('Done about').count()).toBe(0)
  await estimate.getByRole('button', { name: 'Send Now' }).click()
  await review()
    .getByText(/Unpaid since August/)
    .waitFor()
  expect(
    await review()
      .getByText(/done about/)
      .count(),
  ).toBe(0)
  await review().getByRole('button', { name: 'Send Now' }).click()
  const success = user.getByRole('dialog', { name: 'Success' })
  await success.getByText('“Stopped” is being prepared, but its calls do not begin yet.').waitFor()
  await success.getByRole('button', { name: 'OK' }).click()
  await user.getByRole('heading', { level: 1, name: 'Voice Campaign Summary' }).waitFor()
  await bar(user).waitFor()

  await admin.getByLabel('Reason').fill('The operator asked us to')
  await admin.getByRole('button', { name: 'Stop', exact: true }).click()
  const question = admin.getByRole('dialog', { name: 'The whole platform' })
  await question
    .getByText(/^It stops \d+ running campaigns? and \d+ still to begin: \d+ calls? (is|are) not made\.$/)
    .waitFor()
  await confirmWith(admin, 'The whole platform', 'Are you sure you want to stop dialling: The whole platform?')
  for (const page of [user, reseller, admin])
    await bar(page)
      .getByText(/The operator asked us to/)
      .waitFor()
  await admin.getByRole('alert').getByRole('link', { name: 'See or lift the stop' }).waitFor()
  await user.setViewportSize(phone)
  await expectAccessible(user, 'stopped, on a phone')
  await user.setViewportSize({ width: 1440, height: 900 })
  await user.getByRole('button', { name: 'ने' }).click()
  await user.getByRole('alert').getByText('एडमिनले पूरै प्लेटफर्मको डायल रोकेका छन्: The operator asked us to').waitFor()
  await user.getByRole('button', { name: 'EN', exact: true }).click()

  const platform = (await api.ask(platformRoutes.dialBlocks, {})).find(({ kind }) => kind === 'platform')
  for (const id of [dialBlockId, platform?.dialBlockId ?? 0])
    await api.ask(platformRoutes.allowDialling, { dialBlockId: id })
  for (const page of [user, reseller, admin]) await bar(page).first().waitFor({ state: 'detached' })
  for (const isSame of notReloaded) await isSame()
  await see(user, 'Stopped')
})
