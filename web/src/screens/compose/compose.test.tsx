import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import type { CliRow } from '@ghanti/contract/lines.ts'
import type { PromptRow } from '@ghanti/contract/prompts.ts'
import { promptCategories } from '@ghanti/contract/templates.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../api/query.ts'
import { SessionProvider, type Session } from '../../api/session.ts'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { sendersQuery } from '../sms-campaigns/queries.ts'
import ComposeScreen from './ComposeScreen.tsx'
import { basesQuery, clisQuery, promptsQuery } from './queries.ts'

/** What a form sends and refuses is in validate.test.ts beside this, its look in web/e2e/screens.test.ts. */
const exhaustive = { tags: ['exhaustive'] }

await loadTexts('compose')
// Many clicks and accessibility checks take seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const session: Session = {
  userId: 3,
  role: 'user',
  username: 'sunita.k',
  balance: null,
  accountType: 0,
  name: '',
  provider: null,
  simulatorSpeed: null,
  virtualOperator: false,
  stopped: [],
}

function approved(category: string, promptId: number): PromptRow {
  return {
    promptId,
    fileName: `${category}.wav`,
    userId: 3,
    promptCategory: category,
    promptStatus: 1,
    accountType: 0,
    username: 'sunita.k',
    durationMs: 4000,
    uploadedAt: '2026-11-20 09:00:00',
    rejectReason: null,
  }
}

function cliRow(cli: string, cliId: number): CliRow {
  const ofTrunk = { trunkId: null, trunkName: null, dialerName: null, pilotNumber: null }
  const ofPlatform = { ...ofTrunk, routeId: null, routeName: null }
  const held = { holders: [], holderCount: 0, allocation: null }
  return { cliId, cli, channels: 30, cliStatus: 1, pool: 'dedicated', members: null, ...ofPlatform, ...held }
}

/** Cached replies of the server; nothing is requested during a test. */
function known({ clis = ['015970001'], prompts = promptCategories.map(approved) } = {}) {
  queryClient.setDefaultOptions({ queries: { staleTime: Infinity, retry: false } })
  queryClient.setQueryData(clisQuery(3).queryKey, { rows: clis.map(cliRow), total: 1, exact: true, truncated: false })
  queryClient.setQueryData(promptsQuery(3).queryKey, { rows: prompts, total: 8, exact: true, truncated: false })
  queryClient.setQueryData(basesQuery(3).queryKey, [])
}

function knownSenders(names: readonly string[]) {
  const rows = names.map((cliName, cliId) => ({ cliId, cliName, cliStatus: approvalCode.approved }))
  queryClient.setQueryData(sendersQuery(3).queryKey, {
    rows,
    total: rows.length,
    exact: true,
    truncated: false,
  } as never)
}

beforeEach(async () => {
  sessionStorage.clear()
  queryClient.clear()
  known()
  await setLanguage('en')
})

const opened = () =>
  renderApp(
    <SessionProvider value={session}>
      <ComposeScreen />
    </SessionProvider>,
    '/add-voice-campaign',
  )
const choose = (template: string) => userEvent.click(page.getByText(template, { exact: true }))

test('missing values are named at their fields, and the first has the focus', async () => {
  await opened()
  await userEvent.click(page.getByRole('button', { name: 'Send Now' }))
  for (const said of ['Campaign name is required', 'Template is required', 'Paste at least one number']) {
    await expect.poll(() => document.body.textContent).toContain(said)
  }
  await expect.element(page.getByRole('textbox', { name: 'Campaign name' })).toHaveFocus()
  await expectAccessible()
})

test('a template brings its fields and keeps those of the one before', async () => {
  await opened()
  await choose('DTMF Input')
  await expect.element(page.getByRole('combobox', { name: 'Menu file' })).toBeVisible()
  await userEvent.click(page.getByRole('combobox', { name: 'Menu file' }))
  await userEvent.click(page.getByRole('option', { name: 'menu.wav' }))
  expect(page.getByRole('option').elements()).toHaveLength(0)
  await choose('Simple IVR')
  await expect.element(page.getByRole('combobox', { name: 'Welcome file' })).toBeVisible()
  await choose('Call Patch')
  await expect.element(page.getByRole('combobox', { name: 'Menu file' })).toHaveValue('menu.wav')
})

