import { campaignStatuses } from '@ghanti/contract/campaign-status.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { SessionProvider, type Session } from '../../api/session.ts'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, setLanguage, useTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { summaryColumns } from './columns.tsx'
import { campaign } from './fixtures.ts'
import { Outcomes } from './page/Outcomes.tsx'

/** web/e2e/screens.test.ts has the look of every list. */
const exhaustive = { tags: ['exhaustive'] }

await loadTexts('voiceCampaigns', 'campaignDetail')

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
const how = { sortKeys: ['-scheduleTime'], searchIn: (row: CampaignRow) => row.campaignName, valueOf: {} }

function Rows({ rows, role = 'user' }: { rows: readonly CampaignRow[]; role?: Session['role'] }) {
  const t = useTexts('voiceCampaigns')
  const columns = summaryColumns({ role, t, format: useFormat(), takeAction: 'Take Action', go: () => undefined })
  const list = useLocalList({ rows, error: null, isFetching: false, refetch: () => undefined }, how)
  return (
    <SessionProvider value={{ ...session, role }}>
      <DataTable empty="voiceCampaigns" title={t.title} columns={columns} rowId={(row) => row.campaignId} list={list} />
    </SessionProvider>
  )
}

const thirteen = [
  'Campaign Name',
  'Campaign Status',
  'Campaign Type',
  'Schedule Time',
  'Total Numbers',
  'Calls Dialed',
  'Pending Calls',
  'Connected Calls',
  'Total Pulses',
  'DnD Count',
  'Dtmf Count',
  'Action',
  'Retry',
]
const headers = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map(({ textContent }) => textContent)

test('a user has the thirteen columns of the specification', async () => {
  await page.viewport(1440, 900)
  await renderApp(<Rows rows={campaignStatuses.map((status, campaignId) => campaign(status, { campaignId }))} />)
  await expect.element(page.getByRole('table')).toBeVisible()
  expect(headers()).toEqual(thirteen)
})

test('above users a row says whose campaign it is', async () => {
  await renderApp(<Rows rows={[campaign('running', { username: 'maya' })]} role="reseller" />)
  await expect.element(page.getByRole('cell', { name: /^Dashain Offer.*maya/ })).toBeVisible()
  expect(headers()).toEqual(thirteen)
})

test('a row says in one line why it does not dial, and how far it is', async () => {
  const reason = 'trunk NTC is on hold: 403 Forbidden; it will be tried again at 14:40'
  await renderApp(<Rows rows={[campaign('onHold', { reason })]} />)
  const said = page.getByText(/^Trunk NTC is on hold: 403 Forbidden; it will be tried again at 14:40$/)
  await expect.element(said).toBeVisible()
  expect(said.element().getBoundingClientRect().height).toBeLessThan(20)
  await expect.element(page.getByRole('img', { name: /^Progress 66 %/ })).toBeVisible()
  await expect.element(page.getByRole('img', { name: /Answered 2,500, No answer 9,000/ })).toBeVisible()
})

test('a row is 44 px high, and higher only by a line of its own for its reason, which lies across it', async () => {
  const reason = 'no channel is free, '.repeat(20)
  const rows = [
    campaign('complete', { campaignId: 99 }),
    ...campaignStatuses.map((status, campaignId) => campaign(status, { campaignId, reason })),
  ]
  await renderApp(<Rows rows={rows} role="reseller" />)
  await expect.element(page.getByRole('row').nth(1)).toBeVisible()
  const heights = [...document.querySelectorAll('tbody tr')].map((row) =>
    Math.round(row.getBoundingClientRect().height),
  )
  expect(Math.min(...heights)).toBe(44)
  expect(Math.max(...heights)).toBeLessThan(80)
  const line = page.getByText(/^No channel is free/).first()
  const box = line.element().getBoundingClientRect()
  const row = line.element().closest('tr')?.getBoundingClientRect() ?? new DOMRect()
  expect(box.width, 'most of the row').toBeGreaterThan(row.width * 0.8)
  expect(box.bottom).toBeLessThanOrEqual(row.bottom)
  const cells = [...(line.element().closest('tr')?.querySelectorAll('td > *') ?? [])].filter(
    (cell) => !cell.contains(line.element()),
  )
  expect(Math.max(...cells.map((cell) => cell.getBoundingClientRect().bottom)), 'below all cells').toBeLessThanOrEqual(
    box.top + 1,
  )
  await userEvent.hover(line)
  await expect.element(line).toHaveAttribute('title')
})

test('Stop asks with the exact question under the campaign’s name, and offers to end answered calls', async () => {
  await renderApp(<Rows rows={[campaign('running')]} />)
  await page.getByRole('button', { name: 'Take Action: Dashain Offer' }).click()
  await page.getByRole('menuitem', { name: 'Stop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dashain Offer' })
  await expect.element(dialog.getByText('Are you sure you want to stop this campaign?')).toBeVisible()
  await dialog.getByRole('checkbox', { name: /End answered calls at once/ }).click()
  await expect.element(dialog.getByRole('button', { name: 'YES' })).toBeVisible()
  expect(dialog.getByRole('textbox').elements()).toHaveLength(0)
  await expectAccessible()
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
})

test('a reseller must give a reason, and cannot resume what its owner paused', async () => {
  await renderApp(
    <Rows
      rows={[campaign('running'), campaign('paused', { campaignId: 13, campaignName: 'Tihar' })]}
      role="reseller"
    />,
  )
  await page.getByRole('button', { name: 'Take Action: Dashain Offer' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dashain Offer' })
  await dialog.getByRole('button', { name: 'YES' }).click()
  await expect.element(dialog.getByText('Please give a reason')).toBeVisible()
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await page.getByRole('button', { name: 'Take Action: Tihar' }).click()
  const resume = page.getByRole('menuitem', { name: /Resume/ })
  await expect.element(resume.getByText('No administrator paused it; only its owner can resume it.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
})

test('Retry cannot be pressed on a running campaign and says why', async () => {
  await renderApp(<Rows rows={[campaign('running')]} />)
  const retry = page.getByRole('button', { name: 'Retry: Dashain Offer' })
  await expect.element(retry).toHaveAttribute('aria-disabled', 'true')
  retry.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Only a complete campaign can be retried.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
})

test('a report that failed says why, one that is being made that it is', async () => {
  await renderApp(
    <Rows
      rows={[
        campaign('complete', { reportReason: 'the disk is full' }),
        campaign('complete', { campaignId: 13, reportStatus: '1' }),
      ]}
    />,
  )
  await expect.element(page.getByText('Report failed: the disk is full')).toBeVisible()
  await expect.element(page.getByText('Report is being made')).toBeVisible()
})

test('rows are accessible, as cards on a phone and in Nepali', exhaustive, async () => {
  const statuses = ['running', 'onHold', 'complete', 'cancelled'] as const
  await renderApp(<Rows rows={statuses.map((status, campaignId) => campaign(status, { campaignId }))} />)
  await expectAccessible()
  await page.viewport(390, 844)
  await expectAccessible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await setLanguage('ne')
  await expect.element(page.getByText('चलिरहेको')).toBeVisible()
  await expectAccessible()
  await setLanguage('en')
  await page.viewport(1440, 900)
})

test('the legend names every disposition that occurred, with its share', async () => {
  await renderApp(<Outcomes outcomes={campaign('running').outcomes} />)
  const legend = page.getByRole('listitem')
  expect(legend.elements()).toHaveLength(4)
  await expect.element(legend.nth(0)).toHaveTextContent('Answered 2,500 (18 %)')
  await expectAccessible()
})
