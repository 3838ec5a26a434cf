import { factorRoutes } from '@ghanti/contract/factors.ts'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../server/src/testing/factors.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import { newUser } from './accounts.ts'
import {
  address,
  chooseAction,
  confirmWith,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  phone,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

/** server/src/modules/factors/ has every rule: factors.test.ts, required.test.ts, lost.test.ts. The first two here have how one is added, and asked for. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()

const own = 'granite otter lantern 58'
let userId = 0
let secret = ''
let codes: string[] = []
beforeAll(async () => {
  const login = { username: 'bina', password: own, emailid: 'bina@example.com' }
  userId = await newUser({ name: 'Bina', number: '9841000079', ...login })
})

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('bina')
  await page.getByLabel('Password', { exact: true }).fill(own)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** That of the app, a step later than those before: each code works once. */
let step = 0
function nextCode(): string {
  step = Math.max(step + 1, Math.floor(Date.now() / 30_000))
  return codeAt(new Date(step * 30_000), secret)
}

test('an authenticator app is added in the profile, with recovery codes to copy, print or save', async () => {
  const page = await openBrowser({ as: 'bina', word: own })
  await goTo(page, '/user-profile', 'Profile')
  const security = page.getByRole('region', { name: 'Security' })
  await security.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  await expectAccessible(page, 'adding an authenticator app')
  secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  expectRefusals(400)
  await dialog.getByLabel('Code that the app shows').fill('12')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await see(page, /must be the 6 digits that are shown/)
  expectRefusals()
  const code = nextCode()
  await dialog.getByLabel('Code that the app shows').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await see(page, 'Your recovery codes')
  codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await expectAccessible(page, 'recovery codes')
  const file = await downloadedBy(page, () => page.getByRole('button', { name: 'Save as a file' }).click())
  expect(file.name).toBe('recovery-codes.txt')
  expect(file.bytes.toString()).toContain(codes.join('\n'))
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await see(page, /10 of 10 are unused/)
  await expectAccessible(page, 'security with a second factor')
})

test('the login then asks for a code, on a phone: a wrong one is refused in words, a right one opens the console', async () => {
  const page = await openBrowser({ viewport: phone })
  await page.goto('/')
  await logIn(page)
  await see(page, /Type the code that your authenticator app shows/)
  await expectAccessible(page, 'the second step')
  expectRefusals(400)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await see(page, 'Code is not the code of now: each works once, for 30 s')
  expectRefusals()
  await page.getByLabel('Code', { exact: true }).fill(nextCode())
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
  await goTo(page, '/user-profile', 'Profile')
  await see(page, /· Authenticator app/)
})

test(
  'who has no telephone at hand uses a recovery code; who has lost all asks the account above',
  exhaustive,
  async () => {
    const page = await openBrowser()
    await page.goto('/')
    await logIn(page)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0]?.toUpperCase() ?? '')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByRole('navigation').first().waitFor()
    const reseller = await openBrowser({ as: 'reseller' })
    await goTo(reseller, `/customers/${userId}`, 'Customer bina')
    await chooseAction(reseller, 'bina', 'Remove second factor')
    await confirmWith(
      reseller,
      'Remove second factor: bina?',
      'Remove it only if you are sure that it is the owner who has lost it: the password alone then opens the account.',
      'Lost the telephone',
    )
    await seeDone(reseller, 'The second factor was removed.')
    const another = await openBrowser()
    const reply = await another.context().request.post('/api/obd/login', { data: { username: 'bina', password: own } })
    expect(await reply.json()).toHaveProperty('token')
  },
)

test('a page whose session has ended asks for the code, too, and goes on where it was', exhaustive, async () => {
  const page = await openBrowser({ as: 'bina', word: own })
  await goTo(page, '/user-profile', 'Profile')
  const security = page.getByRole('region', { name: 'Security' })
  await security.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog')
  secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  step = 0
  expectRefusals(401) // the first factor ends the sessions of the pages of the tests before
  await dialog.getByLabel('Code that the app shows').fill(nextCode())
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  const reseller = await signInOver(address, 'reseller', password)
  await reseller.ask(userRoutes.resetPassword, { userId, password: own })
  await security.getByRole('button', { name: 'Make new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
  await see(page, 'You were signed out. Please log in again.')
  await page.getByLabel('Password', { exact: true }).fill(own)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByLabel('Code', { exact: true }).fill(nextCode())
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await see(page, 'Your recovery codes')
  expectRefusals()
})

test(
  'an account that must have a second factor adds one after the login, before anything else, on a phone in Nepali',
  exhaustive,
  async () => {
    expectRefusals(401) // pages of the tests before, whose sessions have ended
    const admin = await signInOver(address, 'superadmin', password)
    await admin.ask(factorRoutes.removeAll, { userId, reason: 'Lost' })
    const page = await openBrowser({ viewport: phone, colorScheme: 'dark' })
    await page.goto('/')
    await page.getByRole('button', { name: 'ने' }).click()
    const off = { superAdmins: 'off', resellers: 'off', users: 'off' }
    await admin.ask(settingRoutes.save, { secondFactor: { ...off, users: 'required' } })
    const reply = await page.context().request.post('/api/obd/login', { data: { username: 'bina', password: own } })
    await admin.ask(settingRoutes.save, { secondFactor: off })
    expect(reply.status()).toBe(200)
    await page.goto('/')
    await page.getByRole('heading', { name: 'दोस्रो प्रमाण थप्ने' }).waitFor()
    await expectAccessible(page, 'a second factor is needed')
    await page.getByRole('button', { name: 'प्रमाणीकरण एप थप्नुहोस्' }).click()
    secret = (await page.locator('code').innerText()).replaceAll(' ', '')
    step = 0
    await expectAccessible(page, 'the second factor that is needed')
    await page.getByLabel('एपले देखाएको कोड').fill(nextCode())
    await page.getByRole('button', { name: 'थप्नुहोस्' }).click()
    await page.getByRole('listitem').first().waitFor()
    await page.getByRole('button', { name: 'मैले राखेँ' }).click()
    await page.getByRole('navigation').first().waitFor()
  },
)

test(
  'super admins say in the settings who must have one, and are urged to begin with themselves',
  exhaustive,
  async () => {
    const page = await openBrowser({ as: 'superadmin' })
    await goTo(page, '/settings', 'Settings')
    await see(page, /One stolen password of a super admin opens everything/)
    await page.getByLabel('Users must have a second factor').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await seeDone(page, 'The settings were saved.')
    const admin = await signInOver(address, 'superadmin', password)
    expect((await admin.ask(settingRoutes.read)).secondFactor).toEqual({
      superAdmins: 'off',
      resellers: 'off',
      users: 'required',
    })
    await admin.ask(settingRoutes.save, { secondFactor: { superAdmins: 'off', resellers: 'off', users: 'off' } })
  },
)