test.each([
  { pending: [approved('menu', 90)], said: '1 waits for approval.' },
  { pending: [approved('menu', 90), approved('menu', 91), approved('thanks', 92)], said: '2 wait for approval.' },
  { pending: [approved('thanks', 92)], said: 'You have no approved file of this kind.' },
])('where no menu can be chosen, the form says “$said”', async ({ pending, said }) => {
  known({ prompts: promptCategories.filter((category) => category !== 'menu').map(approved) })
  const list = { rows: pending, total: pending.length, exact: true, truncated: false }
  queryClient.setQueryData(promptsQuery(3, 'pending').queryKey, list)
  await opened()
  await choose('DTMF Input')
  await expect.poll(() => document.body.textContent).toContain(said)
})

test('an SMS after the call asks for its address when it is ticked; a pasted number becomes its place', async () => {
  await opened()
  await choose('DTMF Input')
  for (const name of ['On success', 'On fail', 'On DTMF']) await userEvent.click(page.getByRole('checkbox', { name }))
  const address = page.getByRole('textbox', { name: 'On success: SMS API address' })
  await userEvent.fill(address, 'https://sms.example.com/send?key=984&to=9841000001')
  await userEvent.click(page.getByRole('button', { name: 'Replace the number with {PHONE}' }))
  await expect.element(address).toHaveValue('https://sms.example.com/send?key=984&to={PHONE}')
  await expectAccessible()
})

test('a text of ours asks for sender ID and text, counts it, and has a text for each key', async () => {
  knownSenders(['GHANTI'])
  await opened()
  await choose('DTMF Input')
  await userEvent.click(page.getByRole('checkbox', { name: 'On success' }))
  const ofSuccess = page.getByRole('radiogroup', { name: 'On success: how it is sent' })
  await userEvent.click(ofSuccess.getByText('Text of ours'))
  await expect.element(page.getByRole('combobox', { name: 'Sender ID', exact: true })).toHaveValue('GHANTI')
  const text = page.getByRole('textbox', { name: 'On success: SMS text' })
  await userEvent.fill(text, 'It’s')
  await expect.element(page.getByText('4 characters · 1 segment')).toBeVisible()
  await expect.element(page.getByText(/because of “’” \(U\+2019\)/)).toBeVisible()
  await userEvent.clear(text)
  await userEvent.click(page.getByRole('checkbox', { name: 'On DTMF' }))
  await userEvent.click(page.getByRole('radiogroup', { name: 'On DTMF: how it is sent' }).getByText('Text of ours'))
  await expect.element(page.getByText(/Choose the keys above first/)).toBeVisible()
  await userEvent.click(page.getByRole('combobox', { name: 'DTMF keys' }), { force: true })
  await userEvent.click(page.getByRole('option', { name: '2', exact: true }))
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('textbox', { name: 'SMS text after key 2' })).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Send Now' }))
  await expect.element(page.getByText('On success: SMS text is required').first()).toBeVisible()
  await expect.element(page.getByText('SMS text after key 2 is required for one key at least').first()).toBeVisible()
  await expectAccessible()
})

