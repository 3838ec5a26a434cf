// @module-tag exhaustive
// Cheaper: server/src/modules/security/not-me.test.ts and server/src/modules/auth/auth.test.ts have the rules, sign-in.test.ts beside this what a page does when its session ends.
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { newUser } from './accounts.ts'
import {
  address,
  confirmWith,
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

useBrowser()

const first = 'sunlit-teapot-47-goat'
const second = 'granite otter lantern 58'
let userId = 0
beforeAll(async () => {
  const login = { username: 'hari', password: first, emailid: 'hari@example.com' }
  userId = await newUser({ name: 'Hari', number: '9841000078', ...login })
})

async function signIn(page: Page, secret: string): Promise<void> {
  const reply = await page.context().request.post('/api/obd/login', { data: { username: 'hari', password: secret } })
  expect(reply.status()).toBe(200)
}

test('the profile shows where the account is signed in; another sign-in is ended there, and asks to log in again', async () => {
  const [page, other] = [await openBrowser(), await openBrowser()]
  for (const one of [page, other]) await signIn(one, first)
  await goTo(other, '/user-profile', 'Profile')
  await goTo(page, '/user-profile', 'Profile')
  const signIns = page.getByRole('region', { name: 'Security' }).getByRole('listitem')
  await see(page, 'Open sign-ins')
  await expect.poll(() => signIns.count()).toBe(2)
  expect(await signIns.filter({ hasText: 'this one' }).count()).toBe(1)
  await expectAccessible(page, 'security')
  await signIns.getByRole('button', { name: /^End Chrome/ }).click()
  await confirmWith(page, 'End Chrome on Linux?', 'Whoever uses it has to log in again.')
  await seeDone(page, '1 sign-in has ended.')
  await expect.poll(() => signIns.count()).toBe(1)
  expectRefusals(401)
  await other.reload()
  await other.getByRole('button', { name: 'Login', exact: true }).waitFor()
  expectRefusals()
  await Promise.all([page.close(), other.close()]) // the tests below end what it shows
})

test('the owner changes the password on a phone: a wrong present one is refused at its field, others are signed out', async () => {
  const page = await openBrowser({ viewport: phone })
  const other = await openBrowser()
  for (const one of [page, other]) await signIn(one, first)
  await goTo(page, '/user-profile', 'Profile')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Present password').fill('not the password')
  await dialog.getByLabel(/^New password(?! again)/).fill(second)
  await dialog.getByLabel('New password again').fill(second)
  expectRefusals(400)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await see(page, /is not your present password/)
  await expectAccessible(page, 'a wrong present password')
  await dialog.getByLabel('Present password').fill(first)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await seeDone(page, 'Your password was changed. All other sign-ins have ended.')
  expectRefusals()
  expect((await other.context().request.get('/api/obd/session')).status()).toBe(401)
  expect((await page.context().request.get('/api/obd/session')).status()).toBe(200)
  await signIn(other, second)
  await page.close()
})

test('a password that the account above chose is changed before anything else, on a phone in Nepali', async () => {
  const admin = await signInOver(address, 'superadmin', password)
  const reseller = await signInOver(address, 'reseller', password)
  const page = await openBrowser({ viewport: phone })
  await page.goto('/')
  await page.getByRole('button', { name: 'ने' }).click()
  await reseller.ask(userRoutes.resetPassword, { userId, password: first })
  await admin.ask(settingRoutes.save, { firstPassword: true })
  await signIn(page, first)
  await admin.ask(settingRoutes.save, { firstPassword: false })
  await page.goto('/')
  await page.getByRole('heading', { name: 'आफ्नै पासवर्ड छान्ने' }).waitFor()
  await expectAccessible(page, 'the first password')
  await page.getByLabel('तपाईँलाई दिइएको पासवर्ड').fill(first)
  await page.getByLabel('नयाँ पासवर्ड', { exact: true }).fill(second)
  await page.getByLabel('नयाँ पासवर्ड फेरि लेख्नुहोस्').fill(second)
  await page.getByRole('button', { name: 'सेभ गरेर अघि बढ्नुहोस्' }).click()
  await page.getByRole('navigation').first().waitFor()
  await page.getByRole('heading', { name: 'आफ्नै पासवर्ड छान्ने' }).waitFor({ state: 'detached' })
  await page.close()
})

test('a sign-in from a new browser is mailed; the page of its link logs everybody out by a press, and a link for a new password comes', async () => {
  const mailOf = async (part: string) => {
    const page = await (await fetch(`${address}/api/mailbox`)).text()
    const mail = page.split('<article>').find((one) => one.includes('To hari@example.com') && one.includes(part))
    return mail?.match(/href="([^"]+)"/)?.[1] ?? ''
  }
  const linkOf = async (part: string) => {
    await expect.poll(() => mailOf(part), { interval: 500, timeout: 30_000 }).toContain(part)
    return new URL(await mailOf(part)).pathname
  }
  const token = (await linkOf('/verify-mail/')).split('/').at(-1)
  const owner = await openBrowser({ viewport: phone })
  const confirmed = await owner.context().request.post('/api/obd/mail/verify', { data: { token } })
  expect(confirmed.status()).toBe(200)
  const stranger = await openBrowser({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' })
  await signIn(stranger, second)
  await owner.goto(await linkOf('/not-me/'))
  await see(owner, 'It was not me')
  await expectAccessible(owner, 'the page of a link that ends all sessions')
  expect((await stranger.context().request.get('/api/obd/session')).status()).toBe(200)
  await owner.getByRole('button', { name: 'Log everybody out' }).click()
  await see(owner, /^Done\. Nobody is logged in/)
  expect((await stranger.context().request.get('/api/obd/session')).status()).toBe(401)
  expect(await linkOf('/update-pwd/')).toContain('/update-pwd/')
})
