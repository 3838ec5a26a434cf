import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '../../api/query.ts'
import { SessionProvider, type Session } from '../../api/session.ts'
import { loadTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { wantsFirstSteps } from './first-steps.ts'

await loadTexts('overview')
const session = { userId: 7, role: 'user' } as Session
const fetched = (steps: Record<string, boolean>) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
    const listed = Object.entries(steps).map(([step, isDone]) => ({ step, isDone }))
    return Promise.resolve(new Response(JSON.stringify({ steps: listed })))
  })
const shown = () =>
  renderApp(
    <SessionProvider value={session}>
      <FirstSteps />
    </SessionProvider>,
  )
beforeEach(() => {
  queryClient.clear()
  localStorage.clear()
})
afterEach(() => vi.restoreAllMocks())

test('the first steps say which are done, and each open one leads to where it is done', async () => {
  fetched({ voiceFile: true, approval: false, campaign: false })
  await shown()
  await expect.element(page.getByText('1 of 3 done. Each is ticked automatically.')).toBeVisible()
  await expect.element(page.getByRole('img', { name: 'Done' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Start the first campaign' }))
    .toHaveAttribute('href', '/add-voice-campaign')
  expect(page.getByRole('link', { name: 'Upload a voice file' }).elements()).toEqual([])
  expect(document.querySelector('[aria-current=step]')?.textContent).toContain('Have it approved')
  await expectAccessible()
})

test('hidden first steps stay hidden for this account in this browser, and are not requested again', async () => {
  const asked = fetched({ voiceFile: false })
  const first = await shown()
  await page.getByRole('button', { name: 'Hide the first steps' }).click()
  await expect.element(page.getByText('Upload a voice file')).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement?.tagName).toBe('MAIN')
  await first.unmount()
  asked.mockClear()
  await shown()
  expect(asked).not.toHaveBeenCalled()
  expect([wantsFirstSteps(7), wantsFirstSteps(8)]).toEqual([false, true])
})

test('first steps disappear when all are done, and are not requested again', async () => {
  fetched({ voiceFile: true, approval: true })
  await shown()
  await expect.poll(() => wantsFirstSteps(7)).toBe(false)
  expect(document.body.textContent).not.toContain('First steps')
})
