import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { SessionContext, type Session } from '../api/session.ts'
import { takeWaiting } from '../api/waiting.ts'
import { setLanguage } from '../i18n/language.ts'
import { expectAccessible, renderApp } from '../testing/render-app.tsx'
import { Sidebar } from './Sidebar.tsx'

const session = {
  role: 'superAdmin',
  userId: 1,
  username: 'superadmin',
  balance: null,
  stopped: [],
} as unknown as Session

test('the badge of waiting columns leads to the waiting campaigns, the entry to all', async () => {
  await setLanguage('en')
  const { address } = await renderApp(
    <SessionContext value={session}>
      <Sidebar open onClose={() => undefined} />
    </SessionContext>,
  )
  const badge = page.getByRole('link', { name: '3 waiting SMS Campaign Summary' })
  await expect.element(badge).not.toBeInTheDocument()
  takeWaiting(JSON.stringify({ prompts: 2, alerts: 0, senders: 0, texts: 0, values: 3 }))
  await badge.click()
  expect(address()).toBe('?values=waiting')
  await page.getByRole('link', { name: 'SMS Campaign Summary', exact: true }).click()
  expect(address()).toBe('')
  await expect.element(page.getByRole('link', { name: 'Prompts for Approval 2 waiting' })).toBeVisible()
  await expectAccessible()
})
