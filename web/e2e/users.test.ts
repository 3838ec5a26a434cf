// @module-tag exhaustive
// Cheaper: server/src/modules/users/children.test.ts and register.test.ts beside it have who changes whom, web/src/screens/users/user-form.test.tsx the form.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
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
let reseller: Page
beforeAll(async () => {
  reseller = await openBrowser({ as: 'reseller' })
})

const rowOf = (page: Page, username: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `Take Action: ${username}`, exact: true }) })

test('a reseller finds the users below, with the reseller’s own credits above; users.csv holds what was searched for', async () => {
  await goTo(reseller, '/user-list', 'Users')
  await see(reseller, /^Your credits: Rs [\d,]+\.\d\d$/)
  await reseller.getByRole('searchbox').fill('pokhara')
  await rowOf(reseller, 'user').waitFor({ state: 'detached' })
  await rowOf(reseller, 'user2').getByText('Pokhara Motors').waitFor()
  await openListMenu(reseller)
  const csv = await downloadedBy(reseller, () => reseller.getByRole('link', { name: 'Export to CSV' }).click())
  expect([csv.name, csv.bytes.toString().trim().split('\n').length]).toEqual(['users.csv', 2])
})

test('the super admin recharges and edits an account below a reseller after a question that names the reseller, who is told', async () => {
  const admin = await openBrowser({ as: 'superadmin' })
  const agency = await openBrowser({ as: 'agency' })
  const asked = async (action: string) => {
    const question = admin.getByRole('dialog', { name: `${action}: client?`, exact: true })
    await question.getByText('client belongs to agency, which will be notified. Continue?').waitFor()
    return question
  }
  await goTo(admin, '/user-list?search=client', 'Users')
  await chooseAction(admin, 'client', 'Add Recharge')
  const question = await asked('Add Recharge')
  await expectAccessible(admin, 'the question before an account below a reseller is recharged')
  await question.getByRole('button', { name: 'Add Recharge' }).click()
  const recharge = admin.getByRole('dialog', { name: 'Add Recharge: client' })
  await recharge.getByLabel(/^Recharge amount/).fill('12.50')
  await recharge.getByRole('button', { name: 'Add Recharge' }).click()
  await recharge.waitFor({ state: 'detached' })
  await chooseAction(admin, 'client', 'Change Channels')
  await (await asked('Change Channels')).getByRole('button', { name: 'Change Channels' }).click()
  const channels = admin.getByRole('dialog', { name: 'Channels of client' })
  await channels.getByText(/Free: \d+ of agency’s \d+\.$/).waitFor()
  await channels.getByRole('button', { name: 'Cancel' }).click()
  await chooseAction(admin, 'client', 'Edit User')
  await admin.getByRole('heading', { level: 1, name: 'Update User client' }).waitFor()
  await see(admin, 'client belongs to agency, which will be notified. Continue?')
  await expectAccessible(admin, 'the question before an account below a reseller is edited')
  await admin.getByRole('button', { name: 'YES' }).click()
  await admin.getByLabel(/^Company/).waitFor()
  await goTo(agency, '/notices', 'Notices')
  await see(agency, 'The platform changed client')
  await see(agency, 'Rs 12.50 were added')
  await agency.close()
})

test('setting fewer days for a user’s recordings asks first', async () => {
  await goTo(reseller, '/user-list?search=user2', 'Users')
  await chooseAction(reseller, 'user2', 'Edit User')
  const days = reseller.getByLabel('Days that recordings are kept')
  await expect.poll(() => days.inputValue()).toBe('90')
  const submit = reseller.getByRole('button', { name: 'Update User' })
  await days.fill('30')
  await submit.click()
  await reseller.getByRole('dialog', { name: 'Update User: user2?' }).waitFor()
  await expectAccessible(reseller, 'the question before a user keeps recordings for fewer days')
  await confirmWith(
    reseller,
    'Update User: user2?',
    'Delete all recordings of user2 that are older than 30 days? They are deleted within the hour and cannot be restored.',
  )
  await reseller.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  await goTo(reseller, '/user-list?search=user2', 'Users')
  await chooseAction(reseller, 'user2', 'Edit User')
  await expect.poll(() => days.inputValue()).toBe('30')
})

test('Reset Password checks what is typed; Disable wants a reason, which the row shows; Enable lifts it', async () => {
  await goTo(reseller, '/user-list?search=agency', 'Users')
  await chooseAction(reseller, 'agency', 'Reset Password')
  const dialog = reseller.getByRole('dialog', { name: 'Reset the password of agency' })
  await dialog.getByLabel(/^Password/).fill('short')
  await dialog.getByLabel(/^Confirm/).fill('other')
  await dialog.getByRole('button', { name: 'Reset Password' }).click()
  await dialog.getByText('Password cannot be less than 8 characters').waitFor()
  await dialog.getByText("Password & Confim Password don't match").waitFor()
  for (const field of [/^Password/, /^Confirm/]) await dialog.getByLabel(field).fill('marigold tunnel 58')
  await dialog.getByRole('button', { name: 'Reset Password' }).click()
  await seeDone(reseller, 'Password Reset Successfully')

  await goTo(reseller, '/user-list?search=user2', 'Users')
  await chooseAction(reseller, 'user2', 'Disable')
  await confirmWith(reseller, 'user2', 'Are you sure you want to disable this user?', 'Unpaid')
  await rowOf(reseller, 'user2').getByText('Disabled: Unpaid').waitFor()
  await chooseAction(reseller, 'user2', 'Enable')
  await confirmWith(reseller, 'user2', 'Are you sure you want to enable this user?', 'Paid')
  await rowOf(reseller, 'user2').getByText('Disabled: Unpaid').waitFor({ state: 'detached' })
})

