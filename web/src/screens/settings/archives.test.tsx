import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { loadTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import Archives from './Archives.tsx'
import classes from './Settings.module.css'

afterEach(() => vi.restoreAllMocks())

const archive = {
  archiveId: 7,
  kind: 'calls',
  from: '2026-05-01 06:45:00',
  to: '2026-05-28 15:45:00',
  rows: 1_234_567,
  bytes: 48_123_456,
  sha256: 'f'.repeat(64),
  madeAt: '2026-11-24 02:10:00',
}

test('on a telephone the table of archives scrolls by itself, and the page does not', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json([archive])))
  await loadTexts('settings')
  await page.viewport(375, 800)
  await renderApp(
    <div className={classes.sections}>
      <Archives />
    </div>,
  )
  await expect.element(page.getByRole('cell', { name: '12,34,567' })).toBeVisible()
  const table = page.getByRole('region', { name: 'Archived calls and messages' }).last().element()
  expect(table.scrollWidth).toBeGreaterThan(table.clientWidth)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(375)
  await expectAccessible()
})
