// @module-tag exhaustive
// Cheaper: web/e2e/campaigns.test.ts checks a file, server/src/modules/contacts/checked.test.ts and added.test.ts have what is taken of one.
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import type { Page } from 'playwright-core'
import { beforeEach, beforeAll, expect, test } from 'vitest'
import { workbook } from '../../server/src/testing/files/workbook.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { fillIn, rowOf, send } from './campaign.ts'
import { pickFile } from './jobs.ts'
import {
  address,
  chooseAction,
  chooseOption,
  confirmWith,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  see,
  useBrowser,
} from './console.ts'

/** The server reads such files in messy.test.ts, and check-file.test.tsx has the check on screen. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
let page: Page
let api: Caller
beforeAll(async () => {
  page = await openBrowser({ as: 'user2' })
  api = await signInOver(address, 'user2', password)
})

const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
async function excelOf(...sheets: Parameters<typeof workbook>[0]) {
  return { name: 'Savings club.xlsx', mimeType, buffer: await workbook(sheets) }
}
const members = {
  name: 'सदस्य',
  rows: [
    ['Who', 'Where to call', 'Due'],
    ['Sita', 9841006101, 500],
    ['Ram', '+977-9841006102', 750],
    ['Gita', 1414, 900],
  ],
}
const notes = { name: 'Notes', rows: [['Ask Hari']] }

/** One account sends the files of all these tests within a minute: where it has sent too many, the console waits and tries again by itself. */
beforeEach(() => expectRefusals(429))

