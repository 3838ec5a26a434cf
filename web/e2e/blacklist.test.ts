// @module-tag exhaustive
// Cheaper: server/src/modules/blacklist/blacklist.test.ts and every-number.test.ts beside it have the numbers, web/e2e/screens.test.ts the screens.
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import {
  address,
  chooseAction,
  closeError,
  confirmWith,
  downloadedBy,
  expectRefusals,
  goTo,
  openBrowser,
  openListMenu,
  password,
  see,
  useBrowser,
  seeDone,
} from './console.ts'

useBrowser()
let user: Page
beforeAll(async () => {
  user = await openBrowser({ as: 'user' })
})
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a number is added, listed without those of reseller and platform, which answer when asked about, and deleted', async () => {
  for (const [as, mobile] of [
    ['reseller', '9851555001'],
    ['superadmin', '9851555002'],
  ] as const)
    await (await signInOver(address, as, password)).ask(blacklistRoutes.add, { mobile })
  await goTo(user, '/add-voice-blacklist', 'Add Blacklist Number')
  expectRefusals(400)
  await user.getByLabel('Mobile number').fill('12345')
  await user.getByRole('button', { name: 'Add Number' }).click()
  await see(user, 'is too short')
  await closeError(user, 'Parameters Incorrect')
  expectRefusals()
  await user.getByLabel('Mobile number').fill('985-1555003')
  await user.getByRole('button', { name: 'Add Number' }).click()
  await seeDone(user, '5003')
  await user.getByRole('heading', { name: 'Voice Blacklist' }).waitFor()
  await rowOf(user, '5003').waitFor()
  for (const inherited of ['5001', '5002']) expect(await rowOf(user, inherited).count()).toBe(0)
  const check = async (mobile: string, answer: string) => {
    await user.getByLabel('Is this number blacklisted?').fill(mobile)
    await user.getByRole('button', { name: 'Check', exact: true }).click()
    await user.getByRole('status').getByText(answer).waitFor()
  }
  for (const mobile of ['9851555001', '985-1555002', '9851555003'])
    await check(mobile, 'is blacklisted: no campaign of yours calls it.')
  await check('9851555009', 'is not blacklisted.')
  expectRefusals(400)
  await user.getByLabel('Is this number blacklisted?').fill('12345')
  await user.getByRole('button', { name: 'Check', exact: true }).click()
  await closeError(user, 'is too short')
  expectRefusals()
  await goTo(user, '/voice-blacklist?search=9851555003', 'Voice Blacklist')
  await openListMenu(user)
  const csv = await downloadedBy(user, () => user.getByRole('link', { name: 'Export to CSV' }).click())
  expect(csv.name).toBe('blacklist.csv')
  expect(csv.bytes.toString()).toMatch(/^\ufeffMobile,Date\r\n9851555003,[\d-]+ [\d:]+\r\n$/)
  await chooseAction(user, '9851555003', 'Delete')
  await confirmWith(user, '98515 55003', 'Are you sure you want to delete this number from the blacklist?')
  await rowOf(user, '5003').waitFor({ state: 'detached' })
})

test('an uploaded file reports how many numbers were added, which were there, and which lines were refused and why', async () => {
  await goTo(user, '/bulk-voice-blacklist', 'Bulk Blacklist Upload')
  expectRefusals(415)
  const file = user.getByLabel('Numbers file')
  const upload = user.getByRole('button', { name: 'Upload File' })
  const pdf = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 \0') }
  await file.setInputFiles({ name: 'a.pdf', ...pdf })
  await see(user, 'A PDF is not a supported format. Choose an Excel, CSV or text file')
  expect(await file.inputValue(), 'the field is empty at once').toBe('')
  await file.setInputFiles({ name: 'a.csv', ...pdf })
  await upload.click()
  await closeError(user, 'application/pdf is not a supported format')
  expectRefusals()
  expect(await file.inputValue(), 'the field is empty again').toBe('')
  const buffer = Buffer.from('mobile\n9851556001\n9851556001\n9851556002\nhello\n')
  await file.setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer })
  expectRefusals(400)
  await upload.click()
  await user.getByText('The file has 1 row that cannot be called, of 4').waitFor()
  await user.getByRole('dialog').getByRole('button', { name: 'Upload with these columns' }).click()
  const result = user.getByRole('dialog', { name: 'The file was uploaded' })
  await result.waitFor()
  const figures = await result.locator('dd').allInnerTexts()
  expect(figures).toEqual(['4', '2', '1', '1'])
  await result.getByText('Line 5, “hello”: the number has letters').waitFor()
  await result.getByRole('button', { name: 'Close' }).click()
  await rowOf(user, '6002').waitFor()
  expectRefusals()
})

test('a file with numbers in several columns says how many came from each, and which were not added', async () => {
  await goTo(user, '/bulk-voice-blacklist', 'Bulk Blacklist Upload')
  const lines = [
    'Name,Mobile,Phone 2,Landline',
    'Sita,9851557001 ::: 9851557002,9851557003,01-5970001',
    'Ram,9851557004,,',
  ]
  const file = { name: 'columns.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
  await user.getByLabel('Numbers file').setInputFiles(file)
  await user.getByRole('button', { name: 'Upload File' }).click()
  const result = user.getByRole('dialog', { name: 'The file was uploaded' })
  await result.getByText('1 row has a second number in “Landline”: it was not added.').waitFor()
  const figures = await result.locator('dt').allInnerTexts()
  expect(figures.slice(1, 4)).toEqual(['Numbers found', 'of these in “mobile”', 'of these in “Phone 2”'])
  expect(await result.locator('dd').allInnerTexts()).toEqual(['2', '4', '3', '1', '4', '0', '0'])
  await result.getByRole('button', { name: 'Close' }).click()
})
