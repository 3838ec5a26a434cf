import { choices, dates, text } from '@ghanti/contract/filters.ts'
import { list } from '@ghanti/contract/route.ts'
import { beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as z from 'zod/mini'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { loadTexts } from '../../../i18n/language.ts'
import FilterBar from './FilterBar.tsx'
import { useList } from '../use-list.ts'

const route = list({
  path: '/api/none',
  row: z.object({ id: z.number() }),
  sort: ['-id'],
  filters: { status: choices(['open', 'failed', 'refused']), raised: dates, cli: text },
})
const words = {
  status: { label: 'Status', values: { open: 'Open', failed: 'Error', refused: 'Error' } },
  raised: { label: 'Raised' },
  cli: { label: 'CLI' },
}

beforeAll(() => loadTexts('filters'))

function Bar() {
  const { filters } = useList(route, {})
  return (
    <>
      <h1>List</h1>
      <FilterBar filters={filters} words={words} />
    </>
  )
}

test('a filter is chosen by keyboard, shown in the URL and in a chip, and removed by its cross', async () => {
  const { address } = await renderApp(<Bar />)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect.element(page.getByRole('button', { name: 'Status' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(page.getByRole('button', { name: 'All filters' })).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(page.getByRole('button', { name: 'Error' })).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await expect.element(page.getByText('Status:')).toBeVisible()
  expect(address()).toBe('?status=open')
  await expectAccessible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Filter', exact: true })).toHaveFocus()
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  await expect.element(page.getByText('Status:')).not.toBeInTheDocument()
  expect(address()).toBe('')
})

test('values that read alike are one choice', async () => {
  const { address } = await renderApp(<Bar />)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('button', { name: 'Error' }).click()
  expect(address()).toBe('?status=failed%2Crefused')
  await expect.element(page.getByRole('button', { name: 'Status: Error' })).toBeVisible()
})

test('days are a recent range by one click', async () => {
  const { address } = await renderApp(<Bar />)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Raised' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  expect(address()).toBe('?raised=last7')
})

test('several filters are removed by one button, each by its own cross', async () => {
  const { address } = await renderApp(<Bar />, '/?raised=last7&status=open')
  await page.getByRole('button', { name: 'Clear all' }).click()
  expect(address()).toBe('')
  await renderApp(<Bar />, '/?raised=last7')
  await expect.element(page.getByRole('button', { name: 'Remove the filter Raised' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Clear all' }).elements()).toEqual([])
})

const openFirst = { key: 'status', value: 'open', every: 'open,failed,refused' }
function Usual() {
  const { filters } = useList(route, {}, { usual: openFirst })
  return (
    <>
      <h1>List</h1>
      <FilterBar filters={filters} words={words} />
    </>
  )
}

test('a default filter is shown in the bar until removed, and the URL remembers the removal', async () => {
  const { address } = await renderApp(<Usual />)
  await expect.element(page.getByRole('button', { name: 'Status: Open' })).toBeVisible()
  expect(address()).toBe('')
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  await expect.element(page.getByText('Status:')).not.toBeInTheDocument()
  expect(address()).toBe('?status=open%2Cfailed%2Crefused')
  await renderApp(<Usual />, '/?status=failed')
  await expect.element(page.getByRole('button', { name: 'Status: Error' })).toBeVisible()
})

test('an invalid value in an address is named and left out', async () => {
  await renderApp(<Bar />, '/?colour=red&status=ajar&raised=today')
  await expect.element(page.getByText(/^This address asks for a filter that does not exist: colour\./)).toBeVisible()
  await expect.element(page.getByText(/^The filter “Status” cannot be “ajar”\./)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Raised: Today' })).toBeVisible()
})

test('days in a URL that seem to be in BS are ignored, with the reason', async () => {
  await renderApp(<Bar />, '/?raised=2085-01-01..2085-01-31')
  await expect
    .element(page.getByText(/“2085-01-01\.\.2085-01-31” seems to be in BS\. The filter “Raised”/))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Raised:' })).not.toBeInTheDocument()
})

test('a sort by a column that no longer exists is reported', async () => {
  await renderApp(<Bar />, '/?sort=-colour')
  const said = 'This view sorts by a column that no longer exists: colour. The list is in its usual order.'
  await expect.element(page.getByText(said)).toBeVisible()
})

test('a filter that the bar does not offer is reported, and its button removes it', async () => {
  const offered = { status: words.status }
  function Narrow() {
    const { filters } = useList(route, {})
    return <FilterBar filters={filters} words={offered} />
  }
  const { address } = await renderApp(<Narrow />, '/?raised=today&status=open')
  const said = /^This address filters by “raised”, which is not available here\./
  await expect.element(page.getByText(said)).toBeVisible()
  await page.viewport(375, 812)
  await page.getByRole('button', { name: 'Remove the filter raised' }).click()
  await page.viewport(1280, 800)
  await expect.element(page.getByText(said)).not.toBeInTheDocument()
  expect(address()).toBe('?status=open')
})
