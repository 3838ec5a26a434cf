import { beforeEach, expect, test } from 'vitest'
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

beforeEach(() => setLanguage('en'))

const sidebar = (props: { isRail?: boolean; onExpand?: () => void } = {}) => (
  <SessionContext value={session}>
    <Sidebar here={undefined} open isRail={false} onClose={() => undefined} onExpand={() => undefined} {...props} />
  </SessionContext>
)
const group = (name: string | RegExp) => page.getByRole('button', { name })

test('the badge of waiting columns leads to the waiting campaigns, the entry to all', async () => {
  const { address } = await renderApp(sidebar())
  await group('Messages').click()
  const badge = page.getByRole('link', { name: '3 waiting SMS Campaign Summary' })
  await expect.element(badge).not.toBeInTheDocument()
  takeWaiting(JSON.stringify({ prompts: 2, alerts: 0, senders: 0, texts: 0, values: 3 }))
  await badge.click()
  expect(address()).toBe('?values=waiting')
  await page.getByRole('link', { name: 'SMS Campaign Summary', exact: true }).click()
  expect(address()).toBe('')
  await expect.element(group('Voice files 2 waiting')).toHaveAttribute('aria-expanded', 'false')
  await group('Voice files 2 waiting').click()
  await expect.element(page.getByRole('link', { name: 'Prompts for Approval 2 waiting' })).toBeVisible()
  await expectAccessible()
})

test('a group opens and folds, and the others stay as they are', async () => {
  await renderApp(sidebar())
  await expect.element(page.getByRole('link', { name: 'Trunks' })).not.toBeInTheDocument()
  await group('Operate').click()
  await group('Customers').click()
  await expect.element(group('Operate')).toHaveAttribute('aria-expanded', 'true')
  await expect.element(page.getByRole('group', { name: 'Operate' }).getByRole('link', { name: 'Trunks' })).toBeVisible()
  await group('Operate').click()
  await expect.element(page.getByRole('link', { name: 'Trunks' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: 'User List' })).toBeVisible()
  await expectAccessible()
})

test('as icons the groups keep their names, and one that is clicked makes room', async () => {
  let expanded = 0
  await renderApp(sidebar({ isRail: true, onExpand: () => expanded++ }))
  await expect.element(group('Money')).toHaveAttribute('aria-expanded', 'false')
  await group('Money').click()
  expect(expanded).toBe(1)
  await expectAccessible()
})
