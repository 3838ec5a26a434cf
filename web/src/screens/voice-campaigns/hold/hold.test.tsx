import { holdCauses, type HoldCause } from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { SessionProvider, type Session } from '../../../api/session.ts'
import { loadTexts } from '../../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { Hold } from './Hold.tsx'

await loadTexts('campaignActions')
const provider = { company: 'Sagarmatha Voice', number: '9851012345' }
const shown = (role: Role, cause: HoldCause, beside: { reason?: string; heldBy?: string } = {}) =>
  renderApp(
    <SessionProvider value={{ userId: 7, role, provider: role === 'superAdmin' ? null : provider } as Session}>
      <Hold
        held={{
          campaignId: 3,
          campaignName: 'Dashain',
          isSms: false,
          cause,
          reason: null,
          username: 'user2',
          userId: 9,
          ...beside,
        }}
      />
    </SessionProvider>,
  )

test('a customer without balance reads whom to ask, calls them by a button, and knows what to do afterwards', async () => {
  await shown('user', 'lowBalance', { reason: 'one call may cost Rs 1.80, you have Rs 0.40' })
  await expect
    .element(page.getByText('Balance too low. Ask Sagarmatha Voice (98510 12345). Resume it afterwards.'))
    .toBeVisible()
  await expect.element(page.getByText('One call may cost Rs 1.80, you have Rs 0.40')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Call Sagarmatha Voice: Dashain' }))
    .toHaveAttribute('href', 'tel:9851012345')
  await expectAccessible()
})

test('a reseller recharges the customer whose balance is too low', async () => {
  await shown('reseller', 'lowBalance')
  await expect.element(page.getByText('Balance too low. Recharge user2. Goes on when user2 resumes it.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Add Recharge: Dashain' }))
    .toHaveAttribute('href', '/customers/9')
})

test('a fault of a line is the operator’s: others read that it passes, the operator what it is, and where', async () => {
  const reason = 'trunk NT-1 is on hold: SIP 503'
  const customer = await shown('user', 'trunk', { reason })
  await expect
    .element(
      page.getByText(
        'Its telephone line carries no calls now. Goes on by itself. If it lasts, ask Sagarmatha Voice (98510 12345).',
      ),
    )
    .toBeVisible()
  expect(document.body.textContent).not.toContain('NT-1')
  await customer.unmount()
  await shown('superAdmin', 'trunk', { reason })
  await expect.element(page.getByText('Trunk NT-1 is on hold: SIP 503')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Trunks: Dashain' })).toHaveAttribute('href', '/trunk-list')
})

test('who paused a campaign is named', async () => {
  await shown('user', 'administrator', { heldBy: 'reseller' })
  await expect
    .element(page.getByText('reseller paused it. Ask Sagarmatha Voice (98510 12345). Goes on when they resume it.'))
    .toBeVisible()
})

test.each(holdCauses)('%s is said to each role in whole sentences', async (cause) => {
  for (const role of ['user', 'reseller', 'superAdmin'] as const) {
    const rendered = await shown(role, cause)
    const said = document.querySelector('p')?.textContent ?? ''
    expect(said, role).toMatch(/^[A-Z].*\.$/)
    expect(said, role).not.toMatch(/undefined|null|\(\)| {2}/)
    await rendered.unmount()
  }
})
