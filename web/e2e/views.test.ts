// @module-tag exhaustive
// Cheaper: server/src/modules/saved-views/saved-views.test.ts has whose views, web/src/components/table/filters/views.test.ts what is in one.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, goTo, openBrowser, phone, see, useBrowser } from './console.ts'

useBrowser()
const list = '/voice-campaign-summary'
const query = (page: Page) => new URL(page.url()).search

/** Opens a list and waits for its views too. */
async function goToList(page: Page, asked = ''): Promise<void> {
  const views = page.waitForResponse((response) => response.url().includes('/api/obd/views?'))
  await goTo(page, list + asked)
  await views
}

test('a view is saved, survives a reload, is chosen, opens by default, is renamed, and is deleted with an undo', async () => {
  const page = await openBrowser({ as: 'user2' })
  const menu = page.getByRole('group', { name: 'Views' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await goToList(page, '?status=paused&search=Tihar&sort=campaignName&page=2')
  await button('Views').click()
  await menu.getByLabel('Name of the view').fill('Held ones')
  await expectAccessible(page, 'the form of a view')
  await button('Save this view').click()
  await button('Saved view: Held ones').waitFor()

  await page.reload()
  await button('Saved view: Held ones').click()
  await expectAccessible(page, 'the menu of views')
  await menu.getByRole('button', { name: 'Everything' }).click()
  await button('Views').waitFor()
  expect(query(page)).toBe('')
  await button('Views').click()
  await menu.getByRole('button', { name: 'Held ones', exact: true }).click()
  await button('Saved view: Held ones').waitFor()
  const asked = '?status=paused&search=Tihar&sort=campaignName'
  expect(query(page)).toBe(asked)

  await button('Saved view: Held ones').click()
  await menu.getByRole('button', { name: 'Open the list with “Held ones”', pressed: false }).click()
  await menu.getByRole('button', { name: 'Open the list with “Held ones”', pressed: true }).waitFor()
  await menu.getByRole('button', { name: 'Rename “Held ones”' }).click()
  await menu.getByLabel('Name of the view').fill('On pause')
  await menu.getByRole('button', { name: 'Rename', exact: true }).click()
  await button('Saved view: On pause').waitFor()
  await goToList(page)
  await expect.poll(() => query(page)).toBe(asked)
  await goToList(page, '?status=running')
  await button('Views').waitFor()
  expect(query(page)).toBe('?status=running')

  await button('Views').click()
  await menu.getByRole('button', { name: 'Delete “On pause”' }).click()
  await see(page, 'The view “On pause” was deleted.')
  await button('Undo').click()
  await button('Views').click()
  await menu.getByRole('button', { name: 'Delete “On pause”' }).click()
  await menu.getByRole('button', { name: 'Delete “On pause”' }).waitFor({ state: 'detached' })
  await goToList(page)
  await button('Views').waitFor()
  expect(query(page)).toBe('')
})

test('a URL that sorts by a column that no longer exists says so, and the list works', async () => {
  const page = await openBrowser({ as: 'user2' })
  await goToList(page, '?sort=-colour')
  await see(page, 'This view sorts by a column that no longer exists: colour. The list is in its usual order.')
  await page.getByRole('table').waitFor()
})

test('a saved view with a filter and a column that no longer exist opens without them, and says so', async () => {
  const page = await openBrowser({ as: 'user2' })
  // The server no longer accepts such a view, but an earlier version stored it.
  const old = { viewId: 1, name: 'Years ago', query: 'status=paused&colour=red&sort=-hue', isDefault: false }
  await page.route('**/api/obd/views?*', (route) => route.fulfill({ json: [old] }))
  await goToList(page)
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('button', { name: old.name, exact: true }).click()
  await see(page, 'This address asks for a filter that does not exist: colour. It was left out.')
  await see(page, 'This view sorts by a column that no longer exists: hue. The list is in its usual order.')
  await page.getByRole('button', { name: 'Remove the filter Campaign Status' }).waitFor()
})

test('a search that does not cover everything says what it covers', async () => {
  const page = await openBrowser({ as: 'reseller' })
  for (const [path, said] of [
    ['/audit-log', 'Searches usernames and, with three letters or more,'],
    ['/credits-history', 'Searches accounts, companies and actions and, with three letters or more, campaigns'],
    ['/sms-texts', 'Searches names, texts and usernames.'],
  ] as const) {
    await goTo(page, path)
    expect(await page.getByText(said).count()).toBe(0)
    await page.getByRole('searchbox').fill('zq')
    await see(page, said)
  }
})

test('a statement requested for no account says so and shows the viewer’s own', async () => {
  const page = await openBrowser({ as: 'reseller' })
  await goTo(page, '/credits-statement?account=abc')
  await see(page, '“abc” is not an account. These are your own credits.')
  await page.getByText('Opening balance', { exact: true }).waitFor()
})

test('on a phone one button beside the search opens filters and views, and the balance below the header covers nothing', async () => {
  const page = await openBrowser({ as: 'user2', viewport: phone })
  await goToList(page)
  const search = await page.getByRole('searchbox').boundingBox()
  const button = await page.getByRole('button', { name: 'Options of the list' }).boundingBox()
  expect(Math.min(search?.height ?? 0, button?.height ?? 0)).toBeGreaterThanOrEqual(44)
  expect(button?.y).toBe(search?.y)
  await page.getByRole('button', { name: 'Options of the list' }).click()
  const sheet = page.getByRole('group', { name: 'Options of the list' })
  for (const name of ['Campaign Status', 'Views', 'Refresh'])
    await sheet.getByRole('button', { name, exact: true }).waitFor()
  await expectAccessible(page, 'the sheet of a list')
  await page.keyboard.press('Escape')
  const balance = await page.locator('header output').boundingBox()
  const first = await page.locator('main > p').first().boundingBox()
  expect(first?.y).toBeGreaterThanOrEqual((balance?.y ?? 0) + (balance?.height ?? 0))
})
