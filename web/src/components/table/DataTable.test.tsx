import { IconPlayerPause } from '@tabler/icons-react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ApiError } from '../../api/error.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { DataTable, type Column } from './DataTable.tsx'
import { RowMenu } from './RowMenu.tsx'
import { useLocalList } from './use-list.ts'

/** How a list looks is in web/e2e/screens.test.ts, that keys lead everywhere in web/e2e/keyboard.test.ts. */
const exhaustive = { tags: ['exhaustive'] }

type Row = { id: number; name: string; calls: number }
const all: Row[] = Array.from({ length: 31 }, (_, id) => ({
  id,
  name: id % 2 ? `Tihar ${id}` : `Dashain ${id}`,
  calls: id * 10,
}))
const how = {
  sortKeys: ['-calls', 'name'],
  searchIn: (row: Row) => row.name,
  valueOf: { name: (row: Row) => row.name, calls: (row: Row) => row.calls },
}
const byId = ['-id', 'name', 'calls']
let paused = 0
afterEach(() => localStorage.clear())
const columns: Column<Row>[] = [
  { key: 'name', header: 'Campaign Name', sortKey: 'name', cardTitle: true, cell: (row) => row.name },
  { key: 'calls', header: 'Calls', sortKey: 'calls', align: 'right', cell: (row) => row.calls },
  { key: 'note', header: 'Note', hidden: true, cell: (row) => `Note ${row.id}` },
  {
    key: 'action',
    header: 'Action',
    pinned: true,
    cell: (row) => (
      <RowMenu
        label="Take Action"
        subject={row.name}
        actions={() => [
          { label: 'Report', disabledReason: 'There are no calls yet', onClick: () => void (paused += 100) },
          { label: 'Pause', icon: IconPlayerPause, onClick: () => void (paused += 1) },
          {
            label: 'Resume',
            disabledReason: 'Only a paused campaign can be resumed',
            onClick: () => void (paused += 100),
          },
        ]}
      />
    ),
  },
]

function Campaigns({ rows, sortKeys = how.sortKeys }: { rows: readonly Row[] | undefined; sortKeys?: string[] }) {
  const list = useLocalList({ rows, error: null, isFetching: false, refetch: () => undefined }, { ...how, sortKeys })
  return (
    <DataTable
      empty="users"
      title="Campaigns"
      name="campaigns"
      columns={columns}
      rowId={(row) => row.id}
      list={list}
      bulk={{ nameOf: (row) => row.name, actions: (rows) => [{ label: 'Stop', onClick: () => stop(rows) }] }}
    />
  )
}
const stop = vi.fn<(rows: readonly Row[]) => void>()

function Archived() {
  const list = useLocalList({ rows: all, error: null, isFetching: false, refetch: () => undefined }, how)
  const archivedTo = '2026-05-31 23:40:00'
  return (
    <DataTable
      empty="users"
      title="Calls"
      name="calls"
      columns={columns}
      rowId={(row) => row.id}
      list={{ ...list, archivedTo }}
    />
  )
}

test('a list says up to when its rows were archived, and where they are', async () => {
  await renderApp(<Archived />)
  const text = 'Archived calls, up to 2026-05-31, are not listed here. The page of each campaign has them as a file.'
  await expect.element(page.getByRole('status').filter({ hasText: text })).toBeVisible()
})

function Refused() {
  const error = new ApiError(400, 'Parameters Incorrect', [
    { field: 'campaignId', code: 'not_found', text: 'is not a campaign that you may see' },
  ])
  const list = useLocalList({ rows: undefined, error, isFetching: false, refetch: () => undefined }, how)
  const filters = { campaignId: { label: 'Campaign' } }
  return (
    <DataTable
      empty="users"
      title="Calls"
      columns={columns}
      rowId={(row: Row) => row.id}
      list={list}
      filters={filters}
    />
  )
}

test('a refused list names the filter as the screen does, not by its wire name', async () => {
  await renderApp(<Refused />)
  await expect.element(page.getByText('Campaign is not a campaign that you may see')).toBeVisible()
})

test('pages, page size, sort and search are in the address, and the defaults are not', async () => {
  const { address } = await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  await page.getByRole('button', { name: 'Page 4' }).click()
  await expect.element(page.getByText('31–31 of 31')).toBeVisible()
  await expect.poll(address).toBe('?page=4')
  await page.getByRole('button', { name: 'Campaign Name' }).click()
  await expect
    .element(page.getByRole('columnheader', { name: 'Campaign Name' }))
    .toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(address).toBe('?sort=name')
  await page.getByRole('searchbox').fill('tihar 3')
  await expect.element(page.getByText('1–1 of 1')).toBeVisible()
  await expect.poll(address).toBe('?sort=name&search=tihar+3')
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  await page.getByLabelText('Rows per page').selectOptions('25')
  await expect.element(page.getByText('1–25 of 31')).toBeVisible()
  await expectAccessible()
})

test('without rows the list shows what was searched for, or that there is nothing yet', async () => {
  await renderApp(<Campaigns rows={all} />, '/?search=zzz')
  await expect.element(page.getByText('Nothing matches “zzz”.')).toBeVisible()
  await renderApp(<Campaigns rows={[]} />)
  await expect
    .element(page.getByText('The accounts of your customers are listed here. There are none yet.'))
    .toBeVisible()
})

