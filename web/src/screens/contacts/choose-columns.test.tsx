import { contactRoutes, type FileLook } from '@ghanti/contract/contacts.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query.ts'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { loadTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import ChooseColumns from './ChooseColumns.tsx'
import type { FileReading } from './file-reading.ts'

await loadTexts('contactTable')
// Clicks take seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const file = new File(['x'], 'members.csv', { lastModified: 1 })
const sent: FileReading[] = []
beforeEach(() => {
  queryClient.clear()
  sent.length = 0
})

const titled: FileLook = {
  sheets: [],
  sheet: null,
  header: true,
  headerLine: 1,
  number: null,
  close: [],
  hiddenRows: 0,
  dateOrders: {},
  first: [
    { line: 1, cells: ['Shree Saving and Credit Cooperative Ltd., members of the year 2083', '', '', ''] },
    { line: 3, cells: ['S.N.', 'Policy Holder', 'Mob No', 'Premium Amount'] },
    { line: 4, cells: ['1', 'Sita', '9841000001', '500'] },
    { line: 5, cells: ['2', 'Ram', '9841000002', '600'] },
  ],
}
const refused = Array.from({ length: 10 }, (_, at) => ({
  line: at + 3,
  text: 'S.N.,Policy Holder,Mob No',
  reason: `the number has letters${at === 0 ? '' : ', again'}`,
}))

/** As a dialog of 620 px shows it. */
async function opened(
  code: string,
  look: FileLook,
  { wanted, reading = {} }: { wanted?: string[]; reading?: FileReading } = {},
) {
  queryClient.setQueryData([contactRoutes.look.path, file.name, file.size, file.lastModified, ''], look)
  const error = { field: 'baseFile', code, text: 'has 3 rows that cannot be called, of 10' }
  const refusal = new ApiError(400, 'Parameters Incorrect', [error], null, { rows: 10, dialable: 7, refused })
  await renderApp(null)
  showDialog({
    title: 'Upload Contacts',
    size: 'lg',
    render: () => (
      <div style={{ display: 'grid' }}>
        <ChooseColumns asked={{ file, refusal, reading }} onUse={(one) => sent.push(one)} {...(wanted && { wanted })} />
      </div>
    ),
  })
  await expect.element(page.getByRole('table', { name: 'The first rows that cannot be called' })).toBeVisible()
}
const use = () => userEvent.click(page.getByRole('button', { name: 'Upload with these columns' }))
const headerRow = page.getByRole('combobox', { name: 'Row that names the columns' })

test('the dialog says why, shows refused rows with reasons, and proposes the column that has numbers', async () => {
  await opened('many_refused', titled)
  await expect.element(page.getByText('The file has 3 rows that cannot be called, of 10')).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'the number has letters', exact: true })).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Column C is the number' })).toBeChecked()
  await expectAccessible()
  await userEvent.selectOptions(headerRow, '3')
  await use()
  expect(sent).toEqual([{ columns: { number: 2, header: true, headerLine: 3, names: ['', '', '', ''] } }])
})

test.each([1440, 1280, 390])('nothing but the rows’ own box scrolls across at %i px', async (width) => {
  await page.viewport(width, 800)
  await opened('many_refused', titled)
  const wide = [...document.querySelectorAll('[role=dialog], [role=dialog] *')].filter(
    (element) =>
      element.clientWidth > 0 &&
      element.scrollWidth > element.clientWidth + 1 &&
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
  )
  expect(wide.map((element) => element.getAttribute('aria-label') ?? element.className)).toEqual(
    width < 600 || wide.length > 0 ? ['First rows of the file'] : [],
  )
  const dialog = document.querySelector('[role=dialog]')?.getBoundingClientRect()
  for (const part of document.querySelectorAll('[role=dialog] section'))
    expect(part.getBoundingClientRect().right).toBeLessThanOrEqual(dialog?.right ?? 0)
  await page.viewport(1280, 800)
})

test('a template’s columns are proposed by their names, and can be chosen', async () => {
  await opened('which_column', { ...titled, headerLine: 3 }, { wanted: ['amount', 'date'] })
  await expect.element(page.getByRole('combobox', { name: 'Column for amount' })).toHaveValue('3')
  await expect.element(page.getByRole('combobox', { name: 'Column for date' })).toHaveValue('')
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Column for date' }), '1')
  await use()
  expect(sent[0]?.columns?.names).toEqual(['', 'date', '', 'amount'])
})

test('the column is chosen by keyboard, and a file of which most can be called may be stored as it was read', async () => {
  const columns = { number: 2, header: true, headerLine: 3, names: ['', '', '', 'Due'] }
  await opened('many_refused', titled, { reading: { columns } })
  await expect.element(page.getByRole('textbox', { name: 'Name of column D' })).toHaveValue('Due')
  await expect.element(headerRow).toHaveValue('3')
  await userEvent.click(page.getByRole('radio', { name: 'Column C is the number' }))
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(page.getByRole('radio', { name: 'Column D is the number' })).toBeChecked()
  await userEvent.click(page.getByRole('button', { name: 'Upload the 7 rows that can be called' }))
  expect(sent).toEqual([{ columns, askColumns: undefined }])
})

test('dates that can be two days are said before the file is sent', async () => {
  await opened('which_column', { ...titled, headerLine: 3, dateOrders: { 'Due on': 'ask', born: 'dmy' } })
  await expect.poll(() => document.body.textContent).toContain('Dates can be read in two ways in: Due on. You choose')
})

test('what was found is sent as it was found', async () => {
  await opened('which_sheet', { ...titled, headerLine: 3, number: 2, sheets: ['June', 'July'], sheet: 'June' })
  await use()
  expect(sent).toEqual([{ sheet: 'June' }])
})
