import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { AddedRows } from './AddedRows.tsx'

await loadTexts('contactFiles')

test('dates of added rows that can be two days are asked about where the rows were added, and others are not', async () => {
  const sent: unknown[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, request) => {
    sent.push(JSON.parse(String(request?.body)))
    return Response.json({ message: 'Success' })
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const counts = { rows: 3, dialable: 3, added: 1, duplicate: 0, invalid: 0, hiddenLeft: 0, hiddenTaken: 0 }
  const result = { message: 'Success', ...counts, moreNumbers: [], refused: [] }
  await renderApp(
    <AddedRows
      file={{ baseId: 7, baseName: 'Club' }}
      result={{ ...result, dateOrders: { due: 'ask', date: 'dmy' } }}
      close={() => undefined}
    />,
  )
  const month = page.getByRole('radio', { name: '5 November 2026' })
  await expect.element(month).not.toBeChecked()
  await expect.element(page.getByText('Which date is 11/05/2026 in the column due?').first()).toBeVisible()
  expect(document.body.textContent).not.toContain('in the column date?')
  await expectAccessible()
  await userEvent.click(page.getByText('5 November 2026'))
  await expect.element(month).toBeChecked()
  await expect.poll(() => document.body.textContent).toContain('Rows that you add later are read in the same way.')
  expect(sent).toEqual([{ baseId: 7, dateOrders: { due: 'mdy' } }])
})
