// @module-tag exhaustive
// Cheaper: server/src/voice/dialer/dial/call-now.test.ts has who is called, and once, web/e2e/screens.test.ts the drawer.
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
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
import { openGroupOf } from './menu.ts'
import { startServer, type Server } from './server.ts'

/** sound.test.tsx has a file that cannot be played. */
const exhaustive = { tags: ['exhaustive'] }

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
  await openGroupOf(page, 'Voice Campaign Summary')
  await page.getByRole('link', { name: 'Voice Campaign Summary' }).first().click()
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
  await closeError(page, 'Request Failed!! Please try again')
  await api.send(followupRoutes.stop, { followupId })
  await drawer()
    .getByText(/has ended|was not reached/)
    .waitFor()
  expectRefusals()
})

test('YES in two tabs at once calls once; the other tab says that a call is under way', async () => {
  const calls = () => api.ask(callReportRoutes.list, { userId: api.userId, kind: 'callNow' })
  const before = (await calls()).length
  const second = await page.context().newPage()
  const tabs = [page, second]
  const questionIn = async (tab: Page) => {
    await goTo(tab, `/report?search=${stays}`, 'Report')
    await tab
      .getByRole('button', { name: /^Take Action: 98417 80033/ })
      .first()
      .click()
    await tab.getByRole('menuitem', { name: 'Call Now' }).click()
    return tab.getByRole('dialog', { name: '98417 80033' }).getByRole('button', { name: 'YES' })
  }
  const yes = [await questionIn(page), await questionIn(second)]
  expectRefusals(409)
  await Promise.all(yes.map((button) => button.click()))
  const refusal = '98417 80033 must wait: another Call Now of yours is under way'
  const refused = await Promise.any(
    tabs.map(async (tab) => {
      await see(tab, refusal)
      return tab
    }),
  )
  await closeError(refused, 'Request Failed!! Please try again')
  for (const tab of tabs) await tab.getByRole('complementary', { name: 'Call Now' }).getByText('are talking').waitFor()
  expect(await refused.getByText(refusal).count()).toBe(0)
  await drawer().getByRole('button', { name: 'Hang up' }).click()
  await drawer().getByText('The call has ended').waitFor()
  await expect.poll(async () => (await calls()).length - before, polling).toBe(1)
  await second.close()
  await drawer().getByRole('button', { name: 'Close' }).click()
  expectRefusals()
})

/** Removes the files of recordings behind the server's back. Equal recordings share a file. */
async function loseFiles(ids: readonly string[]): Promise<void> {
  const hashes = new Set<string>()
  for (const id of ids) {
    const reply = await page.request.get(`${server.address}/rec/${id}.wav`)
    expect(reply.status()).toBe(200)
    hashes.add((reply.headers()['etag'] ?? '').replaceAll('"', ''))
  }
  for (const hash of hashes) await fs.rm(path.join(server.dataFolder, 'files', hash.slice(0, 2), hash))
}

test('a recording whose file is gone says so, and the report goes on working', exhaustive, async () => {
  const calls = () => api.ask(callReportRoutes.list, { userId: api.userId, kind: 'callNow' })
  const talks = async () => (await calls()).filter(({ disposition }) => disposition === 'ANSWER')
  await expect.poll(async () => (await talks()).every(({ uuID }) => uuID !== null), { timeout: 30_000 }).toBe(true)
  await loseFiles((await talks()).flatMap(({ uuID }) => uuID ?? []))
  await goTo(page, '/report?kind=callNow&recorded=yes', 'Report')
  const menu = page.getByRole('button', { name: /^Take Action: 98417 80033/ }).first()
  await menu.click()
  expectRefusals(404)
  await page.getByRole('menuitem', { name: 'Listen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Listen Recording' })
  await dialog.getByText('This file is gone: the server does not have it any more.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Download recording' }).click()
  await page
    .getByRole('dialog', { name: 'Error' })
    .getByText('The recording is gone: its file is not stored any more')
    .waitFor()
  await page.getByRole('dialog', { name: 'Error' }).getByRole('button', { name: 'OK' }).click()
  expectRefusals()
  await goTo(page, `/report?search=${stays}`, 'Report')
  await see(page, `Call Now: ${name}`)
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
