import { planRoutes } from '@ghanti/contract/plans.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ApiError } from '../../api/error.ts'
import { jsonQuery, queryClient } from '../../api/query.ts'
import { SessionProvider, type Session } from '../../api/session.ts'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import SignUpFields from './SignUpFields.tsx'
import { blankUser, expiryFault, toRegister, type UserValues } from './user-form.ts'
import { UserForm } from './UserForm.tsx'

await loadTexts('users')

const session: Session = {
  userId: 3,
  role: 'reseller',
  username: 'agency',
  balance: null,
  accountType: 0,
  name: '',
  provider: null,
  simulatorSpeed: null,
  virtualOperator: false,
  stopped: [],
}
const plan = { planId: 7, planName: 'Minute', pulseDuration: 60, pulsePrice: 90, smsPrice: null }

function channelsAre(channels: number, userChannels: number) {
  const free = channels - userChannels
  queryClient.setDefaultOptions({ queries: { staleTime: Infinity, retry: false } })
  queryClient.setQueryData(jsonQuery(userRoutes.channels, { userId: 3 }).queryKey, { channels, userChannels, free })
}

async function shown(
  plans: (typeof plan)[],
  onSave: (values: UserValues) => Promise<unknown>,
  values: Partial<UserValues> = {},
) {
  queryClient.setQueryData(jsonQuery(planRoutes.choices, { userId: session.userId }).queryKey, plans)
  channelsAre(100, 0)
  await renderApp(
    <SessionProvider value={session}>
      <UserForm initial={{ ...blankUser(0), ...values }} user={null} submit="Create User" onSave={onSave}>
        {(form) => <SignUpFields form={form} />}
      </UserForm>
    </SessionProvider>,
  )
  await expect.element(page.getByRole('combobox', { name: 'Voice plan' })).toBeVisible()
}

test('an account without a plan to give is warned before filling in the form, and led to the plans', async () => {
  await shown([], () => Promise.resolve())
  await expect.element(page.getByRole('status').filter({ hasText: 'You have no voice plan to give' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Voice Plans' })).toHaveAttribute('href', '/voice-plans')
  await expect.element(page.getByPlaceholder('No Plan found')).toBeVisible()
})

const today = '2026-11-20'
test.each([
  { why: 'yesterday is refused', day: '2026-11-19', kept: '', wrong: 'is before today' },
  { why: 'today is taken', day: today, kept: '', wrong: null },
  { why: 'none at all is for ever', day: '', kept: '', wrong: null },
  { why: 'a day that was over when the form was opened may stay', day: '2026-01-01', kept: '2026-01-01', wrong: null },
  { why: 'but not become an earlier one', day: '2025-12-31', kept: '2026-01-01', wrong: 'is before today' },
])('an account ends no earlier than today: $why', ({ day, kept, wrong }) => {
  expect(expiryFault(day, kept, today)).toBe(wrong)
})

test('the calendar of the expiry date begins with today, in Nepal', async () => {
  await shown([plan], () => Promise.resolve())
  await userEvent.click(page.getByRole('button', { name: 'Open the calendar' }))
  const today = page.getByRole('dialog').element().querySelector('[aria-current=date]')
  expect(today?.getAttribute('aria-disabled')).toBe(null)
  await vi.waitFor(() => expect(document.activeElement).toBe(today))
  await userEvent.keyboard('{ArrowLeft}')
  expect(document.activeElement?.getAttribute('aria-disabled')).toBe('true')
})

test('everything that the server refuses is shown at its field, and in the Error modal by the fields’ labels', async () => {
  const refusals = [
    { field: 'emailid', code: 'invalid', text: 'must be an e-mail address' },
    { field: 'number', code: 'invalid', text: 'is too short' },
    { field: 'password', code: 'invalid', text: 'is easy to guess' },
  ]
  const typed = { name: 'a', emailid: 'b', number: '1', company: 'c', address: 'd', pincode: 'e', planId: '7' }
  const signedUp = { username: 'f', password: 'long enough', confirm: 'long enough' }
  const refuse = () => Promise.reject(new ApiError(400, 'Parameters Incorrect', refusals))
  await shown([plan], refuse, { ...typed, ...signedUp })
  expect(page.getByRole('status').filter({ hasText: 'You have no voice plan to give' }).elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Create User' }))
  const modal = page.getByRole('dialog', { name: 'Error' })
  await expect.element(modal).toBeVisible()
  const sentences = ['E-mail must be an e-mail address', 'Number is too short', 'Password is easy to guess']
  const lines = [...modal.element().querySelectorAll('[role=alert] p')].map(({ textContent }) => textContent)
  expect(lines).toEqual([...sentences, 'Parameters Incorrect'])
  for (const name of ['emailid', 'number', 'password'])
    expect(document.querySelector(`[aria-invalid=true][name=${name}]`), name).not.toBeNull()
  await userEvent.click(modal.getByRole('button', { name: 'OK' }))
})

const channels = page.getByRole('textbox', { name: 'Channels' })

test('channels left alone are 30, with what is free beside them', async () => {
  await shown([plan], () => Promise.resolve())
  await expect.element(channels).toHaveValue('30')
  await expect.element(page.getByText('Free: 100 of your 100.')).toBeVisible()
  expect(toRegister(blankUser(0)).channels).toBe('30')
  await expect.element(page.getByRole('button', { name: /^Give/ })).not.toBeInTheDocument()
})

test('when fewer than 30 are free the form says so at once, and one click enters the free ones', async () => {
  await shown([plan], () => Promise.resolve())
  channelsAre(100, 90)
  await expect.element(page.getByText('The most that you can give is 10.')).toBeVisible()
  await expectAccessible()
  await userEvent.click(page.getByRole('button', { name: 'Give 10' }))
  await expect.element(channels).toHaveValue('10')
  await expect.element(page.getByText('The most that you can give is 10.')).not.toBeInTheDocument()
  await setLanguage('ne')
  await expect.element(page.getByText('बाँकी: तपाईँका १०० मध्ये १०।')).toBeVisible()
  await setLanguage('en')
})

test('when none is free the form says what to do', async () => {
  await shown([plan], () => Promise.resolve())
  channelsAre(100, 100)
  await expect
    .element(page.getByText('None of your channels is free. Lower those of another account first.'))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Give/ })).not.toBeInTheDocument()
})

test('an invitation takes the place of the password: neither is asked for nor sent, and a pass-phrase comes back when it is not wanted', async () => {
  const sent: ReturnType<typeof toRegister>[] = []
  const typed = { username: 'gita', name: 'Gita', emailid: 'gita@example.com', number: '9841000001' }
  const rest = { company: 'Himal', address: 'Patan', pincode: '44600', planId: '7', channels: '1' }
  await shown([plan], (values: UserValues) => Promise.resolve(sent.push(toRegister(values))), { ...typed, ...rest })
  const password = page.getByRole('textbox', { name: 'Password', exact: true })
  await expect.element(password).toBeVisible()
  await userEvent.click(page.getByText('Invitation by mail'))
  await expect.element(page.getByText(/Whoever opens it chooses the password/)).toBeVisible()
  await expect.element(password).not.toBeInTheDocument()
  await expectAccessible()
  await userEvent.click(page.getByRole('button', { name: 'Create User' }))
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ username: 'gita', invite: true })
  expect(sent[0]).not.toHaveProperty('password')
  await userEvent.click(page.getByText('Pass-phrase', { exact: true }))
  await expect.element(password).not.toHaveValue('')
})
