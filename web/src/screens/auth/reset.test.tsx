import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import ResetPasswordScreen from './ResetPasswordScreen.tsx'

await loadTexts('auth')
afterEach(() => vi.restoreAllMocks())

test('an address that nobody has confirmed is no failure: the page says which link was mailed, and what then', async () => {
  const errors = [{ field: 'username', code: 'not_confirmed', text: 'has a mail address that nobody has confirmed' }]
  const reply = JSON.stringify({ message: 'Parameters Incorrect', errors })
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(reply, { status: 400 })))
  await renderApp(<ResetPasswordScreen />, '/reset-pwd')
  await page.getByLabelText('Username').fill('client')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect.element(page.getByText(/we have mailed a link that does/)).toBeVisible()
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
  expect(document.body.textContent).not.toContain('Something went wrong')
})

test('an unexpected answer to a reset is Something went wrong with its message, even with status 200', async () => {
  const reply = JSON.stringify({ message: 'The mail queue is full' })
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(reply)))
  await renderApp(<ResetPasswordScreen />, '/reset-pwd')
  await page.getByLabelText('Username').fill('client')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Error' }).getByText('Something went wrong')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect.element(page.getByRole('alert').getByText('The mail queue is full')).toBeVisible()
})
