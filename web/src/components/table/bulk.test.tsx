import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ApiError } from '../../api/error.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { askForAll } from './bulk.tsx'

type File = { id: number; name: string }
const files: File[] = [
  { id: 7, name: 'Menu' },
  { id: 8, name: 'Thanks' },
]
const done = { status: 200, message: 'Success', errors: [] }
const asked: unknown[] = []
let kept: readonly unknown[] = []

function Approve({
  results,
  refused,
}: {
  refused?: ApiError
  results: (
    | typeof done
    | { status: number; message: string; errors: { field: string; code: string; text: string }[] }
  )[]
}) {
  const common = useTexts('common')
  const format = useFormat()
  const deed = {
    label: 'Approve',
    done: 'Approved',
    question: 'Are you sure you want to approve these 2 files?',
    failure: 'Approval failed',
    labels: { promptId: 'The file' },
    rows: files,
    idOf: ({ id }: File) => id,
    nameOf: ({ name }: File) => name,
    keep: (ids: readonly unknown[]) => (kept = ids),
    again: async () => undefined,
    run: async (ids: number[]) => {
      asked.push(ids)
      if (refused) throw refused
      return { results }
    },
  }
  return <button onClick={() => askForAll(deed, { common, format })}>Begin</button>
}

test('one question names the number of rows; refused ones are listed with their reasons and stay selected', async () => {
  const decided = {
    status: 409,
    message: 'Request Failed',
    errors: [{ field: 'promptId', code: 'decided', text: 'is already Approved' }],
  }
  await renderApp(<Approve results={[done, decided]} />)
  await page.getByRole('button', { name: 'Begin' }).click()
  const question = page.getByRole('dialog', { name: 'Approve 2 chosen?' })
  await question.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog', { name: '1 of 2 not done' })
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent('Thanks The file is already Approved')
  expect(asked).toEqual([[7, 8]])
  expect(kept).toEqual([8])
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Close' }).click()
})

test('when all were refused the question stays with the first reasons, and all stay selected', async () => {
  kept = files
  const errors = [{ field: 'promptId', code: 'decided', text: 'is already Approved' }]
  await renderApp(<Approve results={[]} refused={new ApiError(409, 'Request Failed', errors)} />)
  await page.getByRole('button', { name: 'Begin' }).click()
  const question = page.getByRole('dialog', { name: 'Approve 2 chosen?' })
  await question.getByRole('button', { name: 'Approve' }).click()
  await expect.element(question.getByText('The file is already Approved')).toBeVisible()
  expect(kept).toEqual(files)
  await question.getByRole('button', { name: 'Close' }).last().click()
})
