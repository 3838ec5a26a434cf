import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../../api/query.ts'
import { SessionProvider, type Session } from '../../../api/session.ts'
import { loadTexts } from '../../../i18n/language.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import ComposeScreen from '../ComposeScreen.tsx'
import { blankForm } from '../form.ts'
import { draftKey, writeDraft } from '../opened/draft.ts'
import { basesQuery, clisQuery, promptsQuery } from '../queries.ts'

/** The first test of this file has the name and its file. */
const exhaustive = { tags: ['exhaustive'] }

await loadTexts('compose')
// Clicks take seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const nothing = { rows: [], total: 0, exact: true, truncated: false }
const key = draftKey(3, { duplicateOf: null, baseId: null, setupId: null })

beforeEach(() => {
  sessionStorage.clear()
  queryClient.clear()
  queryClient.setDefaultOptions({ queries: { staleTime: Infinity, retry: false } })
  queryClient.setQueryData(clisQuery(3).queryKey, nothing)
  queryClient.setQueryData(promptsQuery(3).queryKey, nothing)
  queryClient.setQueryData(basesQuery(3).queryKey, [])
})

const opened = () =>
  renderApp(
    <SessionProvider value={{ userId: 3, role: 'user' } as Session}>
      <ComposeScreen />
    </SessionProvider>,
    '/add-voice-campaign',
  )
const chooseWay = (way: string) => userEvent.click(page.getByText(way, { exact: true }))
const name = page.getByRole('textbox', { name: 'Base file name' })

async function pick(fileName: string): Promise<void> {
  await expect.element(name).toBeVisible()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('there is no file field')
  await userEvent.upload(input, new File(['9841000001'], fileName, { type: 'text/csv' }))
}

/** As a reload does it: what was typed is kept, and comes back in a new form. */
async function reload(first: Awaited<ReturnType<typeof opened>>): Promise<void> {
  await first.unmount()
  await opened()
}

test('a file’s name goes with the file when the page is reloaded: another file has its own', async () => {
  const first = await opened()
  await chooseWay('Upload file')
  await pick('Members June.csv')
  await expect.element(name).toHaveValue('Members June')
  await userEvent.fill(page.getByRole('textbox', { name: 'Campaign name' }), 'Tihar')
  await reload(first)
  await expect.element(page.getByRole('textbox', { name: 'Campaign name' })).toHaveValue('Tihar')
  await expect.element(name).toHaveValue('')
  await pick('Members July.csv')
  await expect.element(name).toHaveValue('Members July')
})

test('a typed name stays, whatever file is picked after a reload', exhaustive, async () => {
  const first = await opened()
  await chooseWay('Upload file')
  await pick('Members June.csv')
  await userEvent.fill(name, 'Savings club')
  await reload(first)
  await expect.element(name).toHaveValue('Savings club')
  await pick('Members July.csv')
  await expect.element(name).toHaveValue('Savings club')
})

test(
  'an uploaded file keeps its name after a reload, and another one in its place has its own',
  exhaustive,
  async () => {
    const uploadedBase = { baseId: 1, name: 'Members June', rows: 1, dialable: 1 }
    const form = {
      ...blankForm,
      contactsFrom: 'upload',
      baseName: 'Members June',
      fileGaveName: 'Members June',
    } as const
    writeDraft(sessionStorage, key, { ...form, uploadedBase }, blankForm)
    await opened()
    await expect.element(name).toHaveValue('Members June')
    await pick('Members July.csv')
    await expect.element(name).toHaveValue('Members July')
  },
)

test('another file has its own name after a look at another way to give contacts', async () => {
  await opened()
  await chooseWay('Upload file')
  await pick('Members June.csv')
  await chooseWay('Paste numbers')
  await chooseWay('Upload file')
  await pick('Members July.csv')
  await expect.element(name).toHaveValue('Members July')
})
