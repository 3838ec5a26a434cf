import { refusedCases, readCases } from '@ghanti/callflow/testing/wav-cases.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../api/query.ts'
import { wavOf } from '../../audio/wav.ts'
import { speechLikeWav } from '../../design/wav.ts'
import { loadTexts, setLanguage } from '../../i18n/language.ts'
import { amrFile, flacFile, mp3File } from '../../testing/kinds-of-sound.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import UploadVoiceFileScreen from './UploadVoiceFileScreen.tsx'

/** web/src/audio/ has how sounds are read, cut and sent. */
const exhaustive = { tags: ['exhaustive'] }

await loadTexts('prompts', 'sound')
beforeEach(() => {
  queryClient.clear()
  vi.spyOn(globalThis, 'fetch').mockImplementation(() =>
    Promise.resolve(new Response(JSON.stringify([{ promptCategory: 'welcome' }, { promptCategory: 'menu' }]))),
  )
})
afterEach(async () => {
  vi.restoreAllMocks()
  await setLanguage('en')
})

const wav = (name: string, seconds: number) => new File([speechLikeWav(seconds)], name, { type: 'audio/wav' })
const quiet = new File(
  [
    wavOf(
      Float32Array.from({ length: 16_000 }, (_, n) => 0.005 * Math.sin(n / 4)),
      8000,
    ),
  ],
  'Low.wav',
)
const text = new File(['Dear customers'], 'Letter.mp3', { type: 'audio/mpeg' })
const input = () => {
  const found = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!found) throw new Error('there is no file field')
  return found
}
/** The server takes whatever is sent. */
function sendsEverything(): void {
  const request = XMLHttpRequest.prototype
  vi.spyOn(request, 'send').mockImplementation(function (this: XMLHttpRequest) {
    this.dispatchEvent(new ProgressEvent('load'))
  })
  vi.spyOn(request, 'status', 'get').mockReturnValue(200)
  const reply = { message: 'Success', promptId: 1, notes: [] }
  vi.spyOn(request, 'response', 'get').mockReturnValue(new Blob([JSON.stringify(reply)]))
}
const of = (name: string) => page.getByRole('listitem', { name })

