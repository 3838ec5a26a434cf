// @module-tag exhaustive
// Cheaper: server/src/modules/factors/passkeys.test.ts and passkeys-adding.test.ts have every rule, factors.test.ts beside this the second step on the page.
import { brandRoutes } from '@ghanti/contract/brands.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import type { CDPSession, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { newUser } from './accounts.ts'
import {
  address,
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

const own = 'granite otter lantern 58'
const at = (host: string) => `http://${host}:${new URL(address).port}`
beforeAll(async () => {
  const login = { username: 'dipa', password: own, emailid: 'dipa@example.com' }
  await newUser({ name: 'Dipa', number: '9841000081', ...login })
  for (const name of ['asha', 'bela']) await resellerAt(name, `${name[0]}.localhost`)
})

/** A reseller whose domain is confirmed. */
async function resellerAt(name: string, domain: string): Promise<void> {
  const boss = await signInOver(address, 'superadmin', password)
  const person = { name, company: name, number: '9841000082', address: 'Pokhara', pincode: '33700' }
  const login = { username: name, password: own, emailid: `${name}@example.com` }
  const [plan] = await boss.ask(planRoutes.choices, { userId: boss.userId })
  const kind = { accountType: 0, userType: 'reseller', channels: 1, planId: plan?.planId ?? 0 }
  await boss.ask(userRoutes.register, { ...person, ...login, ...kind })
  const reseller = await signInOver(address, name, own)
  await reseller.ask(brandRoutes.save, { company: `${name} Voice`, domain })
  const domains = await boss.ask(brandRoutes.domains, { search: domain })
  await boss.ask(brandRoutes.confirmDomain, { domainId: domains[0]?.domainId ?? 0 })
}

type Device = { cdp: CDPSession; authenticatorId: string }

/** A telephone's or computer's authenticator, whose owner always puts a finger on it. */
async function deviceOf(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

/** A browser that offers no passkeys where names are filled in: the authenticator would accept at once, and nobody would press the button. */
async function openAt(host: string, more: Parameters<typeof openBrowser>[0] = {}) {
  const page = await openBrowser({ baseURL: at(host), ...more })
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  return { page, device: await deviceOf(page) }
}

async function logIn(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Username').fill('dipa')
  await page.getByLabel('Password', { exact: true }).fill(own)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

async function logOut(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/')
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
}

const isIn = (page: Page) => page.getByRole('navigation').first().waitFor()
const securityOf = (page: Page) => page.getByRole('region', { name: 'Security' })

async function addPasskey(page: Page, name: string): Promise<void> {
  await goTo(page, '/user-profile', 'Profile')
  await securityOf(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await seeDone(page, 'From now on you can log in with the passkey.')
}

let device: Device
let page: Page

test('a passkey is added in the profile, with recovery codes, and logs in without a name or a password', async () => {
  ;({ page, device } = await openAt('localhost'))
  await logIn(page)
  await isIn(page)
  await goTo(page, '/user-profile', 'Profile')
  await securityOf(page).getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Name').waitFor()
  await expectAccessible(page, 'adding a passkey')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await addPasskey(page, 'Office computer')
  await see(page, 'Your recovery codes')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await see(page, /localhost · added/)
  await expectAccessible(page, 'security with a passkey')
  await logOut(page)
  await expectAccessible(page, 'the login with passkeys')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(page)
  await goTo(page, '/user-profile', 'Profile')
  await see(page, /· Passkey/)
})

test('after the password it is the second step; a device that shuts it away is told so, and a recovery code serves', async () => {
  await logOut(page)
  await logIn(page)
  await see(page, /Use the passkey that you have for this address/)
  await expectAccessible(page, 'the second step with a passkey')
  const { cdp, authenticatorId } = device
  expectRefusals(400)
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await see(page, 'No passkey was used. Try again, or use another way.')
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').waitFor()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(page)
  expectRefusals()
})

test('before something sensitive it is the proof', async () => {
  let left = 1
  await page.route(/factors\/recovery$/, async (route) => {
    if (left-- <= 0) return route.continue()
    const errors = [{ field: 'account', code: 'proof_needed', text: 'needs a fresh proof that it is you' }]
    await route.fulfill({ status: 403, json: { message: 'Not allowed', errors } })
  })
  await goTo(page, '/user-profile', 'Profile')
  expectRefusals(403)
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
  const asked = page.getByRole('dialog', { name: 'Show that it is you' })
  await asked.getByText('What you are about to do needs your passkey.').waitFor()
  await expectAccessible(page, 'a passkey is asked for')
  await asked.getByRole('button', { name: 'Use a passkey' }).click()
  await see(page, 'Your recovery codes')
  expectRefusals()
})

test('a page whose session has ended takes the passkey, too, and goes on where it was', async () => {
  await page.getByRole('button', { name: 'I have kept them' }).click()
  const ended = await page.context().request.post('/api/obd/logout', { headers: { origin: at('localhost') } })
  expect(ended.status()).toBe(200)
  expectRefusals(401)
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
  await see(page, 'You were signed out. Please log in again.')
  await expectAccessible(page, 'the login over a page, with passkeys')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await see(page, 'Your recovery codes')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  expectRefusals()
})

test('at an IP address there are none, and the page says where to go', async () => {
  const other = await openBrowser({ as: 'user2' })
  await goTo(other, '/user-profile', 'Profile')
  await see(other, /Passkey needs a name instead of an IP address: open http:\/\/localhost/)
  expect(await securityOf(other).getByRole('button', { name: 'Add a passkey' }).isDisabled()).toBe(true)
  const stranger = await openBrowser()
  await stranger.goto('/')
  expectRefusals(400)
  await stranger.getByRole('button', { name: 'Use a passkey' }).click()
  await see(stranger, /Passkey needs a name instead of an IP address/)
  expectRefusals()
})

test('each address has its own: a credential of a does not sign in at b', async () => {
  const { page, device } = await openAt('a.localhost', { viewport: phone })
  const { cdp, authenticatorId } = device
  await page.goto('/')
  await page.getByLabel('Username').fill('bela')
  await page.getByLabel('Password', { exact: true }).fill(own)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await isIn(page)
  await addPasskey(page, 'Telephone')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expectAccessible(page, 'passkeys on a telephone')
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toMatchObject([{ rpId: 'a.localhost', isResidentCredential: true }])
  await page.context().clearCookies()
  await page.goto(at('b.localhost'))
  expectRefusals(400)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await see(page, 'No passkey was used. Try again, or log in with your password.')
  // Even an authenticator that lies to its browser about the host.
  const move = async (rpId: string) => {
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    for (const credential of credentials)
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, rpId } })
  }
  await move('b.localhost')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await see(page, /Passkey belongs to a\.localhost: use a code, or add a passkey for this address/)
  await move('a.localhost')
  await page.goto(at('a.localhost'))
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(page)
  expectRefusals()
})

test('an account that must have a second factor has one with a passkey', async () => {
  const boss = await signInOver(address, 'superadmin', password)
  const rule = (resellers: string) =>
    boss.ask(settingRoutes.save, { secondFactor: { superAdmins: 'off', resellers, users: 'off' } })
  await rule('required')
  try {
    const { page } = await openAt('localhost')
    await page.goto('/')
    await page.getByLabel('Username').fill('asha')
    await page.getByLabel('Password', { exact: true }).fill(own)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByRole('button', { name: 'Add an authenticator app' }).waitFor()
    await expectAccessible(page, 'a second factor must be added')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await isIn(page)
    await goTo(page, '/user-profile', 'Profile')
    expect(await page.getByRole('button', { name: /^Remove the passkey/ }).isDisabled()).toBe(true)
  } finally {
    await rule('off')
  }
})

test('a browser that can offers it where the name is filled in; without one, name and password log in as before', async () => {
  const [there, bare] = [
    await openBrowser({ baseURL: at('localhost') }),
    await openBrowser({ baseURL: at('localhost') }),
  ]
  const [has, lacks] = [await deviceOf(there), await deviceOf(bare)]
  const { credentials } = await device.cdp.send('WebAuthn.getCredentials', { authenticatorId: device.authenticatorId })
  expect(credentials).not.toEqual([])
  for (const credential of credentials)
    await has.cdp.send('WebAuthn.addCredential', { authenticatorId: has.authenticatorId, credential })
  await there.goto('/')
  await isIn(there)
  expect(
    (await lacks.cdp.send('WebAuthn.getCredentials', { authenticatorId: lacks.authenticatorId })).credentials,
  ).toEqual([])
  const asked = bare.waitForResponse('**/api/obd/login/passkey/options')
  await bare.goto('/')
  expect((await asked).status()).toBe(200)
  await logIn(bare)
  await see(bare, /Use the passkey that you have for this address/)
  await Promise.all([there.close(), bare.close()])
})

test('a passkey that is removed opens nothing', async () => {
  await goTo(page, '/user-profile', 'Profile')
  await page.getByRole('button', { name: 'Remove the passkey Office computer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await seeDone(page, 'The passkey was removed.')
  await logOut(page)
  expectRefusals(400)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await see(page, /Passkey is not known here/)
  expectRefusals()
})
