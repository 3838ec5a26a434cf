// @module-tag exhaustive
// Cheaper: web/e2e/campaigns.test.ts walks the steps, web/src/screens/compose/compose.test.tsx has their errors.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { chooseTemplate, fillIn, rowOf } from './campaign.ts'
import {
  chooseOption,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  phone,
  see,
  useBrowser,
} from './console.ts'
import { newDataFolder, remove, simulated, startMain } from './server.ts'

/** away.test.ts has a server that goes away under a filled-in campaign. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()

const stepOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: new RegExp(`\\b${name}\\b`) })
const sendButton = (page: Page) =>
  page.getByRole('complementary', { name: 'Estimate' }).getByRole('button', { name: 'Send Now' })

test('each step can be gone to at any time, says what it holds, and what is to be corrected in it', async () => {
  const page = await openBrowser({ as: 'user' })
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  await stepOf(page, 'When').click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('When')
  expect(await stepOf(page, 'When').getAttribute('aria-current')).toBe('step')
  await sendButton(page).click()
  await stepOf(page, 'What')
    .getByText(/^\d to correct$/)
    .waitFor()
  await stepOf(page, 'Who').getByText('1 to correct').waitFor()
  expect(await stepOf(page, 'When').innerText()).not.toContain('correct')
  await expectAccessible(page, 'steps with errors')
  const summary = page.getByRole('region', { name: 'Error' })
  await summary.getByRole('link', { name: 'Paste at least one number' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('numbers')
  await fillIn(page, { name: 'By steps', template: 'DTMF Input', keys: ['1'], contacts: '9841000001\n9841000002' })
  await stepOf(page, 'What').getByText('DTMF Input').waitFor()
  await stepOf(page, 'Who').getByText('2 numbers').waitFor()
  await stepOf(page, 'When').getByText('Now').waitFor()
  await stepOf(page, 'Check')
    .getByText(/^at most Rs/)
    .waitFor()
})

test('an error of a field under ‘More’ opens it', async () => {
  const page = await openBrowser({ as: 'user2' })
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  const ringTime = page.getByLabel('Ring time in seconds')
  expect(await ringTime.isVisible()).toBe(false)
  await page.locator('summary', { hasText: 'More' }).click()
  await ringTime.fill('1000')
  await page.locator('summary', { hasText: 'More' }).click()
  await sendButton(page).click()
  await page.getByRole('link', { name: /^Ring time in seconds / }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('ringSeconds')
  expect(await ringTime.isVisible()).toBe(true)
})

test('the telephone beside the form asks for nothing until its call is started, and a changed call hangs up', async () => {
  const page = await openBrowser({ as: 'user' })
  const asked: string[] = []
  page.on('request', (request) => void (/preview-call/.test(request.url()) && asked.push(request.url())))
  await fillIn(page, { name: 'Heard beside', template: 'DTMF Input', keys: ['1'], contacts: '9841000001' })
  const telephone = page.getByRole('complementary', { name: 'What the contacts will hear' })
  const start = telephone.getByRole('button', { name: 'Start the call' })
  await start.and(page.locator(':enabled')).waitFor()
  expect(asked.filter((url) => url.includes('/api/'))).toEqual([])
  await start.click()
  await telephone.getByText('Playing: Menu').waitFor()
  await page.getByLabel('Campaign name').fill('Heard 1')
  await telephone.getByText('Key 1').waitFor({ state: 'detached' })
  await page.getByRole('group', { name: 'Template' }).getByText('Simple IVR', { exact: true }).click()
  await telephone.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached' })
  await chooseOption(page, 'Welcome file', 'Welcome (demo tone).wav')
  await start.and(page.locator(':enabled')).waitFor()
})

test('what arrives late about the contacts moves no field that somebody is about to press', async () => {
  const page = await openBrowser({ as: 'user' })
  await fillIn(page, { name: 'Still', template: 'Simple IVR', contacts: '9841000001' })
  const tick = page.getByLabel('On fail', { exact: true })
  const topOf = () => tick.evaluate((node) => node.getBoundingClientRect().top + window.scrollY)
  const before = await topOf()
  await page.getByLabel('List of numbers').fill('9841000001\n9841000002\n12')
  await page.getByRole('button', { name: 'Check the numbers' }).click()
  await see(page, 'the number is too short')
  expect(await topOf()).toBe(before)
  await tick.check()
  await see(page, 'On fail: SMS API address')
})

test('on a phone the telephone is behind a button, and nothing is wider than the screen', async () => {
  const page = await openBrowser({ as: 'user', viewport: phone, hasTouch: true, isMobile: true })
  await fillIn(page, { name: 'On a phone', template: 'DTMF Input', keys: ['1'], contacts: '9841000001' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  expect(await page.getByRole('complementary', { name: 'What the contacts will hear' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Hear the call' }).click()
  const dialog = page.getByRole('dialog', { name: 'What the contacts will hear' })
  await dialog.getByRole('button', { name: 'Start the call' }).waitFor()
})

/** How the browser logs a request without an answer. */
const noAnswer = Number.NaN