test('without a sender ID a text of ours says so and leads to where one is asked for', async () => {
  knownSenders([])
  await opened()
  await userEvent.click(page.getByRole('checkbox', { name: 'On fail' }))
  await userEvent.click(page.getByText('Text of ours'))
  await expect.element(page.getByPlaceholder('No ID found')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Ask for a sender ID' })).toBeVisible()
})

test('a template without keys has no SMS on DTMF, and says why', exhaustive, async () => {
  await opened()
  await choose('Simple IVR')
  const option = page.getByRole('checkbox', { name: 'On DTMF' })
  await expect.element(option).toBeDisabled()
  await expect.element(option).toHaveAccessibleDescription('This template takes no keys.')
})

test('a template that says values names the columns that it needs, wherever the contacts come from', async () => {
  await opened()
  await choose('Automobile Service')
  await expect.element(page.getByText(/^Columns:/)).not.toBeInTheDocument()
  await userEvent.click(page.getByRole('combobox', { name: 'Kind of service call' }))
  await userEvent.click(page.getByRole('option', { name: 'Service Scheduling' }))
  await expect.element(page.getByText(/^Columns: mobile, date, token\./)).toBeVisible()
  await expect.element(page.getByText(/^A first line that names the columns/)).toBeVisible()
  await userEvent.click(page.getByText('Stored file', { exact: true }))
  await expect.element(page.getByText(/^Columns: mobile, date, token\./)).toBeVisible()
  await choose('Consultancy')
  await expect.element(page.getByText(/^Columns:/)).not.toBeInTheDocument()
})

test('agents are added one by one, and the last is removed first', exhaustive, async () => {
  await opened()
  await choose('Call Patch')
  const number = page.getByRole('textbox', { name: 'Agent number' })
  const add = page.getByRole('button', { name: 'Add', exact: true })
  const key = async (digit: string) => {
    await userEvent.click(page.getByRole('combobox', { name: 'DTMF' }))
    await userEvent.click(page.getByRole('option', { name: digit, exact: true }))
  }
  await userEvent.click(add)
  await expect.element(page.getByText('Please select Agent and DTMF').first()).toBeVisible()
  await userEvent.fill(number, '9851012345')
  await key('1')
  await userEvent.click(add)
  await expect.element(page.getByText('98510 12345')).toBeVisible()
  await expect.element(number).toHaveFocus()
  await userEvent.fill(number, '01-5970002')
  await key('1')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(add)
  await expect.element(page.getByText('1 DTMF is already selected').first()).toBeVisible()
  await key('2')
  await userEvent.click(add)
  await expect.element(page.getByText('01-597 0002')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Remove the last agent' }))
  await expect.element(page.getByText('01-597 0002')).not.toBeInTheDocument()
  await expect.element(page.getByText('98510 12345')).toBeVisible()
})

test('a schedule asks for day and quarter hour and changes the button', async () => {
  await opened()
  await userEvent.click(page.getByRole('checkbox', { name: 'Schedule Call' }))
  await expect.element(page.getByRole('button', { name: 'Compose Campaign' })).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Compose Campaign' }))
  await expect.element(page.getByText('Date is required').first()).toBeVisible()
  await expect.element(page.getByText('Time is required').first()).toBeVisible()
  await expectAccessible()
})

test('a time may be chosen before its date', exhaustive, async () => {
  await opened()
  await userEvent.click(page.getByRole('checkbox', { name: 'Schedule Call' }))
  const time = page.getByRole('combobox', { name: 'Time' })
  await userEvent.click(time)
  await userEvent.click(page.getByRole('option', { name: '10:15', exact: true }))
  await expect.element(time).toHaveValue('10:15')
})

test('a draft survives leaving the form until it is discarded', async () => {
  const first = await opened()
  await userEvent.fill(page.getByRole('textbox', { name: 'Campaign name' }), 'Tihar')
  await first.unmount()
  await opened()
  await expect.element(page.getByText('Draft restored')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Campaign name' })).toHaveValue('Tihar')
  await userEvent.click(page.getByRole('button', { name: 'Discard' }))
  await expect.element(page.getByRole('textbox', { name: 'Campaign name' })).toHaveValue('')
  await expect.element(page.getByText('Draft restored')).not.toBeInTheDocument()
})

test('without caller IDs and files the lists say so and lead on', async () => {
  known({ clis: [], prompts: [] })
  await opened()
  await choose('Simple IVR')
  await expect.element(page.getByPlaceholder('No ID found')).toBeVisible()
  await expect.element(page.getByPlaceholder('No Files')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Upload a voice file' })).toBeVisible()
})

test('on a phone and in Nepali nothing is wider than the screen', exhaustive, async () => {
  await page.viewport(390, 844)
  await opened()
  await choose('Call Patch')
  await setLanguage('ne')
  await expect.element(page.getByRole('heading', { name: 'नयाँ भ्वाइस अभियान' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
})
