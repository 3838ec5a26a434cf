import { userRoutes } from '@ghanti/contract/users.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { rowOf } from './campaign.ts'
import { address, goTo, openBrowser, password, useBrowser } from './console.ts'

useBrowser()
let user: Caller
let reseller: Caller
beforeAll(async () => {
  user = await signInOver(address, 'user', password)
  reseller = await signInOver(address, 'reseller', password)
})

const isFocused = (at: Locator) => at.evaluate((element) => element === document.activeElement)
const stepsMax = 120
const menuStepsMax = 20
/** How long a list may take to close on a busy machine. */
const closingMs = 5000

/** Asserts that the focused element is visible. */
async function expectFocus(page: Page, after: string): Promise<void> {
  const isLost = () => page.evaluate(() => document.activeElement === null || document.activeElement === document.body)
  await expect.poll(isLost, { message: `the focus is somewhere after ${after}` }).toBe(false)
}

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await expectFocus(page, key)
}

/** Reaches it from the current focus by Tab alone. */
async function tabTo(page: Page, at: Locator): Promise<void> {
  await at.waitFor()
  for (let step = 0; step < stepsMax; step += 1) {
    if (await isFocused(at)) return
    await page.keyboard.press('Tab')
    await expectFocus(page, 'Tab')
  }
  throw new Error(`Tab does not lead to ${String(at)}`)
}

/** Follows a link, or opens what a button opens. */
async function activate(page: Page, at: Locator): Promise<void> {
  await tabTo(page, at)
  await press(page, 'Enter')
}

/**
 * Picks an option. The list may be redrawn while it is open, when its options arrive: then no option is active any more, and
 * Enter picks nothing. So the option is looked for again until the field has it.
 */
async function chooseByKeys(page: Page, field: string, option: RegExp): Promise<void> {
  const combobox = page.getByRole('combobox', { name: field })
  await tabTo(page, combobox)
  const offered = page.getByRole('option')
  const underCursor = page.locator('[role=option][data-combobox-selected]')
  const takes = async () => {
    await press(page, 'ArrowDown')
    if (!option.test((await underCursor.allInnerTexts()).at(-1) ?? '')) return false
    await press(page, 'Enter')
    const closed = offered.first().waitFor({ state: 'detached', timeout: closingMs })
    const isClosed = await closed.then(
      () => true,
      () => false,
    )
    return isClosed && option.test(await combobox.inputValue())
  }
  await expect.poll(takes, { ...polling, message: `${field} takes ${String(option)}` }).toBe(true)
}

/** Of a row's menu. It takes the focus a moment after it is drawn; a key that is pressed before goes elsewhere. */
async function chooseOfMenu(page: Page, subject: string, action: string): Promise<void> {
  await activate(page, page.getByRole('button', { name: `Take Action: ${subject}`, exact: true }))
  const roleOfFocus = () => page.evaluate(() => document.activeElement?.getAttribute('role'))
  await expect.poll(roleOfFocus, polling).toBe('menuitem')
  const item = page.getByRole('menuitem', { name: action, exact: true })
  for (let step = 0; step < menuStepsMax && !(await isFocused(item)); step += 1) await press(page, 'ArrowDown')
  expect(await isFocused(item), `the arrows lead to ${action}`).toBe(true)
  await press(page, 'Enter')
}

