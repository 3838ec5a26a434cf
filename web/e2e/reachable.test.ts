// @module-tag exhaustive
// Cheaper: web/e2e/screens.test.ts has what can be reached on every screen.
import type { Page } from 'playwright-core'
import { userRoutes, type UserRow } from '@ghanti/contract/users.ts'
import { beforeAll, expect, test } from 'vitest'
import { scheduled } from './campaign.ts'
import { goTo, openBrowser, useBrowser } from './console.ts'

useBrowser()

beforeAll(() => scheduled('Within reach'))

const widths = [768, 1024, 1280, 1320, 1360, 1400, 1440]

/** What lies under something else in the row that has the pointer: controls, and the contents of cells. Each is first scrolled to. */
function covered(row: Element): string[] {
  const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? ''
  const controls = [...row.querySelectorAll('a, button, input, [role=switch]')]
  const cells = [...row.querySelectorAll('td:not([data-pinned])')].flatMap((cell) => [...cell.querySelectorAll('span')])
  return [...controls, ...cells].flatMap((element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    element.scrollIntoView({ block: 'nearest', inline: 'center' })
    const { left, right, top, bottom } = element.getBoundingClientRect()
    if (right - left < 1) return []
    const ends = [left + 1, (left + right) / 2, right - 1]
    const hit = ends.map((x) => document.elementFromPoint(x, (top + bottom) / 2))
    const over = hit.find((found) => found !== null && !element.contains(found) && !found.contains(element))
    return over ? [`${nameOf(element)} lies under ${nameOf(over) || over.outerHTML.slice(0, 80)}`] : []
  })
}

async function rowOf(page: Page) {
  const row = page.locator('tbody tr[data-row], tbody tr:has([aria-haspopup=menu])').first()
  await row.waitFor()
  await row.hover({ position: { x: 80, y: 10 } })
  return row
}

const nothingOver = '$path of $as: nothing in a row lies over something else, at any width'
async function expectNothingOver({ as, path }: { as: string; path: string }): Promise<void> {
  const page = await openBrowser({ as })
  await goTo(page, path)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const row = await rowOf(page)
    expect(await row.evaluate(covered), `${width} px`).toEqual([])
  }
}

// The rows with most in them. The lists share their table.
test.each([
  { as: 'reseller', path: '/voice-campaign-summary' },
  { as: 'superadmin', path: '/user-list' },
])(nothingOver, expectNothingOver)

test.each([
  { as: 'user', path: '/voice-campaign-summary' },
  { as: 'reseller', path: '/user-list' },
  { as: 'superadmin', path: '/cli-list' },
  { as: 'superadmin', path: '/trunk-list' },
  { as: 'user', path: '/voice-files' },
])(nothingOver, { tags: ['exhaustive'] }, expectNothingOver)

/** Boxes of text that end below the lines that their cell shows: a clamp puts its ellipsis only into text of its own. */
const cutOff = (table: Element): (string | null)[] =>
  [...table.querySelectorAll('td *')]
    .filter((element) => getComputedStyle(element).display === 'inline-block')
    .filter((element) => {
      const cell = element.parentElement
      if (!cell || getComputedStyle(cell).overflow === 'visible') return false
      return element.getBoundingClientRect().bottom > cell.getBoundingClientRect().bottom + 1
    })
    .map(({ textContent }) => textContent)

test('the names of plans and companies that need more than two lines end in an ellipsis', async () => {
  const page = await openBrowser({ as: 'reseller', viewport: { width: 1280, height: 800 } })
  const long = 'Festival season special for consultancies in Chitwan, Kaski and the far western hills'
  await page.route(`**${userRoutes.list.path.replace(':userId', '*')}?*`, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { users: UserRow[] }
    const users = reply.users.map((row) => ({ ...row, planName: long, company: long }))
    await route.fulfill({ response, json: { ...reply, users } })
  })
  await goTo(page, '/user-list')
  await page.getByRole('cell', { name: long }).first().waitFor()
  expect(await page.locator('tbody').evaluate(cutOff)).toEqual([])
})