test('length and loudness of a file are shown, and the handles of its part move by keys and say where they are', async () => {
  await renderApp(<UploadVoiceFileScreen />)
  await userEvent.upload(input(), wav('Welcome.wav', 12))
  await expect.element(of('Welcome.wav').getByText('Good volume')).toBeVisible()
  await expect.element(of('Welcome.wav').getByText(/^−\d+ dBFS$/)).toBeVisible()
  await expect.element(of('Welcome.wav').getByText('0:12', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'File name' })).toHaveValue('Welcome')
  const begins = page.getByRole('slider', { name: 'Begins at' })
  const ends = page.getByRole('slider', { name: 'Ends at' })
  begins.element().focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  await expect.element(begins).toHaveAttribute('aria-valuetext', '0.3 seconds')
  ends.element().focus()
  await userEvent.keyboard('{Home}')
  await expect.element(ends).toHaveAttribute('aria-valuetext', '0.5 seconds')
  await userEvent.keyboard('{End}')
  await expect.element(ends).toHaveAttribute('aria-valuetext', '12 seconds')
  await expect.element(of('Welcome.wav').getByText('0:12 of 0:12')).toBeVisible()
  await page.getByRole('button', { name: 'Hear what is sent' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expectAccessible()
})

test('of a sound that is longer than what can be sent, the first three minutes are chosen', exhaustive, async () => {
  await renderApp(<UploadVoiceFileScreen />)
  await userEvent.upload(input(), mp3File(190))
  await expect.element(of('Long talk.mp3').getByText('3:00 of 3:10')).toBeVisible()
  await expect.element(of('Long talk.mp3').getByText(/^There is no sound in this part\./)).toBeVisible()
  page.getByRole('slider', { name: 'Ends at' }).element().focus()
  await userEvent.keyboard('{End}')
  await expect.element(of('Long talk.mp3').getByText('Only 3:00 at most can be sent: choose the part.')).toBeVisible()
})

test('of several files each shows its own error, none affects the others, and names do not collide', async () => {
  await renderApp(<UploadVoiceFileScreen />)
  const tone = Int16Array.from({ length: 32_000 }, (_, n) => 9000 * Math.sin(n / 6))
  const files = [text, wav('Welcome.wav', 2), quiet, amrFile(), flacFile('Welcome.flac', tone)]
  await userEvent.upload(input(), [...files, new File(['x'], 'holiday.png', { type: 'image/png' })])
  await expect
    .element(
      page.getByText('holiday.png: A picture is not a supported format. Choose a sound file, such as mp3, m4a or wav'),
    )
    .toBeVisible()
  await expect.element(of('Letter.mp3').getByText(/^There is no sound in this file that can be read\./)).toBeVisible()
  await expect.element(of('Menu.amr').getByText(/^This browser cannot read amr files\./)).toBeVisible()
  await expect.element(of('Welcome.wav').getByRole('textbox', { name: 'File name' })).toHaveValue('Welcome')
  await expect.element(of('Welcome.flac').getByRole('textbox', { name: 'File name' })).toHaveValue('Welcome (2)')
  await expect.element(of('Low.wav').getByText('Too quiet: the people called will hardly hear it.')).toBeVisible()
  await of('Low.wav').getByRole('checkbox', { name: 'Make it louder' }).click()
  await expect.element(of('Low.wav').getByText('−20 dBFS')).toBeVisible()
  await expect.element(of('Low.wav').getByText('Good volume')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Upload 3 Files' })).toBeEnabled()
  await expectAccessible()
  await page.getByRole('button', { name: 'Remove Letter.mp3' }).click()
  await expect.element(of('Letter.mp3')).not.toBeInTheDocument()
})

test('a wrong file’s name does not stay with the next one, and a typed name stays', async () => {
  await renderApp(<UploadVoiceFileScreen />)
  await userEvent.upload(input(), text)
  await expect.element(page.getByText(/^There is no sound in this file that can be read\./)).toBeVisible()
  const name = page.getByRole('textbox', { name: 'File name' })
  await expect.element(name).toHaveValue('')
  await userEvent.upload(input(), new File(['x'], 'holiday.png', { type: 'image/png' }))
  await expect
    .element(
      page.getByText('A picture is not a supported format. Choose a sound file, such as mp3, m4a or wav', {
        exact: true,
      }),
    )
    .toBeVisible()
  await expect.element(name).toHaveValue('')
  await userEvent.upload(input(), wav('Welcome.wav', 1))
  await expect.element(of('Welcome.wav')).toBeVisible()
  await expect.element(of('Letter.mp3')).not.toBeInTheDocument()
  await expect.element(name).toHaveValue('Welcome')
  await name.fill('Our welcome')
  await page.getByRole('button', { name: 'Remove Welcome.wav' }).click()
  await expect.element(name).toHaveValue('Our welcome')
})

test('of several files one without a name gets an error, and nothing is sent', async () => {
  const sent = vi.spyOn(window, 'XMLHttpRequest')
  await renderApp(<UploadVoiceFileScreen />)
  await userEvent.upload(input(), [wav('One.wav', 1), wav('Two.wav', 1)])
  const category = (name: string) => of(name).getByLabelText('Category')
  await category('One.wav').selectOptions('Menu')
  await category('Two.wav').selectOptions('Menu')
  const name = of('Two.wav').getByRole('textbox', { name: 'File name' })
  await name.fill('')
  await page.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect.element(name).toHaveFocus()
  await expect.element(of('Two.wav').getByText('File name is required')).toBeVisible()
  expect(sent).not.toHaveBeenCalled()
})

test('the error of the common category goes once every file has one of its own', async () => {
  await renderApp(<UploadVoiceFileScreen />)
  await userEvent.upload(input(), [wav('One.wav', 1), wav('Two.wav', 1), wav('Three.wav', 1)])
  await page.getByRole('button', { name: 'Upload 3 Files' }).click()
  const error = page.getByText('Category is required')
  await expect.element(error).toBeVisible()
  await of('One.wav').getByLabelText('Category').selectOptions('Menu')
  await expect.element(error).toBeVisible()
  await of('Two.wav').getByLabelText('Category').selectOptions('Welcome')
  await page.getByRole('button', { name: 'Remove Three.wav' }).click()
  await expect.element(error).not.toBeInTheDocument()
})

test('after all files were sent, the button offers no more of them', async () => {
  await renderApp(<UploadVoiceFileScreen />)
  await userEvent.upload(input(), [wav('One.wav', 1), wav('Two.wav', 1)])
  for (const name of ['One.wav', 'Two.wav']) await of(name).getByLabelText('Category').selectOptions('Menu')
  sendsEverything()
  await page.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Success' })).toBeVisible()
  const button = document.querySelector<HTMLButtonElement>('button[type=submit]')
  expect([button?.textContent, button?.disabled]).toEqual(['Uploaded', true])
  await page.getByRole('button', { name: 'OK' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Success' })).not.toBeInTheDocument()
})

test('the microphone records a sound like any other', exhaustive, async () => {
  await userEvent.click(document.body) // browsers play sound only after a gesture
  const context = new AudioContext()
  const voice = context.createOscillator()
  const microphone = context.createMediaStreamDestination()
  voice.connect(microphone)
  voice.start()
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockResolvedValue(microphone.stream)
  await renderApp(<UploadVoiceFileScreen />)
  await page.getByRole('button', { name: 'Record' }).click()
  await expect.element(page.getByText('Recording: 0:01 of 3:00')).toBeVisible()
  await page.getByRole('button', { name: 'Stop recording' }).click()
  await expect.element(of('Recording 1.webm').getByRole('slider', { name: 'Begins at' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'File name' })).toHaveValue('Recording 1')
  expect(microphone.stream.getTracks().map(({ readyState }) => readyState)).toEqual(['ended'])
  await context.close()
})

test.each([
  ['NotAllowedError', /^The microphone is not allowed\./],
  ['NotFoundError', /^No microphone was found\./],
  ['NotReadableError', /^The microphone cannot be used\./],
])('where recording fails with %s, the page says so and what to do', async (name, said) => {
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(new DOMException('no', name))
  await renderApp(<UploadVoiceFileScreen />)
  await page.getByRole('button', { name: 'Record' }).click()
  await expect.element(page.getByText(said)).toBeVisible()
})

test('an address without https cannot record, and says why', async () => {
  vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false)
  await renderApp(<UploadVoiceFileScreen />)
  await page.getByRole('button', { name: 'Record' }).click()
  await expect.element(page.getByText(/Recording needs a secure connection/)).toBeVisible()
})

test('what the API would say about a wav is said when it is chosen, in the reader’s language', async () => {
  const cases = (part: string) => [...readCases, ...refusedCases].find(({ why }) => why === part)?.bytes
  const file = (part: string) => {
    const bytes = cases(part)
    if (bytes === undefined || typeof bytes === 'string') throw new Error(`there is no case ${part}`)
    return new File([bytes], `${part}.wav`, { type: 'audio/wav' })
  }
  const parts = [
    'out of phase, one channel quieter',
    'a size that is longer than the file',
    'MP3 in a wav',
    'nothing but zeros',
  ]
  const [swapped = '', cut = '', mp3 = '', silent = ''] = parts
  await renderApp(<UploadVoiceFileScreen />)
  await userEvent.upload(input(), parts.map(file))
  const said = (part: string, words: string) => expect.element(of(`${part}.wav`).getByText(words)).toBeVisible()
  await said(swapped, 'The channels of the file cancel each other out: one of them was taken')
  await said(cut, 'The file is cut off: its header promises 4.0 seconds, 2.0 are there')
  await said(mp3, 'Voice file is coded as MP3, which is not taken: save it as PCM, 16 bit')
  await said(silent, 'There is no sound in this part. Choose another part or another file.')
  await expectAccessible()
  await setLanguage('ne')
  await said(swapped, 'फाइलका च्यानलले एकअर्काको आवाज काट्छन्: एउटा च्यानल मात्र लिइयो')
  await said(cut, 'फाइल काटिएको छ: ४.० सेकेन्ड हुनुपर्नेमा २.० सेकेन्ड मात्र छ')
})
