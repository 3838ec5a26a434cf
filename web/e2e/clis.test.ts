// @module-tag exhaustive
// Cheaper: server/src/modules/lines/clis.test.ts and holders.test.ts beside it have the rules, web/e2e/screens.test.ts the screens.
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import {
  chooseAction,
  chooseOption,
  closeError,
  confirmWith,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  openListMenu,
  phone,
  see,
  useBrowser,
  seeDone,
} from './console.ts'

useBrowser()
let admin: Page
let reseller: Page
beforeAll(async () => {
  admin = await openBrowser({ as: 'superadmin' })
  reseller = await openBrowser({ as: 'reseller' })
})
const rowOf = (page: Page, cli: string) => page.getByRole('row').filter({ hasText: cli })
const shows = (page: Page, cli: string, column: string, text: string | RegExp) =>
  expect.poll(() => rowOf(page, cli).locator(`td[data-label="${column}"]`).innerText()).toMatch(text)

async function closeSuccess(page: Page, text: string, heading: string): Promise<void> {
  await seeDone(page, text)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

test('a CLI is added to a trunk; each field says what is missing or wrong', async () => {
  await goTo(admin, '/add-cli', 'Add CLI')
  await admin.getByRole('button', { name: 'Add CLI' }).click()
  for (const field of ['CLI', 'Trunk']) await see(admin, `${field} is required`)
  await admin.getByRole('textbox', { name: 'CLI' }).fill('12')
  await chooseOption(admin, 'Trunk', /^Simulated trunk/)
  expectRefusals(400)
  await admin.getByRole('button', { name: 'Add CLI' }).click()
  await closeError(admin, 'Parameters Incorrect')
  await see(admin, 'CLI is too short')
  await admin.getByRole('textbox', { name: 'CLI' }).fill('061-530001')
  await admin.getByRole('button', { name: 'Add CLI' }).click()
  await closeSuccess(admin, 'The CLI was added.', 'CLI List')
  await shows(admin, '061-530001', 'Status', 'Active')
  await shows(admin, '061-530001', 'Allocated To', 'Nobody')
})

test('a file of CLIs says what became of each line, then the list', async () => {
  await goTo(admin, '/upload-cli', 'Upload CLI File')
  const file = (name: string, mimeType: string, text: string) =>
    admin.getByRole('button', { name: 'CLI file' }).setInputFiles({ name, mimeType, buffer: Buffer.from(text) })
  await file('clis.pdf', 'application/pdf', '%PDF-')
  await see(admin, 'A PDF is not a supported format. Choose a CSV or text file')
  await file('clis.csv', 'text/csv', '061530011,5,Simulated trunk\n061530012\nabc\n061530001\n')
  await admin.getByRole('button', { name: 'Upload File' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Success' })
  await dialog.getByText('Added 2, duplicate 1, invalid 1.').waitFor()
  await dialog.getByText('the number is already there').waitFor()
  const { bytes } = await downloadedBy(admin, () =>
    dialog.getByRole('button', { name: 'Download these lines' }).click(),
  )
  expect(bytes.toString()).toContain('"3","abc","the number has letters"')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await shows(admin, '061-530012', 'Status', 'Inactive')
})

test('the super admin allocates rows at once; the reseller passes on, and each sees their part', async () => {
  await chooseAction(admin, '061530001', 'Allocate CLI')
  await admin.getByRole('heading', { level: 1, name: 'Allocate CLI' }).waitFor()
  await admin.getByRole('button', { name: 'Allocate CLI' }).click()
  await see(admin, 'Please add CLI Row')
  const picker = admin.getByRole('combobox', { name: 'User' })
  await Promise.all([admin.waitForRequest(/takers\?.*search=esell/), picker.fill('esell')])
  await admin.getByRole('option', { name: 'reseller' }).click()
  expect(await picker.inputValue()).toBe('reseller')
  await admin.getByRole('button', { name: 'Add Row' }).click()
  await admin.getByRole('button', { name: 'Add Row' }).click()
  await see(admin, 'Please select CLI')
  await chooseOption(admin, 'CLI', '061-530011')
  await admin.getByRole('button', { name: 'Add Row' }).click()
  await admin.getByRole('button', { name: 'Allocate CLI' }).click()
  await closeSuccess(admin, 'The CLIs were allocated.', 'CLI List')
  await shows(admin, '061-530001', 'Allocated To', 'reseller')

  await goTo(reseller, '/cli-list', 'CLI List')
  expect(await reseller.getByRole('columnheader').allInnerTexts()).toEqual(['CLI', 'Action'])
  await openListMenu(reseller)
  await reseller.getByRole('group', { name: 'Columns' }).getByLabel('Allocated To').check()
  await reseller.keyboard.press('Escape')
  await chooseAction(reseller, '061530001', 'Allocate CLI')
  // The filled row counts without 'Add Row'.
  await chooseOption(reseller, 'User', 'user2')
  await reseller.getByRole('button', { name: 'Allocate CLI' }).click()
  await closeSuccess(reseller, 'The CLIs were allocated.', 'CLI List')
  await shows(reseller, '061-530001', 'Allocated To', 'user2')
  const user2 = await openBrowser({ as: 'user2' })
  await goTo(user2, '/cli-list', 'CLI List')
  await rowOf(user2, '061-530001').waitFor()
})

test('several allocations are taken back at once, what somebody else gave stays', async () => {
  await goTo(admin, '/allocate-cli', 'Allocate CLI')
  await admin.getByRole('combobox', { name: 'User' }).fill('reseller')
  await admin.getByRole('option', { name: 'reseller', exact: true }).click()
  await admin.getByRole('button', { name: 'Add Row' }).click()
  await chooseOption(admin, 'CLI', '061-530012')
  await admin.getByRole('button', { name: 'Add Row' }).click()
  await admin.getByRole('button', { name: 'Allocate CLI' }).click()
  await closeSuccess(admin, 'The CLIs were allocated.', 'CLI List')

  await goTo(admin, '/allocated-cli-list?search=06153001', 'Allocated CLIs')
  for (const cli of ['061-530011', '061-530012'])
    await admin.getByRole('checkbox', { name: `Choose ${cli}, reseller` }).check()
  const bar = admin.getByRole('toolbar', { name: 'What to do with the chosen ones' })
  await bar.getByRole('button', { name: 'Remove CLI' }).click()
  const question = admin.getByRole('dialog', { name: 'Remove CLI: 2 chosen?' })
  await question.getByText('Are you sure you want to remove these 2 CLIs?').waitFor()
  await expectAccessible(admin, 'the question before several allocations are taken back')
  await question.getByRole('button', { name: 'CANCEL' }).click()
  await rowOf(admin, '061-530011').waitFor()
  await bar.getByRole('button', { name: 'Remove CLI' }).click()
  await question.getByRole('button', { name: 'Remove CLI' }).click()
  await seeDone(admin, 'Removed: 2')
  await see(admin, 'Nothing matches “06153001”.')
  await shows(reseller, '061-530001', 'Allocated To', 'user2')
  await goTo(admin, '/cli-list', 'CLI List')
})

test('an allocated CLI is taken back; a CLI is moved; a trunk that has CLIs leads to them', async () => {
  await chooseAction(admin, '061530001', 'Who holds it')
  await admin.getByRole('heading', { level: 1, name: 'Allocated CLIs' }).waitFor()
  await chooseAction(admin, '061530001, reseller', 'Remove CLI')
  const question = /^Are you sure you want to remove this CLI from reseller\?/
  await admin.getByRole('dialog', { name: '061-530001' }).getByText(question).waitFor()
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove CLI' }).click()
  await see(admin, 'Nothing matches “061530001”.')
  await goTo(admin, '/cli-list?search=061530012', 'CLI List')
  await chooseAction(admin, '061530012', 'Move or change')
  await chooseOption(admin, 'Trunk', /^Simulated trunk/)
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await shows(admin, '061-530012', 'Status', 'Active')

  await goTo(admin, '/trunk-list', 'Trunks')
  expectRefusals(409)
  await chooseAction(admin, 'Simulated trunk', 'Delete')
  const dialog = admin.getByRole('dialog', { name: 'Simulated trunk' })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Show its CLIs' }).click()
  await admin.getByRole('heading', { level: 1, name: 'CLI List' }).waitFor()
  for (const cli of ['061530001', '061530011', '061530012']) {
    await chooseAction(admin, cli, 'Delete CLI')
    const title = `${cli.slice(0, 3)}-${cli.slice(3)}`
    await confirmWith(admin, title, 'Are you sure you want to delete this CLI? Nobody can call from it any more.')
    await rowOf(admin, title).waitFor({ state: 'detached' })
  }
})

test('on a phone the screens fit; users cannot open what is not theirs', async () => {
  await admin.setViewportSize(phone)
  for (const [path, heading] of [
    ['/cli-list', 'CLI List'],
    ['/allocated-cli-list', 'Allocated CLIs'],
    ['/add-cli', 'Add CLI'],
    ['/upload-cli', 'Upload CLI File'],
    ['/allocate-cli', 'Allocate CLI'],
  ] as const) {
    await goTo(admin, path, heading)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  }
  await goTo(reseller, '/add-cli', 'There is no such page')
})
