import { contactRoutes, type CheckedFile, type FileLook } from '@ghanti/contract/contacts.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../../api/query.ts'
import { loadTexts } from '../../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import CheckFile from './CheckFile.tsx'
import type { FileReading } from './file-reading.ts'

await loadTexts('contactTable')
// Clicks take seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const sent: FileReading[] = []
beforeEach(() => {
  queryClient.clear()
  sent.length = 0
})

const title = 'Shree Saving and Credit Cooperative Ltd., members of the year 2083'
const refused: CheckedFile['refused'] = [
  { line: 5, text: '98410,2,Ram,600', number: '98410', reason: 'the number is too short' },
  { line: 6, text: '9841000001,3,Hari,700', number: null, reason: 'the same number as in line 4' },
]
const titled: FileLook = {
  sheets: [],
  sheet: null,
  header: true,
  headerLine: 3,
  number: 2,
  close: [],
  hiddenRows: 0,
  dateOrders: {},
  first: [
    { line: 1, cells: [title, '', '', ''] },
    { line: 3, cells: ['S.N.', 'Policy Holder', 'Mob No', 'Premium Amount'] },
    { line: 4, cells: ['1', 'Sita', '9841000001', '500'] },
    { line: 5, cells: ['2', 'Ram', '98410', '600'] },
  ],
  checked: { number: 2, rows: 3, good: 1, refused },
}

type Asked = Record<string, unknown>
let serial = 0
/** `answers`: what the server says to each further question. */
async function opened(
  look: FileLook,
  { answers = [], ...more }: { wanted?: string[]; reading?: FileReading; answers?: [Asked, CheckedFile][] } = {},
) {
  const file = new File(['x'], `members ${++serial}.csv`, { lastModified: 1 })
  const answer = (asked: Asked, reply: FileLook) =>
    queryClient.setQueryData([contactRoutes.look.path, file.name, file.size, file.lastModified, asked], reply)
  answer({ sheet: more.reading?.sheet }, look)
  for (const [asked, checked] of answers) answer({ sheet: undefined, ...asked }, { ...look, checked })
  const screen = <CheckFile file={file} submit="Save" onUse={(one) => sent.push(one)} {...more} />
  const shown = await renderApp(screen)
  await expect.element(page.getByRole('combobox', { name: 'Column with the numbers' })).toBeVisible()
  return { screen, shown }
}
const save = () => userEvent.click(page.getByRole('button', { name: 'Save' }))
const headerRow = page.getByRole('combobox', { name: 'Row that names the columns' })
const typed = page.getByRole('textbox', { name: 'Number in row 5' })
const counts = () => document.querySelector('[role=status]')?.textContent

test('says how many numbers of the found column are good, and why each other row is not', async () => {
  await opened(titled)
  await expect.element(page.getByRole('combobox', { name: 'Column with the numbers' })).toHaveValue('2')
  expect(counts()).toBe('1 good2 not')
  await expect.element(typed).toHaveValue('98410')
  await expect.element(page.getByText('the number is too short')).toBeVisible()
  await expect.element(page.getByText('the same number as in line 4')).toBeVisible()
  await expect.element(headerRow).toHaveValue('3')
  await expectAccessible()
  await save()
  expect(sent, 'what was found is sent as it was found').toEqual([{ askColumns: undefined }])
})

test('a number is typed anew, which the server counts, and stays when the part is closed', async () => {
  const numbers = [{ line: 5, number: '9841000005' }]
  const repaired = { number: 2, rows: 3, good: 2, refused: refused.slice(1) }
  const { screen, shown } = await opened(titled, { answers: [[{ numbers }, repaired]] })
  await typed.fill('984100')
  await expect.element(page.getByText('cannot be called like this')).toBeVisible()
  expect(counts()).toBe('1 good2 not')
  await typed.fill('9841000005')
  await expect.element(page.getByText('will be called')).toBeVisible()
  expect(counts()).toBe('2 good1 not')
  await shown.unmount()
  await renderApp(screen)
  await expect.element(typed).toHaveValue('9841000005')
  await save()
  expect(sent).toEqual([{ numbers, askColumns: undefined }])
})

test('another column is another check, whose typed numbers begin anew', async () => {
  const columns = { number: 3, header: true, headerLine: 3, names: [] }
  const other = { number: 3, rows: 3, good: 0, refused: [] }
  await opened(titled, { answers: [[{ columns }, other]] })
  await typed.fill('9841000005')
  await userEvent.click(page.getByRole('radio', { name: 'Column C is the number' }))
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(page.getByRole('radio', { name: 'Column D is the number' })).toBeChecked()
  await expect.element(page.getByText('No number in this column can be called. Choose another one.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('where several columns have numbers, a person is asked to look, and the likely one is sent by name', async () => {
  await opened({ ...titled, number: null, close: ['Mob No', 'Phone 2'] })
  await expect
    .element(page.getByText('Several columns have numbers: Mob No, Phone 2. Make sure that the right one is chosen.'))
    .toBeVisible()
  await save()
  expect(sent[0]?.columns).toMatchObject({ number: 2, header: true, headerLine: 3 })
})

test.each([1440, 1280, 390])('nothing but the rows’ own box scrolls across at %i px', async (width) => {
  await page.viewport(width, 800)
  await opened(titled)
  const wide = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      element.clientWidth > 0 &&
      element.scrollWidth > element.clientWidth + 1 &&
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
  )
  expect(wide.map((element) => element.getAttribute('aria-label') ?? element.className)).toEqual(
    wide.length > 0 ? ['First rows of the file'] : [],
  )
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  await page.viewport(1280, 800)
})

test('a template’s columns are proposed by their names, and can be chosen', async () => {
  await opened(titled, { wanted: ['amount', 'date'] })
  await expect.element(page.getByRole('combobox', { name: 'Column for amount' })).toHaveValue('3')
  await expect.element(page.getByRole('combobox', { name: 'Column for date' })).toHaveValue('')
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Column for date' }), '1')
  await save()
  expect(sent[0]?.columns?.names).toEqual(['', 'date', '', 'amount'])
})

test('dates that can be two days are said before the file is sent', async () => {
  await opened({ ...titled, dateOrders: { 'Due on': 'ask', born: 'dmy' } })
  await expect.poll(() => document.body.textContent).toContain('Dates can be read in two ways in: Due on. You choose')
})

test('what was said of a file before it was refused is there again', async () => {
  const columns = { number: 2, header: true, headerLine: 3, names: ['', '', '', 'Due'] }
  await opened(titled, { reading: { columns } })
  await expect.element(page.getByRole('textbox', { name: 'Name of column D' })).toHaveValue('Due')
  await save()
  expect(sent).toEqual([{ columns, askColumns: undefined }])
})
