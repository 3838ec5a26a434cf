import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderApp } from '../../testing/render-app.tsx'
import { DataTable, type Column } from './DataTable.tsx'
import { RowMenu } from './RowMenu.tsx'
import { useLocalList } from './use-list.ts'

type Row = { id: number; name: string }
const rows: Row[] = Array.from({ length: 31 }, (_, id) => ({ id, name: id % 2 ? `Tihar ${id}` : `Dashain ${id}` }))
/** So many that the table is dense, where an arrow shows only beside the heading that was clicked. */
const days = Array.from({ length: 9 }, (_, day) => `day${day + 1}`)
const how = {
  sortKeys: ['-id', ...days],
  searchIn: ({ name }: Row) => name,
  valueOf: Object.fromEntries(['id', ...days].map((key) => [key, ({ id }: Row) => id])),
}
const columns: Column<Row>[] = [
  { key: 'name', header: 'Campaign Name', cell: ({ name }) => name },
  ...days.map((day) => ({ key: day, header: `Calls of ${day}`, sortKey: day, cell: ({ id }: Row) => String(id) })),
]

function Campaigns() {
  const list = useLocalList({ rows, error: null, isFetching: false, refetch: () => undefined }, how)
  return <DataTable empty="users" title="Campaigns" columns={columns} rowId={({ id }) => id} list={list} />
}

/** No frame is painted until `goOn`. */
function holdFrames() {
  const held: FrameRequestCallback[] = []
  const spy = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((then) => held.push(then))
  return {
    goOn() {
      spy.mockRestore()
      held.forEach((then) => then(performance.now()))
    },
  }
}

test('the menu has closed before its action begins, so that what opens does not hold up the answer to the click', async () => {
  const menusLeft: number[] = []
  const actions = () => [
    { label: 'Stop', onClick: () => void menusLeft.push(page.getByRole('menu').elements().length) },
  ]
  await renderApp(<RowMenu label="Take Action" subject="Dashain" actions={actions} />)
  await page.getByRole('button', { name: 'Take Action: Dashain' }).click()
  await page.getByRole('menuitem', { name: 'Stop' }).click()
  await expect.poll(() => menusLeft).toEqual([0])
})

test('a click on a heading shows the new order before anything else changes, and moves no column', async () => {
  await renderApp(<Campaigns />)
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  const widths = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map((heading) => heading.getBoundingClientRect().width)
  const before = widths()
  const frames = holdFrames()
  await page.getByRole('button', { name: 'Calls of day3' }).click()
  await expect.element(page.getByRole('columnheader', { name: 'Calls of day3' })).toHaveAttribute('aria-sort')
  expect(widths()).toEqual(before)
  await expect.element(page.getByRole('row').nth(1).getByText('Dashain 30')).toBeVisible()
  frames.goOn()
  await expect.element(page.getByRole('row').nth(1).getByText('Dashain 0')).toBeVisible()
})

test('the arrow of a text’s heading has its place beside the text, and does not lie upon the next column', async () => {
  await renderApp(<Campaigns />)
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  const heading = page.getByRole('button', { name: 'Calls of day3' }).element()
  const arrow = heading.querySelector('svg') as SVGElement
  expect(arrow.getBoundingClientRect().right).toBeLessThanOrEqual(heading.getBoundingClientRect().right)
})

test('rows that stay behind their heading for a while are paler, and not by a transition, which would paint them twice', async () => {
  await renderApp(<Campaigns />)
  await expect.element(page.getByText('1–10 of 31')).toBeVisible()
  const frames = holdFrames()
  await page.getByRole('button', { name: 'Calls of day3' }).click()
  const looks = () => getComputedStyle(page.getByRole('table').element().parentElement as Element)
  expect([looks().opacity, looks().transitionDuration]).toEqual(['1', '0s'])
  await expect.poll(() => looks().opacity).toBe('0.6')
  frames.goOn()
  await expect.poll(() => looks().opacity).toBe('1')
})
