import { callReportRoutes } from '@ghanti/contract/call-report.ts'
import { followupRoutes } from '@ghanti/contract/followups.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { fillIn, send, untilStatus } from './campaign.ts'
import {
  closeError,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'
import { startServer, type Server } from './server.ts'

useBrowser()
/** Slow enough to watch: a telephone rings for a second or more. The demo user's own number answers after two. */
const speed = 4
let server: Server
let page: Page
let api: Caller
const name = 'Call back'
/** 33 answers and stays until hung up on; 09 hangs up after 2 s. */
const [stays, leaves] = ['9841780033', '9841780009']

beforeAll(async () => {
  server = await startServer(speed)
  page = await openBrowser({ as: 'user', baseURL: server.address })
  api = await signInOver(server.address, 'user', password)
  await fillIn(page, { name, template: 'Simple IVR', contacts: `${stays}\n${leaves}` })
  await send(page)
  await untilStatus(page, name, 'Complete')
}, 240_000)
afterAll(() => server.stop())

const drawer = () => page.getByRole('complementary', { name: 'Call Now' })
const ask = async (number: string) => {
  await page
    .getByRole('button', { name: new RegExp(`^Take Action: ${number}`) })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Call Now' }).click()
  return page.getByRole('dialog', { name: number })
}

test('the question is that of the specification; CANCEL calls nobody, YES closes it, the drawer follows the call and hangs up', async () => {
  await goTo(page, `/report?search=${stays}`, 'Report')
  const question = await ask('98417 80033')
  await question.getByText('Are you sure you want to call this number?').waitFor()
  await question.getByRole('button', { name: 'CANCEL' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await drawer().count()).toBe(0)
  await (await ask('98417 80033')).getByRole('button', { name: 'YES' }).click()
  await question.waitFor({ state: 'detached' })
  await drawer()
    .getByRole('status')
    .getByText(/is ringing|are talking/)
    .waitFor()
  await drawer()
    .getByText(/^98\d+ \d+ and 98417 80033 are talking$/)
    .waitFor()
  await expectAccessible(page, 'the drawer of a call')
  await page.getByRole('link', { name: 'Campaign Summary' }).first().click()
  await drawer().getByText('are talking').waitFor()
  await drawer().getByRole('button', { name: 'Hang up' }).press('Enter')
  await drawer().getByText('The call has ended').waitFor()
  expect(await drawer().locator('dl').innerText()).toMatch(/Answered[\s\S]*\d+ s[\s\S]*Cost \(Rs\)\s*\d+\.\d\d/)
  await drawer().getByRole('button', { name: 'Close' }).click()
  await drawer().waitFor({ state: 'detached' })
})

test('the call is in the report with its kind, without a click', async () => {
  const calls = await api.ask(callReportRoutes.list, { userId: api.userId, kind: 'callNow' })
  expect(calls).toHaveLength(1)
  await goTo(page, '/report?kind=callNow', 'Report')
  await see(page, `Call Now: ${name}`)
  const { followupId } = await api.ask(followupRoutes.begin, { callUID: calls[0]?.callID })
  await drawer().getByText('are talking').waitFor()
  await api.ask(followupRoutes.stop, { followupId })
  await drawer().getByText('The call has ended').waitFor()
  await expect.poll(() => page.getByText(`Call Now: ${name}`).count(), polling).toBeGreaterThan(1)
  await drawer().getByRole('button', { name: 'Close' }).click()
})

test('a refused campaign is an Error with the reason', async () => {
  await goTo(page, `/report?search=${leaves}`, 'Report')
  const [call] = await api.ask(callReportRoutes.list, { userId: api.userId, search: stays })
  const { followupId } = await api.ask(followupRoutes.begin, { callUID: call?.callID })
  expectRefusals(409)
  await (await ask('98417 80009')).getByRole('button', { name: 'YES' }).click()
  await see(page, '98417 80009 must wait: another Call Now of yours is under way')
  await closeError(page, 'The call could not be begun.')
  await api.send(followupRoutes.stop, { followupId })
  await drawer()
    .getByText(/has ended|was not reached/)
    .waitFor()
  expectRefusals()
})

test('accounts above see it disabled, with the reason', async () => {
  const above = await openBrowser({ as: 'reseller', baseURL: server.address })
  await goTo(above, `/report?search=${stays}`, 'Report')
  await above
    .getByRole('button', { name: /^Take Action: 98417 80033/ })
    .first()
    .click()
  await see(above, 'Only the account whose call it was can call again.')
})
