import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { DataTable, type Column } from './DataTable.tsx'
import { RowMenu } from './RowMenu.tsx'
import { useLocalList } from './use-list.ts'

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
const columns: Column<Row>[] = [
  { key: 'name', header: 'Campaign Name', sortKey: 'name', cardTitle: true, cell: (row) => row.name },
  { key: 'calls', header: 'Calls', sortKey: 'calls', align: 'right', cell: (row) => row.calls },
  {
    key: 'action',
    header: 'Action',
    cell: (row) => (
      <RowMenu
        label="Take Action"
        subject={row.name}
        actions={() => [
          { label: 'Pause', onClick: () => void (paused += 1) },
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
  return <DataTable title="Campaigns" columns={columns} rowId={(row) => row.id} list={list} />
}

test('pages, page size, sort and search are in the address, and the defaults are not', async () => {
  const { address } = await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  await page.getByRole('button', { name: 'Page 4' }).click()
  await expect.element(page.getByText('31–31 of 31')).toBeVisible()
  expect(address()).toBe('?page=4')
  await page.getByRole('button', { name: 'Campaign Name' }).click()
  await expect
    .element(page.getByRole('columnheader', { name: 'Campaign Name' }))
    .toHaveAttribute('aria-sort', 'ascending')
  expect(address()).toBe('?sort=name')
  await page.getByRole('searchbox').fill('tihar 3')
  await expect.element(page.getByText('1–1 of 1')).toBeVisible()
  expect(address()).toBe('?sort=name&search=tihar+3')
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  await page.getByLabelText('Rows per page').selectOptions('25')
  await expect.element(page.getByText('1–25 of 31')).toBeVisible()
  await expectAccessible()
})

test('no rows: what was searched for, or that there is nothing yet', async () => {
  await renderApp(<Campaigns rows={all} />, '/?search=zzz')
  await expect.element(page.getByText('Nothing matches “zzz”.')).toBeVisible()
  await renderApp(<Campaigns rows={[]} />)
  await expect.element(page.getByText('Nothing here yet.')).toBeVisible()
})

test('an action that cannot be done now is shown with its reason and does nothing', async () => {
  await renderApp(<Campaigns rows={all} />)
  await page.getByRole('button', { name: 'Take Action: Dashain 30' }).click()
  const resume = page.getByRole('menuitem', { name: /Resume/ })
  await expect.element(resume.getByText('Only a paused campaign can be resumed')).toBeVisible()
  await resume.click({ force: true })
  await expectAccessible()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  expect(paused).toBe(1)
})

test('under 600 px an order that no column shows has a name, and can be had again', async () => {
  await page.viewport(390, 800)
  const { address } = await renderApp(<Campaigns rows={all} sortKeys={byId} />)
  const sort = page.getByLabelText('Sort by')
  await expect.element(sort).toHaveDisplayValue('Newest first')
  await sort.selectOptions('Campaign Name, ascending')
  expect(address()).toBe('?sort=name')
  await sort.selectOptions('Newest first')
  expect(address()).toBe('')
  await page.viewport(1280, 800)
})

test('under 600 px a row is a card that names its values, and can still be sorted', async () => {
  await page.viewport(390, 800)
  await renderApp(<Campaigns rows={all} />)
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await page.getByLabelText('Sort by').selectOptions('Campaign Name, ascending')
  await expect.element(page.getByRole('row').nth(0).getByRole('cell', { name: 'Dashain 0' })).toBeVisible()
  await expectAccessible()
  await page.viewport(1280, 800)
  await userEvent.keyboard('{Escape}')
})
