import type { SenderRow } from '@ghanti/contract/sms-senders.ts'
import type { TextRow } from '@ghanti/contract/sms-texts.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { brandingQuery } from '../../../api/branding.ts'
import { queryClient } from '../../../api/query.ts'
import { SessionContext, type Session } from '../../../api/session.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import Reference from './Reference.tsx'

const sender = { cliId: 2, cliName: 'HimalBank', cliStatus: 1 } as SenderRow
const saved = {
  textId: 12,
  textName: 'Received',
  smsText: 'Rs {amount} was received, {name}. {mobile}',
} as TextRow
const plain: SenderRow = {
  ...sender,
  operators: ['ntc'],
  tps: null,
  reason: null,
  userId: 3,
  username: 'user',
} as SenderRow
let senders: unknown[]
let texts: unknown[]
let sent: unknown[]

beforeEach(() => {
  senders = [{ ...plain, company: 'Himal Bank', askedAt: '2026-11-01 10:00:00', others: null }]
  texts = [
    {
      ...saved,
      textStatus: 1,
      urgent: false,
      reason: null,
      userId: 3,
      username: 'user',
      accountType: 1,
      changedAt: '2026-11-01 10:00:00',
    },
  ]
  sent = []
  localStorage.removeItem('ghanti-code')
  queryClient.clear()
  vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    const { pathname } = new URL(String(address), location.origin)
    if (init?.method === 'POST') {
      sent.push(JSON.parse(String(init.body)))
      return Response.json({ message: 'Request Failed!! Please try again', errors: [lacking] }, { status: 409 })
    }
    if (pathname.startsWith('/app/sms/cli/')) return Response.json(senders)
    if (pathname.startsWith('/app/sms/texts/')) return Response.json(texts)
    if (pathname.endsWith('/plan')) return Response.json({ plan: null })
    return Response.json({ message: 'No data found' }, { status: 404 })
  })
})

const lacking = { field: 'message', code: 'balance_short', text: 'costs Rs 1.50, and Rs 0.20 are free' }
const show = (role: Session['role'] = 'user') =>
  renderApp(
    <SessionContext value={{ role, userId: 3, username: 'user' } as unknown as Session}>
      <Reference />
    </SessionContext>,
  )
const example = page.getByRole('region', { name: 'Example: Send a message' })
const holds = (part: string) => expect.poll(() => example.query()?.textContent ?? '').toContain(part)

test('examples hold the reader’s sender ID, saved text and its columns, in the language that was chosen last', async () => {
  const first = await show()
  for (const part of [
    '"from": "HimalBank"',
    '"template": 12',
    '"amount": "1,250.00"',
    '"name": "Sita"',
    `${location.origin}/api/v1/messages`,
  ])
    await holds(part)
  expect(example.element().textContent).not.toContain('mobile')
  await page.getByText('PHP', { exact: true }).click()
  await holds("'from' => 'HimalBank'")
  await page.getByRole('combobox', { name: 'Your text' }).selectOptions('Without a saved text')
  await holds("'text' => 'Your code is 471108.'")
  await page.getByRole('searchbox', { name: 'Search the codes' }).fill('scope')
  await expect.element(page.getByRole('rowheader', { name: 'scope_missing' })).toBeVisible()
  await expectAccessible()
  await first.unmount()
  await show()
  await holds("'template' => 12")
})

test('without a sender ID and a text of one’s own it says how to get them, and sends nothing', async () => {
  senders = []
  texts = []
  await show()
  await holds('YOUR-NAME')
  await expect.element(page.getByRole('link', { name: 'Ask for a sender ID' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Save a text' })).toBeVisible()
  await expect.element(page.getByText('Nothing can be sent before', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send', exact: true })).not.toBeInTheDocument()
  await expectAccessible()
})

test('outside the demo nothing is sent without a confirmation, and a refusal is shown as a program gets it', async () => {
  queryClient.setQueryData(brandingQuery.queryKey, { company: 'X', logoUrl: null, primaryColour: null, demo: false })
  await show()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.element(page.getByText('A telephone gets it', { exact: false })).toBeVisible()
  expect(sent).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  const answer = page.getByRole('region', { name: 'What is answered' })
  await expect.poll(() => answer.query()?.textContent ?? '').toContain('balance_short')
  expect(sent).toEqual([
    {
      to: '9841000001',
      from: 'HimalBank',
      template: 12,
      values: { amount: '1,250.00', name: 'Sita' },
      reference: 'try-it',
    },
  ])
})

test('a reseller’s examples are those of what a reseller’s key may do', async () => {
  await show('reseller')
  await expect.element(page.getByRole('region', { name: 'Example: Verify a webhook' })).toBeVisible()
  await expect.element(page.getByText('Messages are sent with keys of your customers.', { exact: false })).toBeVisible()
  await expect.element(example).not.toBeInTheDocument()
})