test('an action that cannot be done now is shown with its reason and does nothing', async () => {
  await renderApp(<Campaigns rows={all} />)
  await page.getByRole('button', { name: 'Take Action: Dashain 30' }).click()
  const resume = page.getByRole('menuitem', { name: /Resume/ })
  await expect.element(resume.getByText('Only a paused campaign can be resumed')).toBeVisible()
  await resume.click({ force: true })
  await expectAccessible()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect.poll(() => paused).toBe(1)
})

test('above cards an order without a column has a name and can be chosen again', async () => {
  await page.viewport(390, 800)
  const { address } = await renderApp(<Campaigns rows={all} sortKeys={byId} />)
  await page.getByRole('button', { name: 'Options of the list' }).click()
  const sort = page.getByRole('combobox', { name: 'Sort by' })
  await expect.element(sort).toHaveDisplayValue('Newest first')
  await sort.selectOptions('Campaign Name, ascending')
  await expect.poll(address).toBe('?sort=name')
  await sort.selectOptions('Newest first')
  await expect.poll(address).toBe('')
  await page.viewport(1280, 800)
})

const left = (cell: Element | null) => cell?.getBoundingClientRect().left

test.each([390, 700, 712])('in %i px a row is a card that names its values, and can still be sorted', async (width) => {
  await page.viewport(width, 800)
  await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  expect(page.getByRole('columnheader').elements()).toEqual([])
  const [title, figure] = [...document.querySelectorAll('tbody tr:first-child td[data-card]')]
  expect(left(figure ?? null), 'below each other').toBeLessThanOrEqual(left(title ?? null) ?? 0)
  await page.getByRole('button', { name: 'Options of the list' }).click()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOptions('Campaign Name, ascending')
  await expect.element(page.getByRole('row').nth(0).getByRole('cell', { name: 'Dashain 0' })).toBeVisible()
  await expectAccessible()
  await page.viewport(1280, 800)
  await userEvent.keyboard('{Escape}')
})

const headers = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map(({ textContent }) => textContent)

test('the reader’s columns are restored, and one that no longer exists is ignored', async () => {
  localStorage.setItem('ghanti.columns.0.campaigns', JSON.stringify({ calls: false, gone: true }))
  const first = await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByRole('columnheader', { name: 'Action' })).toBeVisible()
  expect(headers()).toEqual(['Campaign Name', 'Action'])
  await page.getByRole('button', { name: 'Options of the list' }).click()
  const boxes = page.getByRole('group', { name: 'Columns' })
  await expect.element(boxes.getByRole('checkbox', { name: 'Calls' })).not.toBeChecked()
  expect(boxes.getByRole('checkbox').elements()).toHaveLength(2)
  await boxes.getByRole('checkbox', { name: 'Note' }).click()
  expect(headers()).toEqual(['Campaign Name', 'Note', 'Action'])
  await expectAccessible()
  await first.unmount()
  await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByText('Note 30')).toBeVisible()
  await page.getByRole('button', { name: 'Options of the list' }).click()
  await page.getByRole('button', { name: 'Usual columns' }).click()
  expect(headers()).toEqual(['Campaign Name', 'Calls', 'Action'])
  await userEvent.keyboard('{Escape}')
})

test('an invalid choice in the browser’s storage leaves the list as it is', exhaustive, async () => {
  localStorage.setItem('ghanti.columns.0.campaigns', '[not json')
  await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByRole('columnheader', { name: 'Calls' })).toBeVisible()
})

test('a frequent action is a button of its own, reached by the keyboard before the menu', async () => {
  paused = 0
  await renderApp(<Campaigns rows={all} />)
  page.getByRole('checkbox', { name: 'Choose Dashain 30' }).element().focus()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Pause: Dashain 30' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(paused).toBe(1)
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Take Action: Dashain 30' })).toHaveFocus()
})

test('rows are chosen one by one, with Shift up to another, and all at once; another page begins with none', async () => {
  await renderApp(<Campaigns rows={all} />)
  await page.getByRole('checkbox', { name: 'Choose Dashain 28' }).click()
  await page.getByRole('checkbox', { name: 'Choose Dashain 24' }).click({ modifiers: ['Shift'] })
  await expect.element(page.getByText('5 chosen')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Choose Tihar 27' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  expect(stop.mock.lastCall?.[0].map(({ id }) => id)).toEqual([28, 26, 25, 24])
  await expectAccessible()
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).click()
  await expect.element(page.getByText('10 chosen')).toBeVisible()
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect.element(page.getByText('11–20 of 31')).toBeVisible()
  await expect.poll(() => page.getByText(/chosen/).elements()).toEqual([])
})

