import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import LoginScreen from './LoginScreen.tsx'

test('an incomplete sign-in says so, and marks and focuses the missing field', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response('{}')))
  await loadTexts('auth')
  await renderApp(<LoginScreen />)
  const login = page.getByRole('button', { name: 'Login' })
  await login.click()
  await expect.element(page.getByText('Please enter username & password.')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Username' })).toHaveFocus()
  const marked = () => [...document.querySelectorAll<HTMLInputElement>('[aria-invalid=true]')].map(({ name }) => name)
  expect(marked()).toEqual(['username', 'password'])
  await page.getByRole('textbox', { name: 'Username' }).fill('user')
  await login.click()
  await expect.element(page.getByLabelText('Password', { exact: true })).toHaveFocus()
  expect(marked()).toEqual(['password'])
  vi.restoreAllMocks()
})
