// @module-tag exhaustive
// Cheaper: server/src/modules/keys/keys.test.ts has every rule of keys.
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './accounts.ts'
import {
  address,
  chooseOption,
  confirmWith,
  expectAccessible,
  expectRefusals,
  goTo,
  openBrowser,
  phone,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

useBrowser()

const login = { username: 'dev', password: 'sunlit-teapot-47-goat', emailid: 'dev@example.com' }
beforeAll(() => newUser({ name: 'Dev', number: '9841000081', ...login }))

test('a key is made with what it may do and from where, shown once, replaced and revoked, on a phone', async () => {
  const page = await openBrowser({ viewport: phone })
  const { request } = page.context()
  const { username, password } = login
  expect((await request.post('/api/obd/login', { data: { username, password } })).status()).toBe(200)
  /** 403 for a key that works: none may read keys. */
  const statusOf = async (key: string) =>
    (await fetch(`${address}/api/obd/keys`, { headers: { authorization: `Bearer ${key}` } })).status
  await goTo(page, '/developers', 'Developers')
  await page.getByRole('button', { name: 'Add a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await see(page, 'Name of the program is required')
  await dialog.getByLabel('Name of the program').fill('Core banking')
  await chooseOption(page, 'What it may do', 'Credits and plans: read and change')
  await page.keyboard.press('Escape')
  expectRefusals(400)
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await see(page, /are needed for the scope credits:write/)
  expectRefusals()
  await dialog.getByLabel('Only from these networks').fill('127.0.0.0/8, 203.0.113.9')
  await expectAccessible(page, 'a new key')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  const shown = page.getByLabel('The key', { exact: true })
  const first = (await shown.textContent()) ?? ''
  expect(first).toMatch(/^gh_live_[0-9a-f]{72}$/)
  expect(await statusOf(first)).toBe(403)
  await expectAccessible(page, 'a key that is shown')
  await page.getByRole('button', { name: 'Done' }).click()
  await see(page, `…${first.slice(-4)}`)
  await see(page, '127.0.0.0/8, 203.0.113.9')
  expect(await page.getByText(first).count()).toBe(0)

  await page.getByRole('button', { name: 'Replace the key of “Core banking”' }).click()
  await chooseOption(page, 'The old key works for', 'not one second')
  await page.getByRole('button', { name: 'Make the new key' }).click()
  const second = (await shown.textContent()) ?? ''
  expect(second).not.toBe(first)
  await page.getByRole('button', { name: 'Done' }).click()
  await see(page, 'Ended')
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 403])

  await page.getByRole('button', { name: 'Revoke the key of “Core banking”' }).click()
  await confirmWith(
    page,
    'Revoke Core banking?',
    'The program that uses it is refused from now on. This cannot be undone.',
  )
  await seeDone(page, 'The key of “Core banking” works no more.')
  expect(await statusOf(second)).toBe(401)
})