test('disabling a reseller says what stops too, and the list shows which accounts did; enabling says what continues', async () => {
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/user-list', 'Users')
  const stopped = rowOf(admin, 'client').getByText('Disabled by an account above: agency')
  await chooseAction(admin, 'agency', 'Disable')
  const disabling = admin.getByRole('dialog', { name: 'agency' })
  await disabling.getByText(/^It and 1 account below it are signed out at once\. (No|\d+) campaigns? /).waitFor()
  await expectAccessible(admin, 'the question before an account is disabled')
  await confirmWith(admin, 'agency', 'Are you sure you want to disable this user?', 'Unpaid')
  await stopped.waitFor()
  await rowOf(admin, 'agency').getByText('Disabled: Unpaid').waitFor()
  await chooseAction(admin, 'agency', 'Enable')
  const enabling = admin.getByRole('dialog', { name: 'agency' })
  await enabling.getByText(/^It and 1 account below it may sign in again\. (No|\d+) campaigns? /).waitFor()
  await confirmWith(admin, 'agency', 'Are you sure you want to enable this user?', 'Paid')
  await stopped.waitFor({ state: 'detached' })
})

test('super admins see each other; nobody disables their own account', async () => {
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/super-admins', 'Super Admins')
  await rowOf(admin, 'superadmin').getByText('You').waitFor()
  await rowOf(admin, 'superadmin').getByRole('button', { name: 'Take Action: superadmin' }).click()
  const entry = admin.getByRole('menuitem', { name: /^Disable/ })
  expect(await entry.getAttribute('aria-disabled')).toBe('true')
  await see(admin, 'Another super admin must do this')
})

test('channels are changed in the list, within what is free above and what the accounts below hold', async () => {
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/user-list?search=reseller', 'Users')
  await chooseAction(admin, 'reseller', 'Change Channels')
  const ofReseller = admin.getByRole('dialog', { name: 'Channels of reseller' })
  await ofReseller.getByText(/^Now: 100\. Held by the accounts below it: \d+\.$/).waitFor()
  await ofReseller.getByLabel('Channels', { exact: false }).fill('1')
  await ofReseller.getByText(/^The accounts below it hold \d+: it needs at least as many\.$/).waitFor()
  expectRefusals(400)
  await ofReseller.getByRole('button', { name: 'Change Channels' }).click()
  await ofReseller.getByText(/^Channels are fewer than the \d+ that the accounts below have$/).waitFor()
  expectRefusals()

  await goTo(reseller, '/user-list?search=user2', 'Users')
  await chooseAction(reseller, 'user2', 'Change Channels')
  const dialog = reseller.getByRole('dialog', { name: 'Channels of user2' })
  await dialog.getByText(/^Now: 30\. Free: \d+ of your 100\.$/).waitFor()
  await expectAccessible(reseller, 'the dialog of channels')
  const field = dialog.getByLabel('Channels', { exact: false })
  const before = await field.inputValue()
  await field.fill('999')
  const most = await dialog.getByText(/^The most that you can give is \d+\.$/).innerText()
  expectRefusals(400)
  await dialog.getByRole('button', { name: 'Change Channels' }).click()
  await dialog.getByText('Channel Limit Exceeded').waitFor()
  await dialog.getByText(/^Channels are more than the \d+ that are free$/).waitFor()
  expectRefusals()
  const free = /\d+/.exec(most)?.[0]
  await dialog.getByRole('button', { name: `Give ${free}` }).click()
  expect(await field.inputValue()).toBe(free)
  await field.fill('12')
  await dialog.getByRole('button', { name: 'Change Channels' }).click()
  const cell = (channels: string) => rowOf(reseller, 'user2').getByRole('cell', { name: channels, exact: true })
  await cell('12').waitFor()
  await reseller.getByRole('status').getByText('user2 now has 12 channels.').waitFor()
  await reseller.getByRole('button', { name: 'Undo' }).click()
  await cell(before).waitFor()
  await seeDone(reseller, 'Undone.')
})

