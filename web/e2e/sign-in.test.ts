import { glob, readFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  address,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  phone,
  see,
  useBrowser,
} from './console.ts'
import { entriesOf, openGroupOf } from './menu.ts'

/** The test before has a session that ends under a form; this one waits until its cookies are too old. */
const exhaustive = { tags: ['exhaustive'] }

useBrowser()
let page: Page
beforeAll(async () => {
  page = await openBrowser()
})

async function logIn(username: string, secret: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

test('the tested console is the production build', async () => {
  const html = await (await fetch(address)).text()
  const scripts = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = '']) => new URL(path, address))
  const texts = await Promise.all(scripts.map(async (script) => (await fetch(script)).text()))
  expect(texts.some((text) => text.includes('Minified React error'))).toBe(true)
})

test('the developers’ page of components is not in it', async () => {
  const [source, dist] = ['../src/design/Fields.tsx', '../dist/console'].map((at) => path.join(import.meta.dirname, at))
  const sign = 'Nothing to choose'
  expect(await readFile(source ?? '', 'utf8')).toContain(sign)
  const files = await Array.fromAsync(glob('*.js', { cwd: dist ?? '' }))
  const shown = []
  for (const file of files) if ((await readFile(path.join(dist ?? '', file), 'utf8')).includes(sign)) shown.push(file)
  expect([files.length > 0, shown]).toEqual([true, []])
})

test('a visitor sees the login, whatever address they open, and is sent on after it', async () => {
  await goTo(page, '/voice-files', 'Ghanti')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await see(page, 'Please enter username & password.')
  expectRefusals(401)
  await logIn('user', 'not the password')
  await see(page, 'Wrong username or password.')
  expectRefusals()
  await logIn('USER', password)
  await page.getByRole('heading', { name: 'View Voice Files' }).waitFor()
  await see(page, /^Balance\(Rs\) : [\d,]+\.\d\d$/)
})

// throttle.test.ts and rules-throttle.test.ts of the server have the wait
test('after too many guesses the login counts the seconds to wait', exhaustive, async () => {
  const guesser = await openBrowser()
  const guess = { username: 'nobody at all', password: 'a guess' }
  for (let n = 0; n < 10; n++) await guesser.request.post('/api/obd/login', { data: guess })
  expectRefusals(429)
  await guesser.goto('/')
  await guesser.getByLabel('Username').fill(guess.username)
  await guesser.getByLabel('Password', { exact: true }).fill(guess.password)
  await guesser.getByRole('button', { name: 'Login', exact: true }).click()
  await see(guesser, /^Too many attempts. Try again in \d+ s.$/)
  await see(guesser, 'You can try again now.')
  expectRefusals()
})

