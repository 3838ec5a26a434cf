import { planRoutes } from '@ghanti/contract/plans.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ApiError } from '../../api/error.ts'
import { jsonQuery, queryClient } from '../../api/query.ts'
import { SessionProvider, type Session } from '../../api/session.ts'
import { loadTexts } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { blankUser, type UserValues } from './user-form.ts'
import { UserForm } from './UserForm.tsx'

await loadTexts('users')

const session: Session = {
  userId: 3,
  role: 'reseller',
  username: 'agency',
  balance: null,
  accountType: 0,
  simulatorSpeed: null,
  virtualOperator: false,
}
const plan = { planId: 7, planName: 'Minute', pulseDuration: 60, pulsePrice: 90, smsPrice: null }

async function shown(plans: (typeof plan)[], onSave: () => Promise<unknown>, values: Partial<UserValues> = {}) {
  queryClient.setQueryData(jsonQuery(planRoutes.choices, { userId: session.userId }).queryKey, plans)
  await renderApp(
    <SessionProvider value={session}>
      <UserForm initial={{ ...blankUser(0), ...values }} user={null} submit="Create User" onSave={onSave} />
    </SessionProvider>,
  )
  await expect.element(page.getByRole('combobox', { name: 'Voice plan' })).toBeVisible()
}

test('who has no plan to give is told before he fills in the form, and led to his plans', async () => {
  await shown([], () => Promise.resolve())
  expect(page.getByRole('status').element().textContent).toContain('You have no voice plan to give')
  await expect.element(page.getByRole('link', { name: 'Voice Plans' })).toHaveAttribute('href', '/voice-plans')
  await expect.element(page.getByPlaceholder('No Plan')).toBeVisible()
})

test('all that the server refuses stands at its field, and in the Error modal by the fields’ own names', async () => {
  const refusals = [
    { field: 'emailid', code: 'invalid', text: 'must be an e-mail address' },
    { field: 'number', code: 'invalid', text: 'is too short' },
  ]
  const typed = { name: 'a', emailid: 'b', number: '1', company: 'c', address: 'd', pincode: 'e', planId: '7' }
  const signedUp = { username: 'f', password: 'long enough', confirm: 'long enough' }
  const refuse = () => Promise.reject(new ApiError(400, 'Parameters Incorrect', refusals))
  await shown([plan], refuse, { ...typed, ...signedUp })
  expect(page.getByRole('status').elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Create User' }))
  const modal = page.getByRole('dialog', { name: 'Error' })
  await expect.element(modal).toBeVisible()
  for (const text of ['Parameters Incorrect', 'E-mail must be an e-mail address', 'Number is too short'])
    expect(modal.element().textContent).toContain(text)
  for (const name of ['emailid', 'number'])
    expect(document.querySelector(`[aria-invalid=true][name=${name}]`), name).not.toBeNull()
})
