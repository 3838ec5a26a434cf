// @module-tag exhaustive
// Cheaper: web/src/screens/compose/compose.test.tsx and validate.test.ts beside it have the form, server/src/modules/voice-compose/compose.test.ts the rules.
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { instantOfNepalTime, nepalDayOf } from '@ghanti/contract/time.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { chooseTemplate, fillIn, rowOf, send } from './campaign.ts'
import {
  address,
  bytesOf,
  chooseAction,
  chooseOption,
  closeError,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'
import { openGroupOf } from './menu.ts'

/** callflow/src/templates/ has both flows, compose.test.tsx their fields, spoken-dates.test.tsx the dates. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
let page: Page
let api: Caller
let admin: Caller
const numbers = '9841000050\n9841000051'
const dayMs = 24 * 3600_000
/** Today in Nepal, as long as it has a quarter of an hour left. */
const today = nepalDayOf(new Date(Date.now() + 15 * 60_000))
beforeAll(async () => {
  // Times are Nepal's, whatever the browser's zone.
  page = await openBrowser({ as: 'user2', timezoneId: 'America/Los_Angeles' })
  api = await signInOver(address, 'user2', password)
  admin = await signInOver(address, 'superadmin', password)
})
const sendButton = (name = 'Send Now') =>
  page.getByRole('complementary', { name: 'Estimate' }).getByRole('button', { name })

test('missing values are named at each field at once, in the catalogue’s words', async () => {
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  await sendButton().click()
  for (const text of ['Campaign name is required', 'Template is required', 'Paste at least one number'])
    await see(page, text)
  await chooseTemplate(page, 'Call Patch')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await see(page, 'Please select Agent and DTMF')
  await sendButton().click()
  for (const text of ['Menu file is required', 'Please add Agent Row']) await see(page, text)
  await page.getByLabel('Agent number').fill('9801111137')
  await sendButton().click()
  await see(page, 'Please add Agent and DTMF Row')
  await chooseOption(page, 'DTMF', '1')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('Agent number').fill('9801111138')
  await chooseOption(page, 'DTMF', '1')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await see(page, '1 DTMF is already selected')
  await sendButton().click()
  await see(page, '1 DTMF is already selected')
})

test('an agent’s row that is filled is an agent of the campaign without Add', async () => {
  await page.getByLabel('Agent number').fill('9801111138')
  await chooseOption(page, 'DTMF', '2')
  await page.getByLabel('Campaign name').fill('Agents without Add')
  await chooseOption(page, 'Menu file', 'Menu (demo tone).wav')
  await page.getByLabel('List of numbers').fill(numbers)
  await sendButton().click()
  const review = page.getByRole('dialog')
  await review.getByText('1 → 98011 11137, 2 → 98011 11138').waitFor()
  await review.getByRole('button', { name: 'Back to the form' }).click()
  expect(await page.getByLabel('Agent number').inputValue()).toBe('9801111138')
})

test('an SMS after the call needs its address, which the demo refuses unless a super admin listed its host', async () => {
  expectRefusals(400)
  await page.getByLabel('On fail').check()
  const address = page.getByLabel('On fail: SMS API address')
  await address.fill('https://sms.example.com/send?to={PHONE}')
  await page.getByLabel('Mobile number for a test').fill('9841000001')
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await see(page, 'leads to no host that the demo may ask')
  await page.getByLabel('On fail', { exact: true }).uncheck()
  await chooseTemplate(page, 'Simple IVR')
  expect(await page.getByLabel('On DTMF').isDisabled()).toBe(true)
})

test('a text after the call is tried on one number, and the form shows the outcome', async () => {
  expectRefusals(400)
  await page.getByLabel('On fail', { exact: true }).check()
  await page.getByText('Text of ours', { exact: true }).click()
  const button = page.getByRole('button', { name: 'Send me a test' })
  await see(page, 'Choose a sender ID and write the text first.')
  expect(await button.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'On fail: SMS text' }).fill('We could not reach you')
  const mobile = page.getByLabel('Mobile number for a test')
  await mobile.fill('015970001')
  await button.click()
  await see(page, 'is not a mobile number: a message would not reach it')
  await mobile.fill('9841000020')
  await button.click()
  await page.getByText(/^(The service accepted the message|The message arrived)\./).waitFor(polling)
  await page.getByLabel('On fail', { exact: true }).uncheck()
})

test('entered values are restored after leaving the form and after a reload, until they are discarded', async () => {
  await page.getByLabel('Campaign name').fill('Dashain offer')
  await openGroupOf(page, 'Voice Files')
  await page.getByRole('link', { name: 'Voice Files', exact: true }).click()
  await page.getByRole('heading', { name: 'View Voice Files' }).waitFor()
  await page.getByRole('link', { name: 'New campaign' }).click()
  await see(page, 'Draft restored')
  await page.reload()
  await see(page, 'Draft restored')
  expect(await page.getByLabel('Campaign name').inputValue()).toBe('Dashain offer')
  expect(await page.getByRole('radio', { name: 'Simple IVR' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByLabel('Campaign name').inputValue()).toBe('')
})

test('a time is chosen and kept in Nepal time, in quarter hours to come, though the browser is in Los Angeles', async () => {
  await fillIn(page, { name: 'Dashain offer', template: 'Simple IVR', contacts: numbers })
  await page.getByLabel('Schedule Call').check()
  await chooseDay(today)
  await page.getByRole('combobox', { name: 'Time' }).click()
  const first = await page.getByRole('option').first().innerText()
  const until = (instantOfNepalTime(`${today} ${first}:00`)?.getTime() ?? 0) - Date.now()
  expect(until, 'the next quarter hour').toBeGreaterThan(-60_000)
  expect(until).toBeLessThanOrEqual(15 * 60_000)
  await page.keyboard.press('Escape')

  const day = nepalDayOf(new Date(Date.now() + 2 * dayMs))
  await chooseDay(day)
  await chooseOption(page, 'Time', '10:15')
  await see(page, /^BS 20\d\d \w+ \d+/)
  await send(page, 'Compose Campaign')
  await rowOf(page, 'Dashain offer').getByText('Ready').waitFor()
  await rowOf(page, 'Dashain offer').getByText(`${day} 10:15`).waitFor()
  const [row] = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: 'Dashain offer' })
  expect(row?.scheduleTime).toBe(`${day} 10:15:00`)
})

