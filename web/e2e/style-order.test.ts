// @module-tag exhaustive
// It is about how style sheets load: web/e2e/screens.test.ts and web/src/styles/tokens.test.ts see what they bring about.
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { scheduled } from './campaign.ts'
import { goOn, goTo, openBrowser, useBrowser } from './console.ts'

useBrowser()

const subject = 'Styles in order'
const list = '/voice-campaign-summary?status=ready'
const menuItemMinPx = 32
const touchablePx = 32
/** WCAG's least contrast of text. */
const contrastMin = 4.5

beforeAll(() => scheduled(subject))

/** A screen's styles come with it, some in the page and others later, so these orders load the sheets of one page differently. */
const orders: readonly { before: readonly string[] }[] = [
  { before: [] },
  { before: ['/'] },
  { before: ['/add-voice-campaign', '/voice-files'] },
  { before: ['/insight', '/user-profile', '/calendar'] },
  { before: ['/report', '/sms-inbox', '/add-sms-campaign', '/voice-blacklist', '/'] },
]

type Measured = { height: number; paddingBlock: number; paddingInline: number; contrast: number }

/** Its box, and the contrast of its text with the nearest ground behind it. */
function measure(item: Locator): Promise<Measured> {
  return item.evaluate((element) => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = (colour: string): number => {
      const [r = 0, g = 0, b = 0] = channels(colour).map((of) => {
        const share = of / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const groundOf = (of: Element | null): string => {
      if (!of) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(of)
      return channels(backgroundColor)[3] === 0 ? groundOf(of.parentElement) : backgroundColor
    }
    const { paddingTop, paddingBottom, paddingLeft, paddingRight, color } = getComputedStyle(element)
    const [dark = 0, light = 0] = [luminance(color), luminance(groundOf(element))].sort((a, b) => a - b)
    return {
      height: element.getBoundingClientRect().height,
      paddingBlock: Math.min(parseFloat(paddingTop), parseFloat(paddingBottom)),
      paddingInline: Math.min(parseFloat(paddingLeft), parseFloat(paddingRight)),
      contrast: (light + 0.05) / (dark + 0.05),
    }
  })
}

async function visit(page: Page, order: readonly string[]): Promise<void> {
  const [first = list, ...others] = order
  await goTo(page, first)
  for (const path of others) await goOn(page, path)
  await page.getByRole('button', { name: `Take Action: ${subject}` }).waitFor()
}

async function expectDesigned({ before }: (typeof orders)[number]): Promise<void> {
  const page = await openBrowser({ as: 'user', viewport: { width: 1280, height: 800 } })
  await visit(page, [...before, list])

  const chip = await measure(page.locator('button', { hasText: 'Ready' }).and(page.locator('main button')).first())
  expect(chip.height).toBeGreaterThanOrEqual(touchablePx - 2) // its frame is the chip's
  expect(chip.paddingInline).toBeGreaterThanOrEqual(4)
  expect(chip.contrast).toBeGreaterThan(contrastMin)

  expect(await page.getByRole('button', { name: 'Open the menu' }).isVisible(), 'a phone’s button').toBe(false)

  await page.getByRole('button', { name: `Take Action: ${subject}` }).click()
  await page.getByRole('menuitem').first().waitFor()
  const items = await page.getByRole('menuitem').all()
  expect(items.length).toBeGreaterThan(3)
  for (const item of items) {
    const { height, paddingBlock, paddingInline } = await measure(item)
    expect(height).toBeGreaterThanOrEqual(menuItemMinPx)
    expect(paddingBlock).toBeGreaterThanOrEqual(4)
    expect(paddingInline).toBeGreaterThanOrEqual(8)
  }
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  const chosen = await measure(page.locator('[data-action][data-selected]'))
  expect(chosen.height).toBeGreaterThanOrEqual(menuItemMinPx)
  expect(chosen.paddingInline).toBeGreaterThanOrEqual(8)
  expect(chosen.contrast).toBeGreaterThan(contrastMin)
  await page.keyboard.press('Escape')

  await goOn(page, '/add-voice-campaign')
  const hints = page.locator('main .mantine-Checkbox-description')
  await hints.first().waitFor()
  const indents = await hints.evaluateAll((all) =>
    all.map((hint) => {
      const label = hint.parentElement?.querySelector('label')
      return label && parseFloat(getComputedStyle(hint).paddingLeft) - parseFloat(getComputedStyle(label).paddingLeft)
    }),
  )
  expect(new Set(indents), 'what explains a choice begins below its words').toEqual(new Set([0]))
}

const name = 'a menu, the palette, a chip and the hint of a choice are as designed after $before'
// The fewest sheets and the most: those between differ in one or two.
test.each([orders[0], orders.at(-1)].filter((order) => order !== undefined))(name, expectDesigned)
test.each(orders.slice(1, -1))(name, { tags: ['exhaustive'] }, expectDesigned)
