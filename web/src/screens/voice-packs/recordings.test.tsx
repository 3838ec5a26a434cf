import type { VoicePackDetail, VoiceUpload } from '@ghanti/contract/voices.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import Recordings from './Recordings.tsx'

await loadTexts('voicePacks')
afterEach(async () => {
  vi.restoreAllMocks()
  await setLanguage('en')
})

const pack: VoicePackDetail = {
  packId: 1,
  name: 'Words of the office',
  language: 'ne',
  username: 'user',
  pendingWords: 0,
  approvedWords: 0,
  allWords: 0,
  rejectReason: null,
  createdAt: '2026-11-22 10:00:00',
  isOwn: true,
  change: 1,
  words: [],
  coverage: [],
}
const taken = (fileName: string, notes?: string[]): VoiceUpload => ({
  message: 'Success',
  taken: [{ fileName, key: '7', word: 'सात', ...(notes && { notes }) }],
  refused: [],
})
const refused = (fileName: string, why: string): VoiceUpload => ({
  message: 'Success',
  taken: [],
  refused: [{ fileName, why }],
})
const replies = [
  taken('7.wav', ['The channels of the file cancel each other out: one of them was taken']),
  refused('8.wav', 'is coded as GSM 6.10, which is not taken: save it as PCM, 16 bit'),
  refused('9.wav', 'holds nothing but silence'),
]

test('what became of each recording is said beside its name: channels out of phase, GSM by its name, silence', async () => {
  let sent = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, request) =>
    Response.json(request?.method === 'POST' ? replies[sent++] : []),
  )
  await renderApp(<Recordings pack={pack} />)
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('there is no file field')
  await userEvent.upload(
    input,
    ['7.wav', '8.wav', '9.wav'].map((name) => new File(['x'], name, { type: 'audio/wav' })),
  )
  const said = (name: string, words: RegExp) =>
    expect.element(page.getByRole('listitem').filter({ hasText: name }).getByText(words)).toBeVisible()
  await said('7.wav', /^The channels of the file cancel each other out: one of them was taken$/)
  await said('8.wav', /coded as GSM 6\.10, which is not taken: save it as PCM, 16 bit$/)
  await said('9.wav', /holds nothing but silence$/)
  await expect.element(page.getByText('2 files were not accepted')).toBeVisible()
  await expectAccessible()
  await setLanguage('ne')
  await said('7.wav', /^फाइलका च्यानलले एकअर्काको आवाज काट्छन्/)
  await said('8.wav', /GSM 6\.10/)
  await expect.poll(() => document.body.textContent).not.toMatch(/nothing but silence|which is not taken/)
})
