import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { speechLikeWav } from '../design/wav.ts'
import { amrFile, flacFile, mp3File, oggFile } from '../testing/kinds-of-sound.ts'
import { readSound, UnusableSound } from './read-sound.ts'

const wav = (seconds: number) => new File([speechLikeWav(seconds)], 'Welcome.wav', { type: 'audio/wav' })
const tone = Int16Array.from({ length: 48_000 }, (_, n) => 9000 * Math.sin(n / 6))

async function secondsOf(file: File): Promise<number> {
  const sound = await readSound(file)
  if (sound === 'asIs') throw new Error('it was not read')
  return sound.seconds
}
async function faultOf(file: File) {
  const error: unknown = await readSound(file).catch((why: unknown) => why)
  return error instanceof UnusableSound ? error.fault : error
}

test.each([
  { kind: 'wav', file: () => wav(3) },
  { kind: 'flac', file: () => flacFile('Menu.flac', tone) },
  { kind: 'ogg', file: () => oggFile(3) },
  { kind: 'mp3', file: () => mp3File(3) },
])('an ordinary $kind becomes samples for telephones', async ({ file }) => {
  expect(await secondsOf(file())).toBeCloseTo(3, 0)
})

test('the browser’s own recordings are read as well', async () => {
  await userEvent.click(document.body) // browsers play sound only after a gesture
  const context = new AudioContext()
  const tone = context.createOscillator()
  const target = context.createMediaStreamDestination()
  tone.connect(target)
  tone.start()
  const recorder = new MediaRecorder(target.stream)
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve))
  recorder.start()
  await new Promise((resolve) => setTimeout(resolve, 1200))
  recorder.stop()
  await ended
  await context.close()
  expect(await secondsOf(new File(parts, 'Recording 1.webm', { type: recorder.mimeType }))).toBeGreaterThan(0.8)
})

test('a text with a sound’s name and a sound that this browser cannot read get different messages', async () => {
  const text = new File(['Dear customers, your premium is due.'], 'song.mp3', { type: 'audio/mpeg' })
  expect(await faultOf(text)).toEqual({ is: 'noSound' })
  expect(await faultOf(new File([new Uint8Array([0x1a, 0x45, 0xdf, 0xa3])], 'Nothing.webm'))).toEqual({ is: 'noSound' })
  expect(await faultOf(amrFile())).toEqual({ is: 'kind', kind: 'amr' })
})

test('a wav with a coding that only the server reads is sent unchanged', async () => {
  const broken = new File([(await speechLikeWav(1).arrayBuffer()).slice(0, 40)], 'odd.wav', { type: 'audio/wav' })
  expect(await readSound(broken)).toBe('asIs')
})

test('twenty minutes are read without blocking the page; more than half an hour is refused unread', async () => {
  let longest = 0
  const began = performance.now()
  let before = began
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before)
    before = performance.now()
  }, 10)
  const seconds = await secondsOf(mp3File(1200))
  clearInterval(timer)
  expect(seconds).toBeGreaterThan(1190)
  const share = longest / (performance.now() - began)
  expect(share, 'share of the time in which the page stood still at once').toBeLessThan(1 / 3)
  expect(await faultOf(mp3File(1900))).toMatchObject({ is: 'tooLong', seconds: expect.closeTo(1900, -1) })
})
