// @module-tag exhaustive
// Cheaper: server/src/modules/auth/reset.test.ts has the link, web/src/screens/auth/reset.test.tsx the form.
import { expect, test } from 'vitest'
import { expectAccessible, expectRefusals, openBrowser, see, useBrowser } from './console.ts'

useBrowser()

test('a forgotten password is replaced by a mailed link, once', async () => {
  const page = await openBrowser()
  await page.goto('/')
  await page.getByRole('link', { name: 'Reset password?' }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await see(page, 'Please enter Username')

  expectRefusals(400)
  await page.getByLabel('Username').fill('nobody of that name')
  await page.getByRole('button', { name: 'Submit' }).click()
  await see(page, 'Something went wrong')
  await page.getByRole('button', { name: 'OK' }).click()
  await see(page, 'Wrong username')
  expectRefusals()

  await page.getByLabel('Username').fill('client') // an account that no other test signs in as
  await page.getByRole('button', { name: 'Submit' }).click()
  await see(page, 'Link sent to registered mail')
  await page.getByRole('button', { name: 'OK' }).click()
  const [mailbox] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'read it in its mailbox' }).click(),
  ])
  await expect.poll(() => mailbox.reload().then(() => mailbox.getByText('To client@ghanti.example').count())).toBe(1)
  const mail = mailbox.locator('article', { hasText: 'To client@ghanti.example' })
  const link = await mail.getByRole('link').first().innerText()
  await mailbox.close()
  await page.getByRole('button', { name: 'Submit' }).click()
  await see(page, /^A link was mailed a short while ago\. .* another can be sent in \d+ min\.$/)

  await page.goto(new URL(link).pathname)
  await page.getByRole('button', { name: 'Update' }).click()
  await see(page, 'Please enter Password')
  const choose = async (password: string, again: string): Promise<void> => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password', { exact: true }).fill(again)
    await page.getByRole('button', { name: 'Update' }).click()
  }
  await choose('another password', 'another passwort')
  await see(page, "Password & Confim Password don't match")
  expectRefusals(400)
  await page.getByLabel('Password', { exact: true }).fill('ghanti-demo')
  await see(page, 'Made of names that others know')
  await expectAccessible(page, 'the meter of a new password')
  await choose('ghanti-demo', 'ghanti-demo')
  await see(page, 'Password is made of names that others know: of the account, its owner or the company')
  await page.getByRole('button', { name: 'OK' }).click()
  expectRefusals()
  await page.getByLabel('Password', { exact: true }).fill('marigold tunnel 58')
  await see(page, 'Strong')
  await choose('marigold tunnel 58', 'marigold tunnel 58')
  await see(page, 'Password Reset Successfully')
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')

  expectRefusals(400)
  await page.goto(`/old/console${new URL(link).pathname}`) // a path that contains /update-pwd
  await choose('marigold tunnel 59', 'marigold tunnel 59')
  await see(page, 'Password Reset Failed')
  await see(page, /^The link is no longer valid/)
  expectRefusals()
})