test('a campaign is composed by keyboard alone, from the first Tab to its details, and the focus is never lost', async () => {
  const page = await openBrowser({ as: 'user' })
  await goTo(page, '/', 'Dashboard')
  await press(page, 'Tab')
  expect(await isFocused(page.getByRole('link', { name: 'Skip to content' })), 'the first Tab').toBe(true)
  await activate(page, page.getByRole('link', { name: 'New campaign' }).first())
  await page.getByRole('heading', { level: 1, name: 'Compose Voice Campaign' }).waitFor()
  await expectFocus(page, 'the way to the form')
  await tabTo(page, page.getByLabel('Campaign name'))
  await page.keyboard.type('By keyboard')
  await chooseByKeys(page, 'Sender ID (CLI)', /^01-597/)
  await tabTo(page, page.getByRole('radio', { name: /^Simple IVR/ }))
  await press(page, 'Space')
  await chooseByKeys(page, 'Welcome file', /^Welcome/)
  await tabTo(page, page.getByLabel('List of numbers'))
  await page.keyboard.type('9841000001')
  await activate(page, page.getByRole('button', { name: 'Check the numbers' }))
  const estimate = page.getByRole('complementary', { name: 'Estimate' })
  await estimate.getByText('at most Rs').waitFor()
  await expectFocus(page, 'the check of the numbers')
  await activate(page, estimate.getByRole('button', { name: 'Send Now' }))
  const review = page.getByRole('dialog', { name: 'Review' })
  await review.getByText(/^Calls 1 numbers? from/).waitFor()
  const send = review.getByRole('button', { name: 'Send Now' })
  await send.and(page.locator(':enabled')).waitFor()
  await activate(page, send)
  const done = page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' })
  await done.waitFor()
  await expect.poll(() => isFocused(done), { ...polling, message: 'OK has the focus by itself' }).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Voice Campaign Summary' }).waitFor()
  await expectFocus(page, 'the way to the summary')
  await rowOf(page, 'By keyboard').waitFor()
  await chooseOfMenu(page, 'By keyboard', 'Details')
  await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()
  await expectFocus(page, 'the way to the details')
  const campaigns = await user.ask(voiceCampaignRoutes.list, { userId: user.userId, search: 'By keyboard' })
  expect(campaigns.map(({ campaignName }) => campaignName)).toEqual(['By keyboard'])
})

test.each([
  { calendar: 'AD', typed: '2027-03-14', first: '14 March 2027', month: '14 April 2027', kept: '2027-04-22 23:59:59' },
  {
    calendar: 'BS',
    typed: '2083-11-30',
    first: '2083 Falgun 30',
    month: '2083 Chaitra 30',
    kept: '2027-04-21 23:59:59',
  },
])(
  'an expiry date is chosen by keyboard in $calendar: by month, day and week; Escape leaves it as it was',
  { tags: ['exhaustive'] }, // web/src/components/dates/dates.test.tsx has the keys of both calendars
  async ({ calendar, typed, first, month, kept }) => {
    const { users } = await reseller.ask(userRoutes.list, { userId: reseller.userId, search: 'user2' })
    const { userId = 0 } = users[0] ?? {}
    const page = await openBrowser({ as: 'reseller' })
    await goTo(page, '/user-profile')
    await page.getByText(calendar, { exact: true }).click()
    await goTo(page, `/update-user/${userId}`)
    const never = page.getByLabel('Never expires')
    await tabTo(page, never)
    if (await never.isChecked()) await press(page, 'Space')
    const field = page.getByRole('textbox', { name: 'Expiry date' })
    await field.waitFor()
    for (let step = 0; step < 5 && !(await isFocused(field)); step += 1) await press(page, 'Shift+Tab')
    await field.fill(typed)
    const opener = page.getByRole('button', { name: 'Open the calendar' })
    await tabTo(page, opener)
    await press(page, 'Enter')
    const day = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await expect.poll(day).toContain(first)
    await press(page, 'PageDown')
    await expect.poll(day).toContain(month)
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect([await isFocused(opener), await field.inputValue()]).toEqual([true, typed])
    await press(page, 'Enter')
    await expect.poll(day).toContain(first)
    for (const key of ['PageDown', 'ArrowRight', 'ArrowDown']) await press(page, key)
    await press(page, 'Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(opener)).toBe(true)
    await tabTo(page, page.getByRole('button', { name: 'Update User' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await expectFocus(page, 'the way to the list')
    expect((await reseller.ask(userRoutes.profile, { userId })).expiryDate).toBe(kept)
  },
)
