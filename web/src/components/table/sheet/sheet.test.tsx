import { choices, dates } from '@ghanti/contract/filters.ts'
import { list } from '@ghanti/contract/route.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as z from 'zod/mini'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { DataTable, type Column } from '../DataTable.tsx'
import { useList } from '../use-list.ts'

type Row = { id: number }
const route = list({
  path: '/api/none',
  row: z.object({ id: z.number() }),
  sort: ['-id', 'id'],
  filters: { status: choices(['open', 'closed']), raised: dates },
})
const words = { status: { label: 'Status', values: { open: 'Open', closed: 'Closed' } }, raised: { label: 'Raised' } }
const columns: Column<Row>[] = [
  { key: 'id', header: 'Number', sortKey: 'id', cardTitle: true, cell: ({ id }) => id },
  { key: 'note', header: 'Note', cell: () => 'none' },
]

function List() {
  const rows = useList(route, {})
  const tools = <button type="button">Read all</button>
  return (
    <DataTable
      title="Alerts"
      name="alerts"
      columns={columns}
      rowId={({ id }) => id}
      list={{ ...rows, rows: [{ id: 1 }], total: 1, error: null }}
      filters={words}
      tools={tools}
      empty="users"
    />
  )
}

beforeEach(() => page.viewport(390, 800))
afterEach(async () => {
  localStorage.clear()
  await page.viewport(1280, 800)
})
const button = (name = 'Options of the list') => page.getByRole('button', { name })
const sheet = page.getByRole('group', { name: 'Options of the list' })

test('above cards the toolbar is the search and one button, whose sheet has all the rest', async () => {
  await renderApp(<List />)
  await expect.element(button()).toBeVisible()
  const bar = [...document.querySelectorAll('section input, section button')].filter((one) => !one.closest('table'))
  const isSeen = (one: Element) => one.checkVisibility({ visibilityProperty: true })
  const seen = bar.filter(isSeen).map((one) => one.getAttribute('aria-label'))
  expect(seen.slice(0, 2)).toEqual(['Search', 'Options of the list'])
  expect(page.getByRole('button', { name: 'Read all' }).elements()).toEqual([])
  await button().click()
  for (const name of ['Status', 'Raised', 'Views', 'Read all', 'Refresh'])
    await expect.element(sheet.getByRole('button', { name })).toBeVisible()
  await expect.element(sheet.getByRole('link', { name: 'Export to CSV' })).toBeVisible()
  await expect.element(sheet.getByRole('combobox', { name: 'Sort by' })).toBeVisible()
  await expect.element(sheet.getByRole('checkbox', { name: 'Note' })).toBeChecked()
  await expectAccessible()
  await sheet.getByRole('button', { name: 'Read all' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
})

test('a filter is chosen on the sheet, and its button then says that one is set', async () => {
  const { address } = await renderApp(<List />)
  await button().click()
  await sheet.getByRole('button', { name: 'Status' }).click()
  await expect.element(page.getByRole('button', { name: 'Open', exact: true })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(address()).toBe('?status=open')
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Options of the list 1')).toHaveFocus()
  await expect.element(page.getByText('Status:')).not.toBeVisible()
  await button('Options of the list 1').click()
  await sheet.getByRole('button', { name: 'Clear all' }).click()
  expect(address()).toBe('')
})

test('views are a step of the sheet, from which one can go back', async () => {
  await renderApp(<List />)
  await button().click()
  await sheet.getByRole('button', { name: 'Views' }).click()
  const views = page.getByRole('group', { name: 'Views' })
  await expect.element(views.getByText(/^You can save the filters/)).toBeVisible()
  await views.getByRole('button', { name: 'Views' }).click()
  await expect.element(sheet.getByRole('button', { name: 'Refresh' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(button()).toHaveFocus()
})
