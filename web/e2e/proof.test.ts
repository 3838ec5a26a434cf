// @module-tag exhaustive
// Cheaper: server/src/modules/auth/proof.test.ts has what asks for it, and that it is done once.
import { userRoutes } from '@ghanti/contract/users.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import {
  address,
  chooseAction,
  downloadedBy,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  phone,
  see,
  useBrowser,
} from './console.ts'

useBrowser()

/** The server's answer minutes after the sign-in (modules/auth/proof.test.ts), to the first `times` of these requests. Returns their keys. */
async function stale(page: Page, url: RegExp, times = 1): Promise<string[]> {
  const keys: string[] = []
  let left = times
  await page.route(url, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (left-- <= 0) return route.continue()
    const errors = [{ field: 'account', code: 'proof_needed', text: 'needs a fresh proof that it is you' }]
    await route.fulfill({ status: 403, json: { message: 'Not allowed', errors } })
  })
  return keys
}

test('a recharge minutes after the login asks for the password over its form, and is done once, under the same key', async () => {
  const reseller = await signInOver(address, 'reseller', password)
  const { users } = await reseller.ask(userRoutes.list, { userId: reseller.userId, search: 'user2' })
  const page = await openBrowser({ as: 'reseller' })
  const keys = await stale(page, /credits\/add$/)
  await goTo(page, '/user-list')
  await chooseAction(page, 'user2', 'Add Recharge')
  const form = page.getByRole('dialog', { name: 'Add Recharge: user2' })
  await form.getByLabel('Recharge amount').fill('3.25')
  expectRefusals(403, 400)
  await form.getByRole('button', { name: 'Add Recharge' }).click()
  const asked = page.getByRole('dialog', { name: 'Show that it is you' })
  await asked.getByText('What you are about to do needs your password.').waitFor()
  await expectAccessible(page, 'a proof is asked for')
  await asked.getByLabel('Password', { exact: true }).fill('not the password')
  await asked.getByRole('button', { name: 'Go on' }).click()
  await see(page, 'Password is not your present password')
  await asked.getByLabel('Password', { exact: true }).fill(password)
  await asked.getByRole('button', { name: 'Go on' }).click()
  await asked.waitFor({ state: 'detached' })
  await form.waitFor({ state: 'detached' })
  expectRefusals()
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[\da-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  const after = await reseller.ask(userRoutes.list, { userId: reseller.userId, search: 'user2' })
  expect(after.users[0]?.credits).toBeCloseTo((users[0]?.credits ?? 0) + 3.25)
})

test('who cancels loses nothing: the form says why it was not done', async () => {
  const page = await openBrowser({ as: 'reseller', viewport: phone })
  await stale(page, /credits\/add$/)
  await goTo(page, '/user-list')
  await chooseAction(page, 'user2', 'Add Recharge')
  const form = page.getByRole('dialog', { name: 'Add Recharge: user2' })
  await form.getByLabel('Recharge amount').fill('4.25')
  expectRefusals(403)
  await form.getByRole('button', { name: 'Add Recharge' }).click()
  await page.getByRole('dialog', { name: 'Show that it is you' }).getByRole('button', { name: 'Cancel' }).click()
  await see(page, /needs a fresh proof that it is you/)
  expectRefusals()
})

test('a download that is a link asks, too, and then comes', async () => {
  const page = await openBrowser({ as: 'reseller' })
  await goTo(page, '/user-list')
  // The frame that would download, and the question why it did not.
  await stale(page, /\/api\/obd\/user\/.*csv/, 2)
  expectRefusals(403)
  const file = await downloadedBy(page, async () => {
    await page.getByRole('link', { name: 'Export All Columns' }).click()
    const asked = page.getByRole('dialog', { name: 'Show that it is you' })
    await asked.getByLabel('Password', { exact: true }).fill(password)
    await asked.getByRole('button', { name: 'Go on' }).click()
  })
  expectRefusals()
  expect(file.bytes.toString()).toContain('user2')
})
