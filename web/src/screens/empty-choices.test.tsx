import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '../api/query.ts'
import { SessionProvider, type Session } from '../api/session.ts'
import type { Form } from '../components/form/field.ts'
import { loadTexts } from '../i18n/language.ts'
import { renderApp } from '../testing/render-app.tsx'
import type { AllocateValues } from './clis/AllocateCliScreen.tsx'
import AllocateFields from './clis/AllocateFields.tsx'
import { CliPicker } from './compose/CliPicker.tsx'
import type { ComposeForm } from './compose/form.ts'
import { PromptField } from './compose/PromptField.tsx'
import StoredField from './compose/contacts/StoredField.tsx'
import { DialerPicker } from './lines/DialerPicker.tsx'
import type { TrunkValues } from './lines/trunk-form.ts'
import type { PlanValues } from './plans/plan-form.ts'
import PulsePicker from './plans/PulsePicker.tsx'
import CategoryPicker from './prompts/CategoryPicker.tsx'
import type { UploadForm } from './prompts/upload-form.ts'
import { blankUser, type UserDetail, type UserValues } from './users/user-form.ts'
import Terms from './users/Terms.tsx'

await loadTexts('clis', 'compose', 'trunkForms', 'plans', 'prompts', 'users')

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
const cause = 'The disk of the database is full'

function Formed<Values extends Record<string, unknown>>({
  values,
  of,
}: {
  values: Values
  of: (form: Form<Values>) => ReactNode
}) {
  return of(useForm<Values>({ mode: 'uncontrolled', initialValues: values }))
}
const picker = <Values extends Record<string, unknown>>(values: object, of: (form: Form<Values>) => ReactNode) => (
  <Formed values={values as Values} of={of} />
)
const terms = (user: UserDetail | null) => picker<UserValues>(blankUser(0), (form) => <Terms form={form} user={user} />)

beforeEach(() => {
  queryClient.clear()
  queryClient.setDefaultOptions({ queries: { retry: false } })
})
afterEach(() => vi.restoreAllMocks())

const none = () => undefined
/** Specification 1 §8, specification 2 §2 and §8. */
const pickers: { said: string; what: string; shown: () => ReactNode }[] = [
  {
    said: 'No Pulse found',
    what: 'pulses',
    shown: () => picker<PlanValues>({ pulseDuration: null }, (form) => <PulsePicker form={form} />),
  },
  {
    said: 'No Dialer found',
    what: 'dialers',
    shown: () => picker<TrunkValues>({ dialerId: null }, (form) => <DialerPicker form={form} />),
  },
  { said: 'No Plan found', what: 'plans of a new account', shown: () => terms(null) },
  { said: 'No Plan', what: 'plans of an account', shown: () => terms({ userId: 9, planId: null } as UserDetail) },
  {
    said: 'No ID found',
    what: 'categories',
    shown: () => picker<UploadForm>({ promptCategory: null }, (form) => <CategoryPicker form={form} />),
  },
  {
    said: 'No ID found',
    what: 'caller IDs',
    shown: () => picker<ComposeForm>({ cli: null }, (form) => <CliPicker form={form} />),
  },
  {
    said: 'No Files',
    what: 'contact files',
    shown: () => picker<ComposeForm>({ storedBase: null }, (form) => <StoredField form={form} />),
  },
  {
    said: 'No Files',
    what: 'voice files',
    shown: () => picker<ComposeForm>({ welcome: null }, (form) => <PromptField form={form} role="welcome" />),
  },
  {
    said: 'No ID found',
    what: 'caller IDs to allocate',
    shown: () =>
      picker<AllocateValues>({ cliId: null, userId: null }, (form) => (
        <AllocateFields form={form} cli={null} user={null} onCli={none} onUser={none} />
      )),
  },
]

test.each(pickers)('$what that cannot be read: the choice says $said, and why', async ({ said, shown }) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() =>
    Promise.resolve(new Response(JSON.stringify({ message: cause }), { status: 500 })),
  )
  await renderApp(<SessionProvider value={session}>{shown()}</SessionProvider>)
  await expect.element(page.getByPlaceholder(said, { exact: true }).first()).toBeVisible()
  await expect.element(page.getByText(cause).first()).toBeVisible()
})

test.each(pickers)('no $what: the choice says $said', async ({ said, shown }) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response('[]', { status: 200 })))
  await renderApp(<SessionProvider value={session}>{shown()}</SessionProvider>)
  await expect.element(page.getByPlaceholder(said, { exact: true }).first()).toBeVisible()
})

test('without a caller ID the form says whom to ask, and without a file it leads to the upload', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response('[]', { status: 200 })))
  const from: ComposeForm['contactsFrom'][] = []
  function Both() {
    const form = useForm<ComposeForm>({
      mode: 'uncontrolled',
      initialValues: { cli: null, storedBase: null, contactsFrom: 'stored' } as ComposeForm,
      onValuesChange: ({ contactsFrom }) => from.push(contactsFrom),
    })
    return (
      <>
        <CliPicker form={form} />
        <StoredField form={form} />
      </>
    )
  }
  await renderApp(
    <SessionProvider value={session}>
      <Both />
    </SessionProvider>,
  )
  await expect.element(page.getByText(/Ask your provider/)).toBeVisible()
  await page.getByRole('button', { name: 'Upload file' }).click()
  expect(from).toEqual(['upload'])
})
