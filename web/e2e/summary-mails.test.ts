// @module-tag exhaustive
// Cheaper: server/src/modules/summary-mails/summary-mails.test.ts has who is written to, and when.
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { polling } from '../../server/src/testing/timeouts.ts'
import { fillIn, send, untilStatus } from './campaign.ts'
import {
  address,
  chooseAction,
  closeError,
  confirmWith,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  phone,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

useBrowser()
let page: Page
const reader = 'owner.reads@example.com'
const name = 'Summary by mail'
beforeAll(async () => {
  page = await openBrowser({ as: 'user' })
})

const mails = async (): Promise<string[]> =>
  (await (await fetch(`${address}/api/mailbox`)).text())
    .split('<article>')
    .filter((mail) => mail.includes(`To ${reader}`))
/** The newest with that text; other tests’ campaigns complete meanwhile. */
const mailWith = async (text: string) => (await mails()).find((mail) => mail.includes(text)) ?? ''
const linkIn = (mail: string, end: 'yes' | 'no') => {
  const hrefs = [...mail.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
  return new URL(hrefs.find((href) => href.includes(`/summary-mails/${end}/`)) ?? '').pathname
}
const later = { interval: 500, timeout: Math.max(60_000, polling.timeout) }

test('an address confirms by its mailed link, gets the summary of a campaign that completes, another one at the press of a button, and no more after No', async () => {
  await goTo(page, '/reports-by-mail', 'Reports by mail')
  await see(page, 'No address yet: nothing is sent.')
  await page.getByLabel('E-mail address').fill(reader)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await seeDone(page, `${reader} added`)
  await see(page, 'Waiting for confirmation')
  await page.getByLabel('After each campaign that is complete').check()
  await page.getByLabel('Attached').selectOption({ label: 'PDF and CSV' })
  await page.getByLabel('Daily summary').selectOption({ label: 'At 07:00' })
  await page.getByRole('button', { name: 'Save' }).click()
  await seeDone(page, 'Reports by mail saved')
  await expectAccessible(page, 'an address that waits')

  await expect.poll(() => mailWith('/summary-mails/yes/'), later).not.toBe('')
  const stranger = await openBrowser({ viewport: phone })
  const yes = linkIn(await mailWith('/summary-mails/yes/'), 'yes')
  await stranger.goto(yes)
  await see(stranger, 'Confirm only if you want them')
  await expectAccessible(stranger, 'the page of the link that confirms')
  await stranger.getByRole('button', { name: 'Yes, send them' }).click()
  await see(stranger, 'Summaries will be sent to this address')
  await page.getByRole('listitem').getByText('Confirmed').waitFor() // without reloading

  await fillIn(page, { name, template: 'Simple IVR', contacts: '9841880077' })
  await send(page)
  await untilStatus(page, name, 'Complete')
  const completion = 'A campaign is complete. Its summary is attached.'
  await expect.poll(() => mailWith(completion), later).not.toBe('')
  const mail = await mailWith(completion)
  expect(mail).toMatch(/Attached: summary-\d+\.pdf/)
  expect(mail).toMatch(/Attached: summary-\d+\.csv/)

  await chooseAction(page, name, 'Mail the summary…')
  const dialog = page.getByRole('dialog', { name: 'Mail the summary' })
  await dialog.getByRole('checkbox', { name: reader }).waitFor()
  await expectAccessible(page, 'where the summary goes')
  await dialog.getByRole('button', { name: 'Send Now' }).click()
  await seeDone(page, 'The summary is being mailed')
  const asked = 'The summary of a campaign is attached.'
  await expect.poll(() => mailWith(asked), later).not.toBe('')
  await goTo(page, '/reports-by-mail', 'Reports by mail')
  await expect.poll(() => page.getByRole('row', { name: new RegExp(`${name}.*Sent`) }).count(), polling).toBe(2)
  expect(await page.getByLabel('Daily summary').inputValue(), 'what was chosen is kept').toBe('7')
  await expectAccessible(page, 'mails that were sent')

  await stranger.goto(linkIn(await mailWith(asked), 'no'))
  await expectAccessible(stranger, 'the page of the link that ends them')
  await stranger.getByRole('button', { name: 'Send no more' }).click()
  await see(stranger, 'No more summaries are sent to this address')
  await goTo(page, '/reports-by-mail', 'Reports by mail')
  await see(page, 'Wants no more mail')
  await goTo(page, '/voice-campaign-summary', 'Voice Campaign Summary')
  await chooseAction(page, name, 'Mail the summary…')
  await page.getByRole('dialog').getByText('No address is confirmed yet.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Reports by mail' }).click()
  await page.getByRole('heading', { level: 1, name: 'Reports by mail' }).waitFor()

  expectRefusals(400)
  await stranger.goto(yes)
  await stranger.getByRole('button', { name: 'Yes, send them' }).click()
  await see(stranger, 'The link has already been used: each link works once')
  await closeError(stranger, 'The link has already been used: each link works once')
  expectRefusals()
  await page.getByRole('button', { name: `Remove ${reader}` }).click()
  await confirmWith(page, reader, 'Stop sending reports to this address?')
  await see(page, 'No address yet: nothing is sent.')
  await page.getByLabel('After each campaign that is complete').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await seeDone(page, 'Reports by mail saved')
}, 240_000)