test('another order answers before its rows are drawn: the heading shows it a frame earlier', async () => {
  await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByRole('cell', { name: 'Dashain 30' })).toBeVisible()
  const firstRow = () => document.querySelector('tbody tr')?.textContent ?? ''
  const heading = page.getByRole('columnheader', { name: 'Calls' })
  const seen = new Promise<string>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      requestAnimationFrame(() => resolve(firstRow()))
    })
    observer.observe(heading.element(), { attributes: true, attributeFilter: ['aria-sort'] })
  })
  const before = firstRow()
  await heading.getByRole('button').click()
  expect(await seen).toBe(before)
  await expect.poll(firstRow).not.toBe(before)
})

test('another order shows in its heading with the click, before the router has changed the address', async () => {
  await renderApp(<Campaigns rows={all} />)
  const heading = page.getByRole('columnheader', { name: 'Calls' })
  await expect.element(heading).toHaveAttribute('aria-sort', 'descending')
  ;(heading.getByRole('button').element() as HTMLElement).click()
  await Promise.resolve() // lets React render what it renders at once; the router's change waits for a separate task
  expect(heading.element().getAttribute('aria-sort')).toBe('ascending')
  await expect.element(page.getByRole('cell', { name: 'Dashain 0' })).toBeVisible()
})

test('on a phone the rest of a row is shown on request', async () => {
  await page.viewport(375, 800)
  localStorage.setItem('ghanti.columns.0.campaigns', JSON.stringify({ note: true }))
  await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByText('Note 30')).toBeVisible()
  expect(page.getByRole('button', { name: 'More' }).elements()).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(375)
  await expectAccessible()
  await page.viewport(1280, 800)
})

test.each(['Take Action: Dashain 30', 'Options of the list'])(
  'what “%s” opens gives the focus back at its first closing',
  async (name) => {
    await renderApp(<Campaigns rows={all} />)
    const button = page.getByRole('button', { name })
    await expect.element(button).toBeVisible()
    button.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => document.activeElement?.closest('[role=menu], [role=dialog]')).not.toBeNull()
    await userEvent.keyboard('{Escape}')
    await expect.element(button).toHaveFocus()
  },
)

test('a menu focuses the first possible action', exhaustive, async () => {
  await renderApp(<Campaigns rows={all} />)
  const button = page.getByRole('button', { name: 'Take Action: Dashain 30' })
  await expect.element(button).toBeVisible()
  button.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem', { name: 'Pause' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
})

const topOf = (element: Element | null) => element?.getBoundingClientRect().top

test.each([1280, 375])('at %i px choosing a row moves neither the table nor the pager', exhaustive, async (width) => {
  await page.viewport(width, 800)
  await renderApp(<Campaigns rows={all} />)
  const range = page.getByText('1–10 of 31')
  await expect.element(range).toBeVisible()
  const places = () => [topOf(document.querySelector('table')), topOf(range.element())]
  const before = places()
  await page.getByRole('checkbox', { name: 'Choose Dashain 28' }).click()
  await expect.element(page.getByRole('toolbar')).toBeVisible()
  expect(places()).toEqual(before)
  await page.getByRole('button', { name: 'Choose none' }).click()
  await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('checkbox')
  expect(places()).toEqual(before)
  await page.viewport(1280, 800)
})

function Menu({ quick }: { quick?: 'wide' }) {
  const own = { label: 'Open', icon: IconPlayerPause, onClick: () => undefined }
  const actions = ['Edit', 'Recharge', 'Delete'].map((label) => ({
    label,
    disabledReason: 'This account is below agency',
    onClick: () => undefined,
  }))
  return (
    <div style={{ container: 'list / inline-size' }}>
      <table style={{ tableLayout: 'fixed', width: 500 }}>
        <tbody>
          <tr>
            <td style={{ width: 400 }}>Row</td>
            <td>
              <RowMenu
                label="Take Action"
                subject="client"
                actions={() => [own, ...actions]}
                {...(quick && { quick })}
              />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

test('a reason shared by several actions is shown once, and each of them refers to it', async () => {
  await renderApp(<Menu />)
  await page.getByRole('button', { name: 'Take Action: client' }).click()
  await expect.element(page.getByText('This account is below agency')).toBeVisible()
  expect(page.getByText('This account is below agency').elements()).toHaveLength(1)
  for (const name of ['Edit', 'Recharge', 'Delete'])
    await expect
      .element(page.getByRole('menuitem', { name }))
      .toHaveAccessibleDescription('This account is below agency')
  await expectAccessible()
  await userEvent.keyboard('{Escape}')
})

test.each([
  { width: 1440, shows: true },
  { width: 1400, shows: false },
  { width: 1024, shows: false },
])('at $width px a row of many columns shows its frequent action on hover: $shows', async ({ width, shows }) => {
  await page.viewport(width, 800)
  await renderApp(<Menu quick="wide" />)
  const open = () => document.querySelector('[aria-label="Open: client"]')
  const isShown = () => open()?.checkVisibility({ opacityProperty: true })
  await userEvent.unhover(document.body)
  await expect.element(page.getByRole('button', { name: 'Take Action: client' })).toBeVisible()
  expect(open()).not.toBeNull()
  expect(isShown()).toBe(false)
  await userEvent.hover(page.getByText('Row'))
  await expect.element(page.getByText('Row')).toBeVisible()
  await expect.poll(isShown).toBe(shows)
  await page.viewport(1280, 800)
})