/** Notes what stands on the page of the form once the user has been created. */
function noteWhatFormSays(): void {
  new MutationObserver(() => {
    if (document.querySelector('h1')?.textContent !== 'Create User') return
    const [said] = /User Created Successfully|None of your channels is free/.exec(document.body.innerText) ?? []
    if (said !== undefined) document.documentElement.dataset['said'] = said
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}

test('a reseller creates a user, who is in the list with the plan; Update User wants an expiry date and shows refusals at their fields', async () => {
  await goTo(reseller, '/user-list', 'Users')
  await reseller.getByRole('main').getByRole('link', { name: 'Create User' }).click()
  await reseller.getByRole('heading', { level: 1, name: 'Create User' }).waitFor()
  const fill = async (fields: Record<string, string>) => {
    for (const [label, text] of Object.entries(fields)) await reseller.getByLabel(new RegExp(`^${label}`)).fill(text)
  }
  await fill({
    Username: 'user2',
    Password: 'marigold tunnel 58',
    'Confirm Password': 'another one',
    Name: 'Maya Lama',
  })
  await fill({
    Company: 'Lama Tea',
    'E-mail': 'maya@example.com',
    Number: '9841000009',
    Address: 'Ilam',
    Pincode: '57300',
  })
  await chooseOption(reseller, 'Voice plan', /^Minute/)
  expect(await reseller.getByLabel(/^Channels/).inputValue()).toBe('30')
  await see(reseller, /^Free: \d+ of your 100\.$/)
  await fill({ Channels: '7' })
  await reseller.getByRole('button', { name: 'Create User' }).click()
  await see(reseller, "Password & Confim Password don't match")
  await fill({ 'Confirm Password': 'marigold tunnel 58' })
  expectRefusals(409)
  await reseller.getByRole('button', { name: 'Create User' }).click()
  await closeError(reseller, "'user2' is taken")
  expectRefusals()
  await fill({ Username: 'maya' })
  await reseller.route('**/api/obd/user/channels/*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), free: 0 } })
  })
  await reseller.evaluate(noteWhatFormSays)
  await reseller.getByRole('button', { name: 'Create User' }).click()
  await reseller.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  const said = await reseller.evaluate(() => document.documentElement.dataset['said'])
  expect(said, 'the form says nothing after the user was created').toBeUndefined()
  await reseller.unroute('**/api/obd/user/channels/*')
  await seeDone(reseller, 'User Created Successfully')
  await chooseAction(reseller, 'maya', 'Edit User')
  await reseller.getByRole('heading', { level: 1, name: 'Update User maya' }).waitFor()
  await see(reseller, /^Now: 7\. Free: \d+ of your 100\.$/)
  await fill({ Channels: '99' })
  await reseller.getByLabel('Never expires').uncheck()
  await reseller.getByRole('button', { name: 'Update User' }).click()
  await see(reseller, 'Please Select Expiry Date')
  await fill({ 'Expiry date': '2099-12-31' })
  expectRefusals(400)
  await reseller.getByRole('button', { name: 'Update User' }).click()
  await closeError(reseller, 'Channel Limit Exceeded')
  expectRefusals()
  await fill({ Channels: '5' })
  await reseller.getByRole('button', { name: 'Update User' }).click()
  await seeDone(reseller, 'updated')
  await rowOf(reseller, 'maya').getByText('2099-12-31').waitFor()
  await chooseAction(reseller, 'maya', 'Edit User')
  await reseller.getByLabel('Never expires').check()
  await reseller.getByRole('button', { name: 'Update User' }).click()
  await seeDone(reseller, 'updated')
  await rowOf(reseller, 'maya').getByText('Never').waitFor()
  await chooseAction(reseller, 'maya', 'Delete User')
  await confirmWith(reseller, 'maya', 'Are you sure you want to delete this user?')
  await rowOf(reseller, 'maya').waitFor({ state: 'detached' })
})

test('the super admin reads what a reseller’s users are, and deletes nobody who has users, saying who they are', async () => {
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/user-list', 'Users')
  await admin.getByRole('button', { name: 'Take Action: user2' }).click()
  await admin.getByRole('menuitem', { name: 'Delete User' }).getByText('Belongs to reseller').waitFor()
  await admin.keyboard.press('Escape')
  expectRefusals(409)
  await chooseAction(admin, 'reseller', 'Delete User')
  const dialog = admin.getByRole('dialog', { name: 'reseller' })
  await dialog.getByText('Are you sure you want to delete this user?').waitFor()
  await dialog.getByRole('button', { name: 'Delete User' }).click()
  await dialog.getByText('Error in Deleting User, please try again').waitFor()
  await dialog.getByText(/^reseller has the accounts 'user', 'user2'.*: delete them first$/).waitFor()
  expectRefusals()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
})

test('no word of usual length is broken in two at 1280 pixels', async () => {
  const admin = await openBrowser({ as: 'superadmin' })
  await goTo(admin, '/user-list', 'Users')
  for (const word of ['Reseller', 'superadmin']) {
    const cell = rowOf(admin, 'reseller').getByText(word, { exact: true }).filter({ visible: true })
    const lines = await cell.evaluate((element) => {
      const text = document.createRange()
      text.selectNodeContents(element)
      return new Set([...text.getClientRects()].map(({ top }) => top)).size
    })
    expect([word, lines]).toEqual([word, 1])
  }
})

test('on a phone the list is cards that fit', async () => {
  await reseller.setViewportSize(phone)
  await goTo(reseller, '/user-list', 'Users')
  expect(await reseller.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
})
