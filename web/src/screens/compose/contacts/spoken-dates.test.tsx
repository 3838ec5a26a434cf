import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts } from '../../../i18n/language.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { FileTables } from './ContactsPreview.tsx'

await loadTexts('compose', 'dateOrders')

const counts = { rows: 2, accepted: 2, blacklisted: 0, invalid: 0, duplicate: 0, refusedKept: 0, refused: [] }
const row = (line: number, date: string, day?: string) => ({
  line,
  mobile: `984100000${line}`,
  values: { date },
  dates: day === undefined ? {} : { date: day },
  spoken: {},
})
const tables = (order: 'ask' | 'mdy', day?: string) => {
  const first = [row(2, '11/05/2026', day), row(3, '2083/08/06', '2026-11-22')]
  const preview = {
    ...counts,
    columns: ['mobile', 'date'],
    first,
    dateOrders: { date: order },
    lostLetters: [],
    moreNumbers: [],
  }
  return renderApp(<FileTables baseId={1} preview={preview} refusedHref="" />)
}

test('a date stands beside its cell in the words that are spoken', async () => {
  await tables('mdy', '2026-11-05')
  await expect.element(page.getByText('fifth November two thousand twenty-six')).toBeVisible()
  await expect.element(page.getByText('twenty-second November two thousand twenty-six')).toBeVisible()
  await expect.element(page.getByRole('radio', { name: '5 November 2026' })).toBeChecked()
})

test('a date that can be two days has no words, and its order is asked', async () => {
  await tables('ask')
  await expect.element(page.getByText('Which date is 11/05/2026 in the column date?')).toBeVisible()
  for (const name of ['11 May 2026', '5 November 2026'])
    await expect.element(page.getByRole('radio', { name })).not.toBeChecked()
  expect(document.body.textContent).not.toContain('fifth November')
})
