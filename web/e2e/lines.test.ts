// @module-tag exhaustive
// Cheaper: server/src/modules/dialers/dialers.test.ts and trunks.test.ts beside it have the rules, web/src/screens/lines/trunk-form.test.tsx the form.
import { traceRoutes } from '@ghanti/contract/traces.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signInOver } from '../../server/src/testing/wire.ts'
import { calledNow, rowOf } from './campaign.ts'
import {
  address,
  chooseAction,
  chooseOption,
  closeError,
  confirmWith,
  downloadedBy,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  phone,
  see,
  useBrowser,
  seeDone,
} from './console.ts'
import { polling } from '../../server/src/testing/timeouts.ts'

useBrowser()
let admin: Page
/** The page with the SIP messages of the test call that failed. */
let messagesOfTest: string
const dialer = 'Pokhara dialer'
const trunk = 'Pokhara PRI'
beforeAll(async () => {
  admin = await openBrowser({ as: 'superadmin' })
})

const shows = (name: string, column: string, text: string | RegExp) =>
  expect.poll(() => rowOf(admin, name).locator(`td[data-label="${column}"]`).innerText(), polling).toMatch(text)

async function created(text: string, heading: string): Promise<void> {
  await seeDone(admin, text)
  await admin.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** Updates end with a Success modal (specification 2 §8). */
async function closeSuccess(text: string, heading: string): Promise<void> {
  const dialog = admin.getByRole('dialog', { name: 'Success' })
  await dialog.getByText(text).waitFor()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await admin.getByRole('heading', { level: 1, name: heading }).waitFor()
}

test('a dialer is created; the form says at each field what is missing or wrong; the engine reaches it within seconds', async () => {
  await goTo(admin, '/dialer-list', 'Dialers')
  await admin.getByRole('link', { name: 'Create Dialer' }).click()
  const submit = admin.getByRole('button', { name: 'Create Dialer' })
  await submit.click()
  for (const field of ['Dialer name', 'Dialer IP', 'Dialer port']) await see(admin, `${field} is required`)
  await admin.getByLabel('Dialer name').fill(dialer)
  await admin.getByLabel('Dialer port').fill('9123')
  await admin.getByLabel('Dialer IP').fill('203.0.113.9')
  expectRefusals(400)
  await submit.click()
  await closeError(admin, 'Parameters Incorrect')
  await see(admin, 'Dialer IP must be this machine (127.0.0.1) while demo accounts exist')
  await admin.getByLabel('Dialer IP').fill('127.0.0.1')
  await admin.getByLabel('ARI user').fill('ghanti')
  await admin.getByLabel('ARI password').fill('hush hush')
  await submit.click()
  await created('The dialer was created. The engine connects to it within seconds.', 'Dialers')
  await shows(dialer, 'State', 'Reachable')
  await shows(dialer, 'Channels', '0 of 100')
})

const openTab = (name: string) => admin.getByRole('tab', { name: new RegExp(`^${name}`) }).click()

test('a trunk is created with what the operator’s contract says, and registers', async () => {
  await goTo(admin, '/trunk-list', 'Trunks')
  await admin.getByRole('link', { name: 'Create Trunk' }).click()
  const submit = admin.getByRole('button', { name: 'Create Trunk' })
  await submit.click()
  for (const field of ['Trunk name', 'Pilot number', 'Dialer', 'Channels', 'Calls per second'])
    await see(admin, `${field} is required`)
  await admin.getByLabel('Trunk name').fill(trunk)
  await admin.getByLabel('Pilot number').fill('061-530000')
  await chooseOption(admin, 'Dialer', dialer)
  await admin.getByLabel('Channels').fill('30')
  await admin.getByLabel('Calls per second').fill('5')
  await openTab('SIP')
  await admin.getByLabel('Register with user and password').check()
  await openTab('Contract')
  expectRefusals(400)
  await submit.click()
  await closeError(admin, 'Parameters Incorrect')
  // The tab with the errors has opened, and says how many there are.
  await see(admin, 'SIP host is required to register')
  await admin.getByRole('tab', { name: 'SIP 2 errors', selected: true }).waitFor()
  await expect.poll(() => admin.getByLabel('SIP host').evaluate((field) => field === document.activeElement)).toBe(true)
  await admin.getByLabel('SIP host').fill('127.0.0.1')
  await admin.getByLabel('SIP user').fill('line1')
  await admin.getByLabel('SIP password').fill('hush hush')
  await openTab('Numbers')
  await chooseOption(admin, 'Caller ID is sent as', /With a plus/)
  await submit.click()
  await created('The trunk was created. Its dialer knows it within seconds.', 'Trunks')
  await shows(trunk, 'State', /Reachable\s+Registered/)
})

test('a preset fills in what such trunks usually have and says what to ask the operator for; what is wrong under ‘Advanced’ opens it', async () => {
  await admin.getByRole('link', { name: 'Create Trunk' }).click()
  await openTab('SIP')
  await chooseOption(admin, 'Begin with', 'Nepal Telecom IMS')
  await see(admin, 'Ask the operator for:')
  await see(admin, 'which of your numbers have to be registered')
  expect(await admin.getByLabel('Register with user and password').isChecked()).toBe(true)
  await openTab('Contract')
  await admin.getByLabel('Trunk name').fill('NTC IMS')
  await admin.getByLabel('Pilot number').fill('015970000')
  await chooseOption(admin, 'Dialer', dialer)
  await admin.getByLabel('Channels').fill('30')
  await admin.getByLabel('Calls per second').fill('5')
  await openTab('SIP')
  await admin.getByLabel('SIP host').fill('127.0.0.1')
  await admin.getByLabel('SIP user').fill('015970000')
  await admin.getByLabel('SIP password').fill('hush hush')
  await openTab('Advanced')
  expect(await admin.getByLabel('Mark numbers with user=phone').isChecked()).toBe(true)
  await admin.getByLabel('Name for authentication').fill('015970000@ims.example.np')
  await admin.getByLabel('Further users to register').fill('015970001, 015970002')
  await admin.getByLabel('Outbound proxy').fill('two words')
  expect(await admin.getByLabel('Seconds without sound').inputValue()).toBe('60')
  await admin.getByLabel('Seconds without sound').fill('2')
  await admin.getByLabel('Milliseconds of sound in a packet').fill('30')
  await admin.getByLabel('DSCP of sound').fill('0')
  await openTab('Contract')
  expect(await admin.getByLabel('Outbound proxy').isVisible()).toBe(false)
  const submit = admin.getByRole('button', { name: 'Create Trunk' })
  expectRefusals(400)
  await submit.click()
  await closeError(admin, 'Parameters Incorrect')
  await see(admin, 'Outbound proxy must be an IP address or a host name, with a port or without')
  await see(admin, 'Seconds without sound must be 0, or 5 to 3600')
  await admin.getByLabel('Outbound proxy').fill('127.0.0.1:5080')
  await admin.getByLabel('Seconds without sound').fill('0')
  await submit.click()
  await created('The trunk was created. Its dialer knows it within seconds.', 'Trunks')
  await shows('NTC IMS', 'State', /Reachable\s+Registered/)
  await rowOf(admin, 'NTC IMS').getByRole('link', { name: 'NTC IMS' }).click()
  await expect.poll(() => admin.getByLabel('Further users to register').inputValue()).toBe('015970001, 015970002')
  expect(await admin.getByLabel('Seconds without sound').inputValue()).toBe('0')
  expect(await admin.getByLabel('Milliseconds of sound in a packet').inputValue()).toBe('30')
  expect(await admin.getByLabel('DSCP of sound').inputValue()).toBe('0')
  await goTo(admin, '/trunk-list', 'Trunks')
  await chooseAction(admin, 'NTC IMS', 'Delete')
  await confirmWith(admin, 'NTC IMS', 'Are you sure you want to delete this trunk?')
  await rowOf(admin, 'NTC IMS').waitFor({ state: 'detached' })
})

test('a ping and a test call say within seconds whether the trunk works, and why not', async () => {
  await chooseAction(admin, trunk, 'Test')
  const dialog = admin.getByRole('dialog', { name: `Test of ${trunk}` })
  await dialog.getByRole('button', { name: 'Ping' }).click()
  await dialog.getByText('it answers after 1 ms').waitFor()
  await dialog.getByRole('button', { name: 'Test call' }).click()
  await dialog.getByText('Number to call is required').waitFor()
  await dialog.getByLabel('Number to call').fill('9841')
  expectRefusals(400)
  await dialog.getByRole('button', { name: 'Test call' }).click()
  await dialog.getByText('Number to call is too short').waitFor()
  await dialog.getByLabel('Number to call').fill('9841000050')
  await dialog.getByRole('button', { name: 'Test call' }).click()
  await dialog.getByText(/^answered after/).waitFor()
  await dialog.getByLabel('Number to call').fill('9841000006')
  await dialog.getByRole('button', { name: 'Test call' }).click()
  await dialog.getByText('the call failed: SIP 503').waitFor()
  messagesOfTest = (await dialog.getByRole('link', { name: 'SIP messages' }).getAttribute('href')) ?? ''
  await dialog.getByRole('button', { name: 'Close' }).click()
  await shows(trunk, 'Last failure', '503: it takes no calls now')
})

test('an update shows what is stored but no password, and leaves the password where it is', async () => {
  await rowOf(admin, trunk).getByRole('link', { name: trunk }).click()
  await expect.poll(() => admin.getByLabel('SIP user').inputValue()).toBe('line1')
  await openTab('SIP')
  expect(await admin.getByLabel('SIP password').inputValue()).toBe('')
  await see(admin, 'Stored. Leave it empty to keep it.')
  expect(await admin.content()).not.toContain('hush')
  await openTab('Contract')
  await admin.getByLabel('Channels').fill('none')
  expectRefusals(400)
  await admin.getByRole('button', { name: 'Update Trunk' }).click()
  const refused = admin.getByRole('dialog', { name: 'Error' })
  await refused.getByText('Error in Updating Trunk').waitFor()
  await refused.getByText(/^Channels must be a whole number/).waitFor()
  await refused.getByRole('button', { name: 'OK' }).click()
  expectRefusals()
  await admin.getByLabel('Channels').fill('12')
  await admin.getByRole('button', { name: 'Update Trunk' }).click()
  await closeSuccess('The trunk was updated. Its dialer knows it within seconds.', 'Trunks')
  await shows(trunk, 'Channels', '0 of 12')
  await rowOf(admin, trunk).getByRole('link', { name: trunk }).click()
  await expect.poll(() => admin.getByLabel('Channels').inputValue()).toBe('12')
  await openTab('SIP')
  await see(admin, 'Stored. Leave it empty to keep it.')
})

test('‘Save and test’ saves the trunk and pings it over the list', async () => {
  await openTab('Contract')
  await admin.getByLabel('Channels').fill('13')
  await admin.getByRole('button', { name: 'Save and test' }).click()
  const dialog = admin.getByRole('dialog', { name: `Test of ${trunk}` })
  await dialog.getByText('it answers after 1 ms').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await admin.getByRole('heading', { level: 1, name: 'Trunks' }).waitFor()
  await shows(trunk, 'Channels', '0 of 13')
})

test('the SIP messages of a test call are a ladder: each opens with its whole text, and all can be downloaded as text and as a capture', async () => {
  await goTo(admin, messagesOfTest, 'SIP messages')
  const ladder = admin.getByRole('list', { name: 'Messages in order' })
  await expect
    .poll(async () => {
      const again = admin.getByRole('button', { name: 'Look again' })
      if (await again.isVisible()) await again.click()
      return ladder.isVisible()
    }, polling)
    .toBe(true)
  const messages = await ladder.getByRole('button').allInnerTexts()
  expect(messages[0]).toMatch(/^0\.000 s\s+INVITE \+9779841000006\s+to the operator$/)
  expect(messages).toContainEqual(expect.stringMatching(/\s503 .*\s+from the operator$/))
  await see(admin, 'It never rang')
  const whole = ladder.getByText(/^Call-ID: /m).first()
  expect(await whole.isVisible()).toBe(false)
  await ladder.getByRole('button').first().click()
  expect(await whole.innerText()).toMatch(/^INVITE sip:[^]*^CSeq: \d+ INVITE/m)
  const text = await downloadedBy(admin, () => admin.getByRole('link', { name: 'Download text' }).click())
  expect(text.name).toMatch(/^sip-\d+\.txt$/)
  expect(text.bytes.toString()).toContain('SIP/2.0 503')
  const capture = await downloadedBy(admin, () => admin.getByRole('link', { name: 'Download pcap' }).click())
  expect([capture.name, capture.bytes.readUInt32LE(0)]).toEqual([expect.stringMatching(/\.pcap$/), 0xa1b2c3d4])
})

test('the quality of a trunk says for each operator how many calls there were and how long it took until they rang', async () => {
  await calledNow('Quality of a trunk')
  const api = await signInOver(address, 'superadmin', password)
  const [{ trunkId } = { trunkId: 0 }] = await api.ask(trunkRoutes.list, { search: 'Simulated trunk' })
  await expect.poll(async () => (await api.ask(traceRoutes.quality, { trunkId })).all.pddMs, polling).not.toBeNull()
  await goTo(admin, '/trunk-list', 'Trunks')
  await chooseAction(admin, 'Simulated trunk', 'Quality')
  await admin.getByRole('heading', { level: 1, name: 'Quality of Simulated trunk' }).waitFor()
  for (const name of ['Nepal Telecom', 'All'])
    await expect
      .poll(() => admin.getByRole('row').filter({ hasText: name }).last().innerText(), polling)
      .toMatch(/[1-9]\d*\s+[1-9]\d*\s+[\d,]+ ms/)
})

test('the caps of a dialer are reduced for now, never above its capacity', async () => {
  await goTo(admin, '/dialer-list', 'Dialers')
  await chooseAction(admin, dialer, 'Update')
  await admin.getByLabel('Update CPS').fill('50')
  expectRefusals(400)
  await admin.getByRole('button', { name: 'Update Dialer' }).click()
  await closeError(admin, 'Parameters Incorrect')
  await see(admin, 'Update CPS is more than the total of 10')
  await admin.getByLabel('Update CPS').fill('2')
  await admin.getByRole('button', { name: 'Update Dialer' }).click()
  await closeSuccess('The dialer was updated.', 'Dialers')
  await shows(dialer, 'CPS', /0 of 2\s+reduced from 10/)
})

test('a dialer that answers cannot be given up; one that is gone can, with a reason, and the question says what would end', async () => {
  await admin.getByRole('button', { name: `Take Action: ${dialer}`, exact: true }).click()
  await see(admin, 'It answers: there is nothing to give up.')
  await admin.keyboard.press('Escape')
  await admin.getByRole('link', { name: 'Create Dialer' }).click()
  const gone = 'Burnt dialer'
  await admin.getByLabel('Dialer name').fill(gone)
  await admin.getByLabel('Dialer IP').fill('127.0.0.1')
  await admin.getByLabel('Dialer port').fill('9124')
  await chooseOption(admin, 'Kind', 'Asterisk')
  await admin.getByRole('button', { name: 'Create Dialer' }).click()
  await created('The dialer was created. The engine connects to it within seconds.', 'Dialers')
  await chooseAction(admin, gone, 'Give up this dialer')
  const dialog = admin.getByRole('dialog', { name: gone })
  await dialog.getByText(/Open calls of this dialer: 0, of campaigns: 0, of accounts: 0\./).waitFor()
  await dialog.getByLabel('Reason').fill('The machine has burnt')
  await dialog.getByRole('button', { name: 'Give up this dialer' }).click()
  await shows(gone, 'State', /Given up\s+The machine has burnt/)
  await rowOf(admin, gone).getByRole('link', { name: gone }).click()
  await see(admin, 'It was given up.')
  await goTo(admin, '/dialer-list', 'Dialers')
  await chooseAction(admin, gone, 'Delete')
  await confirmWith(admin, gone, 'Are you sure you want to delete this dialer?')
  await rowOf(admin, gone).waitFor({ state: 'detached' })
})

test('an object in use is not deleted and says what uses it; afterwards it is', async () => {
  expectRefusals(409)
  await chooseAction(admin, dialer, 'Delete')
  const dialog = admin.getByRole('dialog', { name: dialer })
  await dialog.getByText('Are you sure you want to delete this dialer?').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('Error in Deleting Dialer, please try again').waitFor()
  await dialog.getByText(`${dialer} has the trunk '${trunk}': delete it or move it first`).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await goTo(admin, '/trunk-list', 'Trunks')
  await chooseAction(admin, trunk, 'Delete')
  await confirmWith(admin, trunk, 'Are you sure you want to delete this trunk?')
  await rowOf(admin, trunk).waitFor({ state: 'detached' })
  await goTo(admin, '/dialer-list', 'Dialers')
  await chooseAction(admin, dialer, 'Delete')
  await confirmWith(admin, dialer, 'Are you sure you want to delete this dialer?')
  await rowOf(admin, dialer).waitFor({ state: 'detached' })
})

test('on a phone the lists are cards that fit; nobody but the super admin has these screens', async () => {
  await admin.setViewportSize(phone)
  for (const [path, heading] of [
    ['/dialer-list', 'Dialers'],
    ['/trunk-list', 'Trunks'],
    ['/update-trunk/1', 'Update Trunk'],
  ] as const) {
    await goTo(admin, path, heading)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  }
  const user = await openBrowser({ as: 'user' })
  await goTo(user, '/dialer-list', 'There is no such page')
  expect((await user.request.get(`${address}/api/obd/dialers/list`)).status()).toBe(403)
})
