// @module-tag exhaustive
// Cheaper: web/src/components/dates/dates.test.tsx types days of both calendars.
import { userRoutes } from '@ghanti/contract/users.ts'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, expectAccessible, goTo, openBrowser, password, see, useBrowser } from './console.ts'

useBrowser()
let userId: number

beforeAll(async () => {
  const reseller = await signInOver(address, 'reseller', password)
  const { users } = await reseller.ask(userRoutes.list, { userId: reseller.userId, search: 'user2' })
  userId = users[0]?.userId ?? 0
})

test('with BS chosen in the profile an expiry date is typed in BS; the server stores the day in AD', async () => {
  const page = await openBrowser({ as: 'reseller' })
  await goTo(page, '/user-profile')
  await page.getByText('BS', { exact: true }).click()
  await goTo(page, `/update-user/${userId}`)
  const expiry = page.getByRole('textbox', { name: 'Expiry date' })
  await page.getByLabel('Never expires').uncheck()
  await expiry.fill('2085-01-01')
  await see(page, 'AD 13 April 2028')
  await page.getByRole('button', { name: 'Update User' }).click()
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  const reseller = await signInOver(address, 'reseller', password)
  const { expiryDate } = await reseller.ask(userRoutes.profile, { userId })
  expect(expiryDate).toBe('2028-04-13 23:59:59')
  await goTo(page, '/user-list?search=user2', 'Users')
  const listed = page.getByRole('row').filter({ hasText: 'user2' }).getByText('2085-01-01')
  await listed.hover()
  await expect.poll(() => listed.getAttribute('title')).toContain('AD 2028-04-13')

  await goTo(page, `/update-user/${userId}`)
  await expect.poll(() => expiry.inputValue()).toBe('2085-01-01')
  await expiry.fill('2091-01-01')
  await page.getByRole('button', { name: 'Update User' }).click()
  await see(page, /up to the end of 2090/)
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  await page
    .getByRole('dialog')
    .getByText('Chaitra 2090')
    .or(page.getByRole('dialog').getByText(/20\d\d/))
    .first()
    .waitFor()
  await expectAccessible(page, 'the calendar of an expiry date')
  await page.getByRole('dialog').getByText('AD', { exact: true }).click()
  await page.keyboard.press('Escape')
  await expiry.fill('2028-04-12')
  await see(page, /^BS 2084 Chaitra \d+/)
})
