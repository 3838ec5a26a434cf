import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../api/query.ts'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { renderApp } from '../../testing/render-app.tsx'
import RecordingNotice from './RecordingNotice.tsx'

await loadTexts('recordingNotice')
beforeEach(() => queryClient.clear())
afterEach(async () => {
  vi.restoreAllMocks()
  await setLanguage('en')
})

const refusal = (text: string) =>
  Response.json(
    { message: 'Parameters Incorrect', errors: [{ field: 'waveFile', code: 'invalid', text }] },
    { status: 400 },
  )
async function sendTo(reply: () => Response) {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, request) =>
    request?.method === 'POST' ? reply() : Response.json({ on: false, sounds: [] }),
  )
  await renderApp(<RecordingNotice />)
  await expect.element(page.getByRole('heading', { name: 'English' })).toBeVisible()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('there is no file field')
  await userEvent.upload(input, new File(['x'], 'notice.wav', { type: 'audio/wav' }))
}

test('a notice whose channels cancel each other out is saved, and that is said', async () => {
  const note = 'The channels of the file cancel each other out: one of them was taken'
  await sendTo(() => Response.json({ message: 'Success', notes: [note] }))
  await expect.element(page.getByText(`The notice was saved. ${note}`)).toBeVisible()
})

test.each([
  ['GSM', 'is coded as GSM 6.10, which is not taken: save it as PCM, 16 bit', /Voice file is coded as GSM 6\.10/],
  ['silence', 'holds nothing but silence', /Voice file holds nothing but silence/],
])('a notice that is refused is refused by what it is: %s', async (_, text, said) => {
  await sendTo(() => refusal(text))
  await expect.poll(() => document.body.textContent).toMatch(said)
})
