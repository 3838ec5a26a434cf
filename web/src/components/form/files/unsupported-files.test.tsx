import { useForm } from '@mantine/form'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../../api/query.ts'
import { SessionProvider, type Session } from '../../../api/session.ts'
import { loadTexts } from '../../../i18n/language.ts'
import BulkVoiceBlacklistScreen from '../../../screens/blacklist/BulkVoiceBlacklistScreen.tsx'
import UploadCliScreen from '../../../screens/clis/UploadCliScreen.tsx'
import type { ComposeForm } from '../../../screens/compose/form.ts'
import { basesQuery } from '../../../screens/compose/queries.ts'
import UploadFields from '../../../screens/compose/contacts/UploadFields.tsx'
import UploadVoiceFileScreen from '../../../screens/prompts/UploadVoiceFileScreen.tsx'
import { sendRecordings } from '../../../screens/voice-packs/send.ts'
import { renderApp } from '../../../testing/render-app.tsx'

await loadTexts('blacklist', 'clis', 'compose', 'prompts')
queryClient.setDefaultOptions({ queries: { retry: false } })
afterEach(() => vi.restoreAllMocks())

const session = { userId: 3 } as Session
function Contacts() {
  const values: Partial<ComposeForm> = { file: null, baseName: '', uploadedBase: null }
  const form = useForm<ComposeForm>({ mode: 'uncontrolled', initialValues: values as ComposeForm })
  return (
    <SessionProvider value={session}>
      <UploadFields
        form={form}
        upload={{
          progress: null,
          start: () => Promise.resolve(null),
          cancel: () => {},
          asked: null,
          refusedPaste: null,
          use: () => {},
        }}
      />
    </SessionProvider>
  )
}

const csv = new File(['9841000001'], 'Members.csv', { type: 'text/csv' })
const picture = new File(['x'], 'holiday.png', { type: 'image/png' })
/** Specification 1 §5, specification 2 §5. `named`: the field named after the file. */
const forms = [
  { what: 'contacts', Screen: Contacts, right: csv, named: 'Base file name' },
  { what: 'a blacklist', Screen: BulkVoiceBlacklistScreen, right: csv, named: null },
  { what: 'caller IDs', Screen: UploadCliScreen, right: csv, named: null },
]
const voiceFile = { what: 'a voice file', Screen: UploadVoiceFileScreen }
const input = () => {
  const found = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!found) throw new Error('there is no file field')
  return found
}

test.each(forms)(
  '$what: a file of another type is refused at once, forgotten with its name, and the reason is said',
  async ({ Screen, right, named }) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response('[]')))
    await renderApp(<Screen />)
    await vi.waitFor(input)
    await userEvent.upload(input(), picture)
    await expect.element(page.getByText(/^A picture is not a supported format\. Choose/)).toBeVisible()
    expect([input().value, document.body.textContent.includes('holiday')]).toEqual(['', false])
    if (named) await expect.element(page.getByRole('textbox', { name: named })).toHaveValue('')

    await userEvent.upload(input(), right)
    await expect.element(page.getByText(`${right.name} · 1 kB`)).toBeVisible()
    await expect.element(page.getByText(/^A picture is not a supported format\. Choose/)).not.toBeInTheDocument()
    const name = right.name.replace(/\..*/, '')
    if (named) await expect.element(page.getByRole('textbox', { name: named })).toHaveValue(name)

    await userEvent.upload(input(), picture)
    await expect.element(page.getByText(/^A picture is not a supported format\. Choose/)).toBeVisible()
    await expect.element(page.getByText(`${right.name} · 1 kB`)).not.toBeInTheDocument()
    if (named) await expect.element(page.getByRole('textbox', { name: named })).toHaveValue('')
  },
)

test('a contact file whose name is taken gets a number; the next file has its own name', async () => {
  const stored = { baseId: 1, username: 'user', rows: 1, dialable: 1, columns: ['mobile'], bytes: 10, moreNumbers: [] }
  const files = ['members', 'Members (2)'].map((baseName) => ({ ...stored, baseName, uploadedAt: '', keptUntil: null }))
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(JSON.stringify(files))))
  await queryClient.fetchQuery(basesQuery(3))
  await renderApp(<Contacts />)
  await vi.waitFor(input)
  await userEvent.upload(input(), csv)
  const name = page.getByRole('textbox', { name: 'Base file name' })
  await expect.element(name).toHaveValue('Members (3)')
  await userEvent.upload(input(), new File(['9841000001'], 'Others.csv', { type: 'text/csv' }))
  await expect.element(name).toHaveValue('Others')
})

function drop(target: Element, ...files: File[]): DragEvent {
  const dataTransfer = new DataTransfer()
  files.forEach((file) => dataTransfer.items.add(file))
  const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
  target.dispatchEvent(event)
  return event
}

test('a dropped file is checked like a chosen one; several at once are refused; one that misses the field does not replace the page', async () => {
  await renderApp(<Contacts />)
  await vi.waitFor(input)
  const help = document.getElementById(input().getAttribute('aria-describedby') ?? '')
  expect(help?.textContent).toBe('.xlsx, .csv, .txt or .vcf, at most 20 MB, with the number in a column of its own')
  drop(input(), picture)
  await expect.element(page.getByText(/^A picture is not a supported format\. Choose/)).toBeVisible()
  drop(input(), csv)
  await expect.element(page.getByText('Members.csv · 1 kB')).toBeVisible()
  drop(input(), csv, csv)
  await expect.element(page.getByText('One file at a time: choose one of them')).toBeVisible()
  await expect.element(page.getByText('Members.csv · 1 kB')).not.toBeInTheDocument()
  expect(drop(document.body, csv).defaultPrevented).toBe(true)
})

test('recordings of another type or too large are refused before anything is sent', async () => {
  const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response('[]')))
  const long = new File([new Uint8Array(1024 * 1024 + 1)], 'may.wav', { type: 'audio/wav' })
  const { taken, refused } = await sendRecordings(1, [picture, long], () => undefined)
  expect(sent.mock.calls.filter(([, init]) => init?.method === 'POST')).toEqual([])
  expect([taken, refused]).toEqual([
    0,
    [
      { fileName: 'holiday.png', why: 'A picture is not a supported format. Choose a wav file' },
      { fileName: 'may.wav', why: '1.1 MB is too large, please pick a smaller file' },
    ],
  ])
})

test.each([...forms.filter(({ Screen }) => Screen !== Contacts), voiceFile])(
  '$what: a form that is sent without its file leads the keyboard to the field',
  async ({ Screen }) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response('[]')))
    await renderApp(<Screen />)
    await vi.waitFor(input)
    await page.getByRole('button', { name: 'Upload File' }).click()
    await expect.poll(() => document.activeElement).toBe(input())
  },
)