test('each role has its own menu, and no other address opens for it', async () => {
  const menuOf = () => entriesOf(page)
  const money = ['Credits History', 'Monthly Statement']
  expect(await menuOf()).toEqual([
    'New campaign',
    'Dashboard',
    'Compose Voice Campaign',
    'Voice Campaign Summary',
    'Calendar',
    'Set-ups',
    'Repeating Campaigns',
    'Add SMS Campaign',
    'SMS Campaign Summary',
    'Incoming Messages',
    'Message Texts',
    'Contact Files',
    'Add Blacklist Number',
    'Bulk Blacklist Upload',
    'Voice Blacklist',
    'Upload Voice File',
    'Voice Files',
    'Voice Packs',
    'Report',
    'Insight',
    'My Exports',
    'Reports by Mail',
    ...money,
    'Sender IDs',
    'CLI List',
    'Audit Log',
    'Developers',
  ])
  await goTo(page, '/stop-dialling', 'There is no such page')
  expectRefusals(401) // what was asked for when one signs out may be answered after it
  for (const [username, menu] of [
    [
      'reseller',
      [
        'Dashboard',
        'Create User',
        'User List',
        'Voice Campaigns',
        'Calendar',
        'SMS Campaign Summary',
        'Incoming Messages',
        'Message Texts',
        'Voice Blacklist',
        'Upload Voice File',
        'Voice Files',
        'Voice Packs',
        'Report',
        'Insight',
        'My Exports',
        'Add Voice Plan',
        'Voice Plans',
        ...money,
        'Sender IDs',
        'CLI List',
        'Allocate CLI',
        'Audit Log',
        'Branding',
        'Developers',
      ],
    ],
    [
      'superadmin',
      [
        'Dashboard',
        'Dialers',
        'Trunks',
        'Gateways',
        'Call Routes',
        'Operator Contracts',
        'Message Routes',
        'Stop Calls and Messages',
        'Calling Hours',
        'Alerts',
        'Create User',
        'User List',
        'Super Admins',
        'Voice Campaigns',
        'Calendar',
        'SMS Campaign Summary',
        'Incoming Messages',
        'Message Texts',
        'Voice Blacklist',
        'Prompts for Approval',
        'Voice Packs',
        'Report',
        'Insight',
        'My Exports',
        'Add Voice Plan',
        'Voice Plans',
        ...money,
        'Sender IDs',
        'Add CLI',
        'CLI List',
        'Allocate CLI',
        'Settings',
        'Audit Log',
        'Branding',
      ],
    ],
  ] as const) {
    await page.getByRole('button', { name: 'Logout' }).click()
    await logIn(username, password)
    await page.getByRole('link', { name: `Profile of ${username}` }).waitFor()
    expect(await menuOf()).toEqual(menu)
    await goTo(page, '/add-voice-campaign', 'There is no such page')
  }
  expect(await page.getByText('Balance(Rs)').count(), 'the super admin has none').toBe(0)
})

/** Ends the session of a page as if it had been ended elsewhere. */
async function endSession(of: Page): Promise<void> {
  const [token] = (await of.context().cookies()).filter(({ name }) => name === 'token')
  await fetch(`${address}/api/obd/logout`, { method: 'POST', headers: { authorization: `Bearer ${token?.value}` } })
}

test('Logout ends the session on the server too; one that ended elsewhere asks for a sign-in and says so', async () => {
  const [session] = (await page.context().cookies()).filter(({ name }) => name === 'token')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByLabel('Username').waitFor()
  const asked = await fetch(`${address}/api/obd/session`, { headers: { authorization: `Bearer ${session?.value}` } })
  expect([asked.status, (await asked.json()).message]).toEqual([401, 'Token Not Valid.'])

  await logIn('user', password)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  // The dashboard may send requests of its own, before it is left and even after.
  expectRefusals(401)
  await openGroupOf(page, 'Voice Files')
  await endSession(page)
  const leave = page.getByRole('link', { name: 'Voice Files', exact: true }).click({ timeout: 10_000 })
  await leave.catch(() => undefined)
  await see(page, 'You were signed out. Please log in again.')
  await signInOver(page).getByRole('button', { name: 'Leave this page' }).click()
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})

const signInOver = (over: Page) => over.getByRole('dialog', { name: 'You were signed out' })

/** The session ends once the button is pressed: a request that the page makes by itself would ask for the sign-in before. */
async function addAsSessionEnds(of: Page): Promise<void> {
  const ends = async (route: Route): Promise<void> => {
    if (route.request().method() === 'POST') await endSession(of)
    await route.continue()
  }
  await of.route('**/api/obd/**', ends)
  await of.getByRole('button', { name: 'Add Number' }).click()
  await signInOver(of).waitFor()
  await of.unroute('**/api/obd/**', ends)
}

async function signInAgain(over: Page, secret = password): Promise<void> {
  await signInOver(over).getByLabel('Password', { exact: true }).fill(secret)
  await signInOver(over).getByRole('button', { name: 'Login' }).click()
}

test('a session that ends under a form loses nothing: after the sign-in the form is sent as it was', async () => {
  const other = await openBrowser({ as: 'user' })
  await goTo(other, '/add-voice-blacklist')
  await other.getByLabel('Mobile number').fill('9851555099')
  expectRefusals(401)
  await addAsSessionEnds(other)
  await expectAccessible(other, 'the sign-in over a form')
  expect(await other.getByText('Token Not Valid.').count()).toBe(0)
  await signInAgain(other, 'not the password')
  await signInOver(other).getByText('Wrong username or password.').waitFor()
  await signInAgain(other)
  await other.getByRole('heading', { name: 'Voice Blacklist' }).waitFor()
  await see(other, /98515 ?55099/)
  expectRefusals()
})