test('an Excel file with two sheets and odd headings is called after choosing both by keyboard', async () => {
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  await page.getByText('Upload file', { exact: true }).click()
  await page.getByLabel('Contact file').setInputFiles(await excelOf(members, notes))
  expectRefusals(400, 429)
  await page.getByRole('button', { name: 'Upload and check' }).click()
  const choice = page.getByRole('dialog', { name: 'Which sheet?' })
  await choice.getByLabel('Sheet').selectOption('Notes')
  await choice.getByRole('cell', { name: 'Ask Hari' }).waitFor()
  await choice.getByLabel('Sheet').selectOption('सदस्य')
  await choice.getByRole('cell', { name: '+977-9841006102' }).waitFor()
  const number = choice.getByRole('radio', { name: 'Column B is the number' })
  expect(await number.isChecked()).toBe(true)
  await number.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await choice.getByRole('radio', { name: 'Column A is the number' }).isChecked()).toBe(true)
  await page.keyboard.press('ArrowRight')
  await choice.getByLabel('Name of column A').fill('client_name')
  await choice.getByText('2 good').waitFor()
  await choice.getByText('1 not').waitFor()
  // The sheet may be closed and opened again: what was said of the file stays.
  await page.keyboard.press('Escape')
  await choice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Look at the file' }).click()
  expect(await choice.getByLabel('Name of column A').inputValue()).toBe('client_name')
  await expectAccessible(page, 'the choice of columns')
  await page.setViewportSize({ width: 375, height: 720 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.setViewportSize({ width: 1280, height: 800 })
  await choice.getByRole('button', { name: 'Upload with these columns' }).focus()
  await page.keyboard.press('Enter')
  await see(page, /^Savings club is uploaded/)
  expectRefusals(429)
  const [file] = await api.ask(contactRoutes.bases, { userId: api.userId })
  expect(file).toMatchObject({
    baseName: 'Savings club',
    rows: 3,
    dialable: 2,
    columns: ['mobile', 'client_name', 'Due'],
  })
})

test('a contact file has a page with its first rows, its campaigns, what was refused, and the file itself', async () => {
  await fillIn(page, { name: 'Club dues', template: 'Simple IVR', contacts: { stored: 'Savings club' } })
  await send(page)
  await goTo(page, '/contact-files', 'Contact Files')
  await page.getByRole('link', { name: 'Savings club' }).click()
  await page.getByRole('heading', { level: 1, name: 'Savings club' }).waitFor()
  await see(page, 'mobile, client_name, Due')
  await page.getByRole('cell', { name: 'Sita' }).waitFor()
  await page.getByRole('link', { name: 'Club dues' }).waitFor()
  const stored = await downloadedBy(page, () => page.getByRole('link', { name: 'Download', exact: true }).click())
  expect(stored.bytes.toString()).toContain('+977-9841006102,Ram,750')
  const refused = await downloadedBy(page, () =>
    page.getByRole('link', { name: 'Download the refused rows with their reasons' }).click(),
  )
  expect(refused.bytes.toString()).toContain('1414')
  await expectAccessible(page, 'a contact file')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Savings club, 2083')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { level: 1, name: 'Savings club, 2083' }).waitFor()
})

test('what was refused of a file is one click away in the list; the page of a file that nobody needs deletes it', async () => {
  const baseFile = new File(['9841006103\nwrong\n'], 'Lottery.csv')
  const { baseId } = await api.ask(contactRoutes.baseUpload, { baseName: 'Lottery winners', baseFile })
  await goTo(page, '/contact-files', 'Contact Files')
  const refused = await downloadedBy(page, () => chooseAction(page, 'Lottery winners', 'What was refused'))
  expect(refused.bytes.toString()).toContain('wrong')
  await goTo(page, `/contact-files/${baseId}`, 'Lottery winners')
  await page.getByRole('button', { name: 'Delete' }).click()
  await confirmWith(page, 'Lottery winners', 'Do you want to delete this contact file?')
  await page.getByRole('heading', { level: 1, name: 'Contact Files' }).waitFor()
  await rowOf(page, 'Lottery winners').waitFor({ state: 'detached' })
})

test('rows that are hidden in a sheet are asked about, and taken only if somebody says so', async () => {
  const rows =
    '<row r="1"><c><v>9841006120</v></c></row><row r="2" hidden="1"><c><v>9841006121</v></c></row><row r="3"><c><v>9841006122</v></c></row>'
  for (const [way, called] of [
    ['Leave them out', 2],
    ['Take them too', 3],
  ] as const) {
    await goTo(page, '/contact-files', 'Contact Files')
    const opener = page.getByRole('button', { name: 'Upload Contacts' })
    await pickFile(page, opener, await excelOf({ name: 'Dues', rows }))
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Filtered ${called}`)
    await page.getByRole('radiogroup', { name: '1 row is hidden in the sheet' }).getByText(way).click()
    await page.getByText(`${called} good`).waitFor()
    await page.getByRole('button', { name: 'Save contact file' }).click()
    await page.getByRole('heading', { level: 1, name: `Filtered ${called}` }).waitFor()
    expectRefusals(429)
    const [file] = await api.ask(contactRoutes.bases, { userId: api.userId })
    expect(file).toMatchObject({ baseName: `Filtered ${called}`, rows: called, dialable: called })
  }
})

test('numbers are added to a contact file, and what was refused of them is one click away', async () => {
  const baseFile = new File(['mobile,name\n9841006110,Sita\n'], 'Growing.csv')
  const { baseId } = await api.ask(contactRoutes.baseUpload, { baseName: 'Growing club', baseFile })
  await goTo(page, `/contact-files/${baseId}`, 'Growing club')
  await page.getByRole('link', { name: 'Add Rows' }).click()
  await page.getByRole('heading', { level: 1, name: 'Add rows to Growing club' }).waitFor()
  await page.getByLabel('List of numbers').fill('9841006111\n9841006112\nnonsense')
  await page.goBack()
  await page.getByRole('link', { name: 'Add Rows' }).click()
  expect(await page.getByLabel('List of numbers').inputValue()).toContain('nonsense')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('2 rows were added to Growing club. It now has 3 rows.').waitFor()
  const refused = await downloadedBy(page, () =>
    page.getByRole('button', { name: 'Download what was refused' }).click(),
  )
  expect(refused.bytes.toString()).toContain('"nonsense","the number has letters"')
  await expectAccessible(page, 'the result of added rows')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('cell', { name: '98410 06112' }).waitFor()
  await page.getByRole('link', { name: 'Add Rows' }).click()
  await page.getByText('Upload file', { exact: true }).click()
  await page.getByLabel('Contact file').setInputFiles(await excelOf(members))
  await page.getByRole('textbox', { name: 'Number in row 4' }).fill('9841006113')
  await page.getByText('3 good').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('3 rows were added to Growing club. It now has 6 rows.').waitFor()
})

const messy = [
  'S.N.,Member and ward,Contact Name,Whom to reach (primary),Whom else,Premium Amount,Due Date',
  '1,"Sita Sharma, Pokhara-8",Sita,9841006201,9841006211,500,2026-12-01',
  '2,"Ram Thapa, Baglung",Ram,9841006202,9841006212,600,2026-12-02',
  '3,Gita Rai,Gita,9841006203,9841006213,700,2026-12-03',
].join('\n')

test('a messy file is a checked one after two clicks, and no column is a wrong one', exhaustive, async () => {
  await goTo(page, '/contact-files', 'Contact Files')
  const file = { name: 'Ward eight.csv', mimeType: 'text/csv', buffer: Buffer.from(messy) }
  await pickFile(page, page.getByRole('button', { name: 'Upload Contacts' }).first(), file)
  await page.getByRole('heading', { level: 1, name: 'Upload Contacts' }).waitFor()
  await page.getByText('3 good').waitFor()
  expect(await page.getByRole('radio', { name: 'Column D is the number' }).isChecked()).toBe(true)
  await page.getByText(/^Several columns have numbers: .*Whom to reach/).waitFor()
  await expectAccessible(page, 'the check of a file')
  await page.getByRole('button', { name: 'Save contact file' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ward eight' }).waitFor()
  await page.getByRole('cell', { name: '98410 06201' }).waitFor()
})

test('numbers are typed anew where they are wrong, and leaving the page loses nothing', async () => {
  // An account looks at so many files a minute: another one does not wait until the minute is over.
  const page = await openBrowser({ as: 'client' })
  const api = await signInOver(address, 'client', password)
  const lines = ['नाम,मोबाइल नं.', 'सीता,9841006401', 'राम,98410', 'गीता,984I006403', 'हरि,9841006404']
  await goTo(page, '/contact-files', 'Contact Files')
  const file = { name: 'Mothers.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
  await pickFile(page, page.getByRole('button', { name: 'Upload Contacts' }).first(), file)
  await page.getByRole('combobox', { name: 'Column with the numbers' }).waitFor()
  const counts = page.getByRole('status').filter({ hasText: 'good' })
  await expect.poll(() => counts.innerText()).toMatch(/2 good\s*2 not/)
  const third = page.getByRole('textbox', { name: 'Number in row 3' })
  await third.fill('9841006')
  await page.getByText('cannot be called like this').waitFor()
  await third.fill('9841006402')
  await page.getByText('will be called').waitFor()
  await expect.poll(() => counts.innerText()).toMatch(/3 good\s*1 not/)
  await page.goBack()
  await page.getByRole('link', { name: 'Go on with Mothers.csv' }).click()
  expect(await third.inputValue()).toBe('9841006402')
  await page.setViewportSize({ width: 375, height: 720 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mothers of ward 8')
  await page.getByRole('button', { name: 'Save contact file' }).click()
  await page.getByRole('heading', { level: 1, name: 'Mothers of ward 8' }).waitFor()
  await page.getByRole('cell', { name: '98410 06402' }).waitFor()
  const [stored] = await api.ask(contactRoutes.bases, { userId: api.userId })
  expect(stored).toMatchObject({ baseName: 'Mothers of ward 8', rows: 4, dialable: 3 })
  await goTo(page, '/contact-files', 'Contact Files')
  expect(await page.getByRole('link', { name: /^Go on with/ }).count()).toBe(0)
})

test('the columns that a template speaks are chosen where the file is checked', async () => {
  const baseFile = new File(
    ['Mobile No,Policy Holder,Premium Amount,Due Date\n9841006301,Sita,500,2026-12-01\n'],
    'P.csv',
  )
  await api.ask(contactRoutes.baseUpload, { baseName: 'Premiums', baseFile })
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  await page.getByRole('group', { name: 'Template' }).getByText('Premium Reminder', { exact: true }).click()
  await page.getByText('Stored file', { exact: true }).click()
  await chooseOption(page, 'Stored contact file', /^Premiums /)
  expectRefusals(400, 429)
  const choice = page.getByRole('region', { name: 'Which columns does the template speak?' })
  await choice.getByRole('combobox', { name: 'Column for amount' }).waitFor()
  expect(await choice.getByRole('combobox', { name: 'Column for amount' }).inputValue()).toBe('Premium Amount')
  expect(await choice.getByRole('combobox', { name: 'Column for date' }).inputValue()).toBe('Due Date')
  await expectAccessible(page, 'the choice of a template’s columns')
  await choice.getByRole('button', { name: 'Use these columns' }).click()
  await page.getByRole('cell', { name: '98410 06301' }).waitFor()
  await choice.waitFor({ state: 'detached' })
  expectRefusals(429)
})
