import { userRoutes } from '@ghanti/contract/users.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
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

/** Picks the first option that starts so. */
async function chooseByKeys(page: Page, field: string, option: RegExp): Promise<void> {
  await tabTo(page, page.getByRole('combobox', { name: field }))
  await press(page, 'ArrowDown')
  const offered = page.getByRole('option')
  await offered.first().waitFor()
  const wanted = (await offered.allInnerTexts()).findIndex((text) => option.test(text))
  expect(wanted, `${field} offers ${String(option)}`).toBeGreaterThanOrEqual(0)
  const chosen = page.locator('[role=option][data-combobox-selected]')
  for (let step = 0; step < stepsMax; step += 1) {
    if (option.test((await chosen.allInnerTexts()).at(-1) ?? '')) break
    await press(page, 'ArrowDown')
  }
  await press(page, 'Enter')
  await offered.first().waitFor({ state: 'detached' })
}

test('a campaign is composed, reviewed and sent by keyboard alone, and the focus is never lost', async () => {
  const page = await openBrowser({ as: 'user' })
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  await tabTo(page, page.getByLabel('Campaign name'))
  await page.keyboard.type('By keyboard')
  await chooseByKeys(page, 'Sender ID (CLI)', /^01-597/)
  await tabTo(page, page.getByRole('radio', { name: /^Simple IVR/ }))
  await press(page, 'Space')
  await chooseByKeys(page, 'Welcome file', /^Welcome/)
  await tabTo(page, page.getByLabel('List of numbers'))
  await page.keyboard.type('9841000001')
  await tabTo(page, page.getByRole('button', { name: 'Check the numbers' }))
  await press(page, 'Enter')
  const estimate = page.getByRole('complementary', { name: 'Estimate' })
  await estimate.getByText('at most Rs').waitFor()
  await expectFocus(page, 'the check of the numbers')
  await tabTo(page, estimate.getByRole('button', { name: 'Send Now' }))
  await press(page, 'Enter')
  const send = page.getByRole('dialog', { name: 'Review' }).getByRole('button', { name: 'Send Now' })
  await send.and(page.locator(':enabled')).waitFor()
  await tabTo(page, send)
  await press(page, 'Enter')
  const done = page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' })
  await done.waitFor()
  await expectFocus(page, 'the launch')
  await tabTo(page, done)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Voice Campaign Summary' }).waitFor()
  await expectFocus(page, 'the way to the summary')
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
  async ({ calendar, typed, first, month, kept }) => {
    const { users } = await reseller.ask(userRoutes.list, { userId: reseller.userId, search: 'user2' })
    const { userId = 0 } = users[0] ?? {}
    const page = await openBrowser({ as: 'reseller' })
    await goTo(page, '/user-profile')
    await page.getByText(calendar, { exact: true }).click()
    await goTo(page, `/update-user/${userId}`)
    const field = page.getByRole('textbox', { name: 'Expiry date' })
    await tabTo(page, field)
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
