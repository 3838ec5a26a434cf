import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { setLanguage } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { DataTable, type Column } from './DataTable.tsx'
import { Pager } from './Pager.tsx'
import { useLocalList } from './use-list.ts'

afterEach(async () => {
  await setLanguage('en')
  await page.viewport(1280, 800)
})

const rows = Array.from({ length: 10_000 }, (_, id) => ({ id }))
const how = { sortKeys: ['-id'], searchIn: () => '', valueOf: { id: ({ id }: { id: number }) => id } }

const columns: Column<{ id: number }>[] = [{ key: 'id', header: 'Id', cell: ({ id }) => `Row ${id}` }]

/** As many as a reseller's customers and their campaigns have in a month. */
function Statement() {
  const some = { rows: rows.slice(0, 17), error: null, isFetching: false, refetch: () => undefined }
  const list = useLocalList(some, how)
  return <DataTable title="Statement" columns={columns} rowId={({ id }) => id} list={list} empty="notices" />
}

test('a list that the browser has whole prints all its rows, not just a page of them', async () => {
  await renderApp(<Statement />, '/?page=2')
  await expect.element(page.getByText('11–17 of 17')).toBeVisible()
  window.dispatchEvent(new Event('beforeprint'))
  expect(page.getByText('1–17 of 17').elements()).toHaveLength(1)
  expect(page.getByText(/^Row \d/).elements()).toHaveLength(17)
  window.dispatchEvent(new Event('afterprint'))
  await expect.element(page.getByText('11–17 of 17')).toBeVisible()
})

/** As wide as a list is on the screen: the page and the list's frame take the rest. */
function Pages() {
  const list = useLocalList({ rows, error: null, isFetching: false, refetch: () => undefined }, how)
  return (
    <div style={{ width: 'calc(100vw - 26px)' }}>
      <Pager list={list} />
    </div>
  )
}

const phones = [360, 375, 390].flatMap((width) => (['en', 'ne'] as const).map((language) => ({ width, language })))

test.each(phones)(
  'a phone of $width px has the pages on one line in $language, none too small to be touched',
  async (of) => {
    await page.viewport(of.width, 800)
    await setLanguage(of.language)
    for (const at of [1, 500, 997]) {
      const { unmount } = await renderApp(<Pages />, `/?page=${at}`)
      await expect.element(page.getByRole('navigation')).toBeVisible()
      const buttons = page.getByRole('navigation').getByRole('button').elements()
      const places = buttons.map((button) => button.getBoundingClientRect())
      expect(new Set(places.map(({ top }) => top)).size, `page ${at}`).toBe(1)
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(of.width)
      for (const { width, height, left, right } of places) {
        expect(width).toBeGreaterThanOrEqual(28)
        expect(height).toBeGreaterThanOrEqual(36)
        expect([left >= 0, right <= of.width]).toEqual([true, true])
      }
      await unmount()
    }
  },
)
