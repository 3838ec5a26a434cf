import { testCallRoutes } from '@ghanti/contract/test-calls.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '../../api/query.ts'
import { loadTexts } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import TestCall from './TestCall.tsx'
import type { Tested } from './tested.ts'

await loadTexts('testCall', 'previewCall')

let isOver = false
let begun = 0
const tested: Tested = {
  userId: 3,
  source: { campaignId: 12 },
  cli: '015970001',
  speaks: false,
  prices: { oneCallAtMost: 0.5, perAgentMinute: 0 },
}
const call = { mobile: '9841000011', inCall: false, disposition: null, seconds: 0, cost: 0, keys: '', events: [] }
const detail = () => ({
  testId: 7,
  name: 'Test call: Dashain',
  campaignStatus: campaignStatusCode[isOver ? 'complete' : 'running'],
  isOver,
  reason: null,
  cost: isOver ? 0.5 : 0,
  calls: [call],
})

beforeEach(() => {
  isOver = false
  begun = 0
  queryClient.clear()
  vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
    if (init?.method !== 'POST') return Response.json(detail())
    begun++
    return Response.json({ message: 'Success', testId: 7 })
  })
})

const open = (of = tested) => renderApp(<TestCall tested={of} onClose={() => undefined} />)
const numbers = page.getByRole('textbox', { name: 'Your own numbers' })

test('a closed test dialog reopens until its end was seen; other accounts have their own', async () => {
  const first = await open()
  await numbers.fill('9841000011')
  await page.getByRole('button', { name: 'Call now' }).click()
  await expect.element(page.getByText('not called yet')).toBeVisible()
  await first.unmount()

  const again = await open()
  await expect.element(page.getByRole('button', { name: 'Stop the test' })).toBeVisible()
  await again.unmount()

  const ofAnother = await open({ ...tested, userId: 4 })
  await expect.element(numbers).toBeVisible()
  await ofAnother.unmount()

  isOver = true
  queryClient.removeQueries({ queryKey: [testCallRoutes.detail.path] })
  const end = await open()
  await expect.element(page.getByText('The test is over. It cost Rs 0.50.')).toBeVisible()
  await end.unmount()

  await open()
  await expect.element(numbers).toBeVisible()
  expect(begun).toBe(1)
})