test(
  'the server goes away in the middle of each step: nothing that was typed is lost, and the campaign is sent once it is back',
  { ...exhaustive, timeout: 600_000 },
  async () => {
    const folder = await newDataFolder()
    const listening = /^Ghanti is at (\S+)/
    let server = await startMain(simulated(folder, 500), listening)
    const address = server.said
    const page = await openBrowser({ baseURL: address, as: 'user2', word: password })
    const name = page.getByLabel('Campaign name')
    const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
    /** The step's first half with the server, `typed` without it; then the page is loaded anew. */
    const without = async (typed: () => Promise<void>, isKept: string) => {
      expectRefusals(noAnswer, 404, 502, 503)
      await server.stop()
      await typed()
      await expect.poll(kept, polling).toContain(isKept)
      server = await startMain({ ...simulated(folder, 500), PORT: new URL(address).port }, listening)
      await page.reload()
      await see(page, 'Draft restored')
      expectRefusals()
    }
    try {
      await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
      await chooseTemplate(page, 'Simple IVR')
      await chooseOption(page, 'Welcome file', 'Welcome (demo tone).wav')
      await without(() => name.fill('Through four outages'), 'Through four outages')
      expect(await name.inputValue()).toBe('Through four outages')

      const numbers = page.getByLabel('List of numbers')
      await without(async () => {
        await numbers.fill('9841000050')
        await page.getByRole('button', { name: 'Check the numbers' }).click()
        await page.getByRole('dialog', { name: 'Error' }).getByRole('button', { name: 'OK' }).click()
      }, '9841000050')
      expect(await numbers.inputValue()).toBe('9841000050')

      await page.getByLabel('Schedule Call').check()
      await page.getByRole('button', { name: 'Tomorrow 10:00' }).click()
      await without(() => page.getByLabel('Schedule Call').uncheck(), 'Through four outages')
      expect(await page.getByLabel('Schedule Call').isChecked()).toBe(false)

      await page.getByRole('button', { name: 'Check the numbers' }).click()
      await page.getByRole('complementary', { name: 'Estimate' }).getByText('at most Rs').waitFor()
      await sendButton(page).click()
      const review = page.getByRole('dialog', { name: 'Review' })
      await review.getByText(/^Calls 1 number from/).waitFor()
      await without(async () => {
        await review.getByRole('button', { name: 'Send Now' }).click()
        await page.getByRole('dialog', { name: 'Error' }).getByRole('button', { name: 'OK' }).click()
      }, 'Through four outages')
      await sendButton(page).click()
      await review.getByRole('button', { name: 'Send Now' }).click()
      await page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
      await rowOf(page, 'Through four outages').waitFor()
      expect(await rowOf(page, 'Through four outages').count()).toBe(1)
    } finally {
      await page.context().close()
      await server.stop()
      remove(folder)
    }
  },
)