/** What the page does when somebody returns to it. */
async function returnTo(tab: Page): Promise<void> {
  await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

test(
  'a form whose cookies have become too old asks for a sign-in when somebody returns to it, and keeps what was chosen',
  exhaustive,
  async () => {
    const other = await openBrowser({ as: 'user' })
    await goTo(other, '/add-voice-blacklist')
    await other.getByLabel('Mobile number').fill('9851555098')
    await endSession(other)
    await other.context().clearCookies()
    expectRefusals(401)
    await other.clock.install()
    await other.clock.fastForward('01:00')
    await returnTo(other)
    await signInAgain(other)
    await signInOver(other).waitFor({ state: 'detached' })
    expect(await other.getByLabel('Mobile number').inputValue()).toBe('9851555098')
    expectRefusals()
  },
)

test('the sign-in in one tab serves the others; while another account is signed in, they say so and send nothing', async () => {
  const first = await openBrowser({ as: 'user' })
  const second = await first.context().newPage()
  await goTo(second, '/')
  await goTo(first, '/add-voice-blacklist')
  await first.getByLabel('Mobile number').fill('9851555097')
  expectRefusals(401, 409)
  await addAsSessionEnds(first)
  await first.request.post('/api/obd/login', { data: { username: 'user2', password } })
  await signInAgain(first)
  const notice = first.getByRole('dialog', { name: 'You are signed in as user2 in another window' })
  await notice.getByText('This page belongs to user,').waitFor()
  await notice.getByRole('button', { name: 'Close' }).last().click()
  await first.context().clearCookies()
  await second.reload()
  await second.getByLabel('Username').fill('user')
  await second.getByLabel('Password', { exact: true }).fill(password)
  await second.getByRole('button', { name: 'Login', exact: true }).click()
  await first.getByRole('heading', { name: 'Voice Blacklist' }).waitFor()
  await see(first, /98515 ?55097/)
  expectRefusals()
})

test('Logout in one tab leads the others to the login too, with nothing of the account left', async () => {
  const first = await openBrowser({ as: 'user' })
  const second = await first.context().newPage()
  await goTo(second, '/')
  await goTo(first, '/add-voice-blacklist')
  expectRefusals(401)
  await second.getByRole('button', { name: 'Logout' }).click()
  await first.getByRole('button', { name: 'Login', exact: true }).waitFor()
  expect(await signInOver(first).count()).toBe(0)
  expectRefusals()
})

test(
  'a page that is opened with a session that has ended leads to the login at the start page',
  exhaustive,
  async () => {
    const other = await openBrowser({ as: 'user' })
    await endSession(other)
    expectRefusals(401)
    await other.goto('/voice-files')
    await other.getByRole('button', { name: 'Login', exact: true }).waitFor()
    expect(new URL(other.url()).pathname).toBe('/')
    expectRefusals()
  },
)

test('Nepali and dark colours are chosen in the header and are still there after the next start', async () => {
  expectRefusals()
  await logIn('user', password)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await page.getByRole('button', { name: 'ने' }).click()
  await page.getByRole('heading', { name: 'ड्यासबोर्ड' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'ड्यासबोर्ड' }).waitFor()
  const look = () =>
    page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset['mantineColorScheme']])
  expect(await look()).toEqual(['ne', 'dark'])
  await see(page, /^ब्यालेन्स \(रु\) : [०-९,]+\.[०-९]{2}$/)
  await page.getByRole('button', { name: 'EN', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
})

// screens.test.ts has the menu of a phone, and that every screen fits
test('on a phone the menu slides in, and nothing is wider than the screen', exhaustive, async () => {
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'New campaign' }).click()
  await page.getByRole('heading', { level: 1, name: 'Compose Voice Campaign' }).waitFor()
  for (const path of ['/', '/add-voice-campaign', '/voice-campaign-summary', '/voice-files', '/credits-history']) {
    await goTo(page, path)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(phone.width)
  }
})
