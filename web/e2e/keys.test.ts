// @module-tag exhaustive
// Cheaper: web/src/shell/keys.test.ts has the keys, server/src/modules/find/find.test.ts who finds what.
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, expectAccessible, goTo, openBrowser, password, phone, useBrowser } from './console.ts'

useBrowser()
let user: Page
let campaignId: number
const path = (page: Page) => new URL(page.url()).pathname.replace(/^\/build/, '')

beforeAll(async () => {
  const api = await signInOver(address, 'user', password)
  const [line] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const [welcome] = await api.ask(promptRoutes.list, {
    userId: api.userId,
    promptCategory: 'welcome',
    promptStatus: '1',
  })
  const { baseId } = await api.ask(contactRoutes.paste, { contactList: '9841000001' })
  const later = nepalTimeOf(new Date(Date.now() + 48 * 3600_000))
  const campaign = { templateId: 0, cli: line?.cli, baseId, welcomePId: welcome?.promptId, scheduleTime: later }
  campaignId = (await api.ask(composeRoutes.compose, { ...campaign, campaignName: 'Marigold evening' })).campaignId
  user = await openBrowser({ as: 'user' })
})

test('one letter and two go to screens, / searches, n adds, ? shows the keys; none of them while somebody types', async () => {
  await goTo(user, '/')
  // The shortcuts load in the page's first idle moment.
  const goToCampaigns = async () => {
    for (const key of ['g', 'c']) await user.keyboard.press(key)
    return path(user)
  }
  await expect.poll(goToCampaigns, { interval: 500 }).toBe('/voice-campaign-summary')
  await user.getByRole('searchbox').waitFor()
  await user.keyboard.press('/')
  await expect.poll(() => user.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('searchbox')
  await user.keyboard.type('n?gb')
  expect([path(user), await user.getByRole('searchbox').inputValue()]).toEqual(['/voice-campaign-summary', 'n?gb'])
  expect(await user.getByRole('dialog').count()).toBe(0)

  await goTo(user, '/voice-campaign-summary')
  await user.keyboard.press('?')
  const keys = user.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Go to: Voice Campaign Summary').waitFor()
  await keys.getByText('Add to this list').waitFor()
  expect(await keys.getByText('Go to: User List').count()).toBe(0)
  await expectAccessible(user, 'the keys')
  await keys.getByLabel('Use one-letter keys').uncheck()
  await user.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await user.keyboard.press('n')
  await user.keyboard.press('?')
  await user.keyboard.press('Control+k')
  const search = user.getByRole('textbox', { name: 'Go to…' })
  await search.fill('keys')
  await user.getByRole('button', { name: /^Keys/ }).click()
  expect(path(user)).toBe('/voice-campaign-summary')
  await keys.getByLabel('Use one-letter keys').check()
  await user.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await user.keyboard.press('n')
  await expect.poll(() => path(user)).toBe('/add-voice-campaign')
})

test('Ctrl K finds one’s own campaign by name and by id, offers it again first, and nothing of another’s', async () => {
  await goTo(user, '/')
  await user.keyboard.press('Control+k')
  const search = user.getByRole('textbox', { name: 'Go to…' })
  await search.fill('marigold')
  await user.getByRole('button', { name: /^Marigold evening/ }).waitFor()
  await expectAccessible(user, 'the palette')
  await user.keyboard.press('Enter')
  await expect.poll(() => path(user)).toBe(`/voice-campaign-summary/${campaignId}`)
  await goTo(user, '/')
  await user.getByRole('button', { name: /^Go to…/ }).click()
  await expect.poll(() => user.locator('[data-action]').first().innerText()).toContain('Marigold evening')
  await search.fill('98412 34567')
  await user.getByRole('button', { name: 'Is 98412 34567 blacklisted?' }).click()
  await expect.poll(() => user.getByLabel('Is this number blacklisted?').inputValue()).toBe('9841234567')

  const other = await openBrowser({ as: 'user2' })
  for (const wanted of ['marigold', `#${campaignId}`]) {
    await goTo(other, '/')
    await other.keyboard.press('Control+k')
    await other.getByRole('textbox', { name: 'Go to…' }).fill(wanted)
    await other.getByText(`Nothing matches “${wanted}”.`).waitFor()
    await other.getByRole('button', { name: 'Clear the search' }).click()
    await other
      .locator(':focus')
      .and(other.getByRole('textbox', { name: 'Go to…' }))
      .waitFor()
  }
})

test('a reseller finds accounts below by name; on a phone the palette opens from its sign', async () => {
  const reseller = await openBrowser({ as: 'reseller' })
  await reseller.setViewportSize(phone)
  await goTo(reseller, '/')
  await reseller.getByRole('button', { name: /^Go to…/ }).click()
  await reseller.getByRole('textbox', { name: 'Go to…' }).fill('user2')
  await reseller.getByRole('button', { name: /^user2/ }).click()
  await reseller.getByRole('heading', { level: 1, name: 'Customer user2' }).waitFor()
  expect(await reseller.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
})

test('the palette has what can be done by role: CLIs by digits, and a customer’s recharge', async () => {
  const reseller = await openBrowser({ as: 'reseller' })
  await goTo(reseller, '/')
  await reseller.keyboard.press('Control+k')
  const search = reseller.getByRole('textbox', { name: 'Go to…' })
  await search.fill('01-5970')
  const cli = reseller.getByRole('button', { name: /^01-597 0/ }).first()
  await cli.waitFor()
  await expectAccessible(reseller, 'CLIs in the palette')
  await cli.click()
  await expect.poll(() => path(reseller)).toBe('/cli-list')
  await reseller.keyboard.press('Control+k')
  await search.fill('user2')
  await reseller.getByRole('button', { name: 'Add Recharge: user2' }).click()
  await reseller.getByRole('dialog', { name: 'Add Recharge: user2' }).getByLabel('Recharge amount (Rs)').waitFor()
})
