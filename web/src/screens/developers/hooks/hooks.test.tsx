import type { HookRow } from '@ghanti/contract/hooks.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '../../../api/query.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import Hooks from './Hooks.tsx'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
let hooks: HookRow[]
const asked: string[] = []

beforeEach(() => {
  hooks = []
  asked.splice(0)
  queryClient.clear()
  vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    const to = new URL(String(address), location.origin).pathname
    if (init?.method !== 'POST') return Response.json(hooks)
    asked.push(`${to} ${String(init.body)}`)
    if (to.endsWith('/test')) {
      hooks = hooks.map((hook) => ({ ...hook, state: 'active', reason: null, deliveredAt: '2026-11-28 10:15:00' }))
      return Response.json({ message: 'Success', deliveryId: 8 })
    }
    hooks = [hookOf('answered 500')]
    return Response.json({ message: 'Success', hookId: 3, secret })
  })
})

const hookOf = (reason: string | null): HookRow => ({
  hookId: 3,
  host: 'bank.example.com',
  events: ['messages.changed'],
  state: 'unverified',
  reason,
  restsUntil: null,
  rotatesUntil: null,
  createdAt: '2026-11-28 10:00:00',
  deliveredAt: null,
})

test('a webhook is added, its secret is shown this once, and it is active after a test that arrived', async () => {
  await renderApp(<Hooks />)
  await expect.element(page.getByText('No webhook yet.', { exact: false })).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('https://bank.example.com/ghanti')
  await page.getByRole('button', { name: 'Make the webhook' }).click()
  await expect.element(page.getByLabelText('The secret', { exact: true })).toHaveTextContent(secret)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText('Not tested')).toBeVisible()
  await expect.element(page.getByText('Answered 500')).toBeVisible()
  await expect.element(page.getByText(secret)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Test the webhook bank.example.com' }).click()
  await expect.element(page.getByText('A test is on its way to bank.example.com.')).toBeVisible()
  await expect.element(page.getByText('Active', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Last delivery', { exact: false })).toBeVisible()
  await expectAccessible()
  expect(asked[0]).toContain('"url":"https://bank.example.com/ghanti"')
  expect(asked[1]).toBe('/api/v1/hooks/test {"hookId":3}')
  expect(asked).toHaveLength(2)
})