/** The calendar opens at the month of the previous choice, which is `today`'s. */
async function chooseDay(day: string): Promise<void> {
  const [year, month, date] = day.split('-').map(Number)
  const name = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(year ?? 0, (month ?? 1) - 1, date),
  )
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  if (day.slice(0, 7) !== today.slice(0, 7)) await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByRole('button', { name: new RegExp(`, ${name}, BS `) }).click()
}

test('a campaign is duplicated without its time; the name that is taken is refused at its field', async () => {
  await chooseAction(page, 'Dashain offer', 'Duplicate')
  await see(page, 'Copy of “Dashain offer”')
  expect(await page.getByLabel('Schedule Call').isChecked()).toBe(false)
  expect(await page.getByRole('radio', { name: 'Simple IVR' }).isChecked()).toBe(true)
  expect(await page.getByRole('combobox', { name: 'Welcome file' }).inputValue()).toBe('Welcome (demo tone).wav')
  const stored = page.getByRole('combobox', { name: 'Stored contact file' })
  await expect.poll(() => stored.inputValue(), polling).toBe('Pasted numbers of the copied campaign')
  await page.getByLabel('Campaign name').fill('dashain OFFER')
  await sendButton().click()
  expectRefusals(409)
  await page.getByRole('dialog', { name: 'Review' }).getByRole('button', { name: 'Send Now' }).click()
  await closeError(page, 'Request Failed!! Please try again')
  expectRefusals()
  await see(page, /^Campaign name is .*another/)
})

test('a choice that has become invalid is refused with ‘Parameters Incorrect’ and named at its field; nothing is composed', async () => {
  const waveFile = toneFile('x.wav', 1)
  const { promptId } = await api.ask(promptRoutes.upload, {
    waveFile,
    fileName: 'Short lived',
    promptCategory: 'welcome',
  })
  await admin.ask(promptRoutes.approve, { promptId })
  const before = await api.ask(voiceCampaignRoutes.list, { userId: api.userId })
  await fillIn(page, { name: 'Too late', template: 'Simple IVR', contacts: numbers })
  await chooseOption(page, 'Welcome file', 'Short lived.wav')
  await sendButton().click()
  const review = page.getByRole('dialog', { name: 'Review' })
  await review.getByText(/^Calls 2 numbers/).waitFor()
  await api.ask(promptRoutes.delete, { promptId })
  expectRefusals(400)
  await review.getByRole('button', { name: 'Send Now' }).click()
  await closeError(page, 'Parameters Incorrect')
  await see(page, /Welcome file is not one of your voice files/)
  expect(await api.ask(voiceCampaignRoutes.list, { userId: api.userId })).toEqual(before)
  await page.goto('/') // its preview is refused as well, with a message
  expectRefusals()
})

test(
  'a service reminder says its three dates and is complete; a consultancy is composed after it',
  { ...exhaustive, timeout: 300_000 },
  async () => {
    const rows =
      'mobile,date1,date2,date3\n9841000050,2026-12-01,18/12/2026,2083-09-01\n9841000051,31/02/2027,2027-01-01,2027-01-02\n'
    await page.evaluate(() => sessionStorage.clear()) // the previous test's draft, with its deleted voice file
    await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
    await page.getByLabel('Campaign name').fill('Three dates')
    await chooseTemplate(page, 'Automobile Service')
    await chooseOption(page, 'Kind of service call', 'Service Reminder')
    await see(page, 'Says the date of column date3')
    await see(page, 'Voice: espeak-ng')
    await chooseParts({ Menu: 2, 'Opt-in': 1, 'Opt-out': 2, Action: 2 })
    await page.getByText('Upload file', { exact: true }).click()
    await page
      .getByLabel('Contact file')
      .setInputFiles(await bytesOf(new File([rows], 'dates.csv', { type: 'text/csv' })))
    await page.getByRole('button', { name: 'Upload and check' }).click()
    await see(page, 'date1 is not a day of the calendar')
    await sendButton().click()
    const review = page.getByRole('dialog', { name: 'Review' })
    await review.getByText('Nepali · Bikram Sambat').waitFor()
    await review.getByRole('button', { name: 'Send Now' }).click()
    await page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
    await rowOf(page, 'Three dates').getByText('Complete').waitFor({ timeout: 120_000 })
    await rowOf(page, 'Three dates').getByText('Automobile Service Reminder').waitFor()

    await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
    await page.getByLabel('Campaign name').fill('Five questions')
    await chooseTemplate(page, 'Consultancy')
    await chooseOption(page, 'Welcome file', /^Welcome/)
    await chooseParts({ Menu: 5 })
    await page.getByLabel('List of numbers').fill('9841000050')
    await send(page, 'Send Now')
    await rowOf(page, 'Five questions').getByText('Consultancy').waitFor()
  },
)

/** Chooses the demo's file of each kind in every field of that kind. */
async function chooseParts(counts: Record<string, number>): Promise<void> {
  for (const [kind, count] of Object.entries(counts))
    for (let n = 1; n <= count; n++) await chooseOption(page, `${kind} file ${n}`, /demo tone/)
}
