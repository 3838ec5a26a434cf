import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '../../api/query.ts'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import FirstFactor from './FirstFactor.tsx'

await loadTexts('auth')
await loadTexts('factors')
afterEach(() => vi.restoreAllMocks())

test('the console opens when the second factor was added, even where its recovery codes could not be made', async () => {
  await setLanguage('en')
  const again = vi.spyOn(queryClient, 'invalidateQueries')
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const replies: Record<string, unknown> = {
    factors: { factors: [], recoveryCodes: null, passkeyHost: null, passkeyFault: null, isRequired: true },
    begin: { token: 'a'.repeat(43), secret, uri: `otpauth://totp/Ghanti:dipa?secret=${secret}`, mailed: false },
    totp: { message: 'Success', factorId: 1 },
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    const name = new URL(input instanceof Request ? input.url : input, location.href).pathname.split('/').at(-1) ?? ''
    const reply = new Map(Object.entries(replies)).get(name)
    const status = reply === undefined ? 409 : 200
    return Promise.resolve(new Response(JSON.stringify(reply ?? { message: 'No disk' }), { status }))
  })
  await renderApp(<FirstFactor />)
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await page.getByLabelText(/^Code that the app shows/).fill('123456')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(() => again.mock.calls).toContainEqual([{ queryKey: ['session'] }])
  await expect.element(page.getByRole('dialog')).toBeVisible()
})
