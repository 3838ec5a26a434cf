// @module-tag exhaustive
// Cheaper: web/src/components/ui/dialogs/dialogs.test.tsx has what dialogs share.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { polling } from '../../server/src/testing/timeouts.ts'
import { fillIn } from './campaign.ts'
import { openBrowser, useBrowser } from './console.ts'

useBrowser()

type Place = { x: number; y: number; width: number; height: number } | null
const placesOf = (parts: readonly Locator[]): Promise<Place[]> => Promise.all(parts.map((part) => part.boundingBox()))

/** Asserts that the parts stay in place before, while and after something covers the page. */
async function expectStill(page: Page, parts: readonly Locator[], cover: () => Promise<Locator>): Promise<void> {
  const before = await placesOf(parts)
  const top = await page.evaluate(() => window.scrollY)
  const { height = 0 } = page.viewportSize() ?? {}
  for (const place of before) {
    expect(place?.y).toBeGreaterThanOrEqual(0)
    expect(place?.y).toBeLessThan(height)
  }
  const covering = await cover()
  await covering.waitFor()
  const overflow = () => page.evaluate(() => getComputedStyle(document.documentElement).overflowY)
  await expect.poll(overflow, polling).toBe('hidden')
  await page.mouse.wheel(0, -100)
  expect(await placesOf(parts)).toEqual(before)
  await page.keyboard.press('Escape')
  await covering.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => window.scrollY)).toBe(top)
  expect(await placesOf(parts)).toEqual(before)
}

test.each([
  { screen: 'at a desk', viewport: { width: 1280, height: 720 }, isPhone: false },
  { screen: 'on a phone', viewport: { width: 375, height: 667 }, isPhone: true },
])(
  '$screen a dialog over a scrolled page leaves header, menu and estimate where they are',
  async ({ viewport, isPhone }) => {
    const page = await openBrowser({ as: 'user2', viewport })
    await fillIn(page, { name: 'Scrolled', template: 'Simple IVR', contacts: '9841000050' })
    const header = page.locator('header').first()
    const estimate = page.getByRole('complementary', { name: 'Estimate' })
    const sendButton = estimate.getByRole('button', { name: 'Send Now' })
    const parts = isPhone
      ? [header, sendButton]
      : [header, page.getByRole('navigation', { name: 'Main menu' }), estimate]
    await sendButton.scrollIntoViewIfNeeded()
    await expect.poll(() => page.evaluate(() => window.scrollY), polling).toBeGreaterThan(100)
    await expectStill(page, parts, async () => {
      await sendButton.click()
      return page.getByRole('dialog', { name: 'Review' })
    })
    await expectStill(page, parts, async () => {
      await page.keyboard.press('Control+k')
      return page.getByRole('dialog')
    })
  },
)
