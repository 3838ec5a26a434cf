import { refusedCases, readCases } from '@ghanti/callflow/testing/wav-cases.ts'
import { severalRecordings } from '@ghanti/callflow/sound/several.ts'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { speechLikeWav } from '../design/wav.ts'
import { amrFile, flacFile, mp3File, mp3Frames, mp4File, oggFile } from '../testing/kinds-of-sound.ts'
import { loudnessOf, recordingLevelOf } from './loudness.ts'
import { readSound, UnusableSound } from './read-sound.ts'

/** The other tests of this file read short ones. */
const exhaustive = { tags: ['exhaustive'] }

const wav = (seconds: number) => new File([speechLikeWav(seconds)], 'Welcome.wav', { type: 'audio/wav' })
const tone = Int16Array.from({ length: 48_000 }, (_, n) => 9000 * Math.sin(n / 6))

async function secondsOf(file: File): Promise<number> {
  return (await readSound(file)).seconds
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
  expect(await faultOf(mp4File('M4A ', 'alac'))).toEqual({ is: 'kind', kind: 'm4a (ALAC)' })
  expect(await faultOf(mp4File('3gp4', 'samr'))).toEqual({ is: 'kind', kind: '3gp (AMR)' })
  expect(await faultOf(mp4File('3gp5', 'sawb'))).toEqual({ is: 'kind', kind: '3gp (AMR-WB)' })
  expect(await faultOf(new File(['caff\0\u0001'], 'Memo.caf'))).toEqual({ is: 'kind', kind: 'caf' })
})

const tagged = new Uint8Array(2058).fill(0xff)
tagged.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0x10, 0])
test.each([
  { why: 'two of one format', parts: [mp3Frames(2), mp3Frames(1)] },
  { why: 'two of one format, each behind a tag', parts: [tagged, mp3Frames(2), tagged, mp3Frames(1)] },
])('mp3 files joined to one are read whole: $why', async ({ parts }) => {
  expect(await secondsOf(new File(parts, 'Joined.mp3'))).toBeCloseTo(3, 0)
})

test.each([
  { why: 'another rate', parts: [mp3Frames(2), mp3Frames(1, { isFaster: true })] },
  { why: 'two channels', parts: [mp3Frames(2), mp3Frames(1, { isStereo: true })] },
  { why: 'another rate behind a tag', parts: [tagged, mp3Frames(2), tagged, mp3Frames(1, { isFaster: true })] },
  {
    why: 'another rate behind other bytes',
    parts: [mp3Frames(2), tagged.subarray(20), mp3Frames(1, { isFaster: true })],
  },
])('of mp3 files joined to one the browser would leave out the second: $why', async ({ parts }) => {
  expect(await faultOf(new File(parts, 'Joined.mp3'))).toEqual({ is: 'unreadable', why: severalRecordings })
})

/** The files of the server's tests, which Vite serves. */
const shared = import.meta.glob<string>('../../../server/src/testing/files/*.wav', { query: '?url', import: 'default' })
async function wavFile(bytes: Uint8Array<ArrayBuffer> | string): Promise<File> {
  if (typeof bytes !== 'string') return new File([bytes], 'case.wav', { type: 'audio/wav' })
  const address = await shared[`../../../server/src/testing/files/${bytes}`]?.()
  if (!address) throw new Error(`there is no ${bytes}`)
  return new File([await (await fetch(address)).blob()], bytes, { type: 'audio/wav' })
}
const rms = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length)
const silence = 'holds nothing but silence'

test.each(readCases)(
  'the console reads it to its last byte, as the API does: $why',
  async ({ bytes, seconds, level, notes = [] }) => {
    const sound = await readSound(await wavFile(bytes))
    expect(sound.seconds).toBeCloseTo(seconds, 2)
    expect(sound.notes).toEqual(notes)
    if (level === undefined) expect(rms(sound.samples)).toBeGreaterThan(0.05)
    else expect(rms(sound.samples)).toBeCloseTo(level, 2)
  },
)

test.each(refusedCases.filter(({ words }) => words !== silence))(
  'the console refuses it by what it is, as the API does: $why',
  async ({ bytes, words }) => {
    expect(await faultOf(await wavFile(bytes))).toEqual({ is: 'unreadable', why: words })
  },
)

test.each(refusedCases.filter(({ words }) => words === silence))(
  'what the API refuses as silence is silent to the console: $why',
  async ({ bytes }) => {
    const { samples, isClipped } = await readSound(await wavFile(bytes))
    expect(recordingLevelOf(loudnessOf(samples), isClipped)).toBe('silent')
  },
)

async function expectReadInPieces(seconds: number): Promise<void> {
  let longest = 0
  const began = performance.now()
  let before = began
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before)
    before = performance.now()
  }, 10)
  const read = await secondsOf(mp3File(seconds))
  clearInterval(timer)
  expect(read).toBeGreaterThan(seconds - 10)
  const share = longest / (performance.now() - began)
  expect(share, 'share of the time in which the page stood still at once').toBeLessThan(1 / 3)
}

test(
  'five minutes are read without blocking the page; more than half an hour is refused unread',
  exhaustive,
  async () => {
    await expectReadInPieces(300)
    expect(await faultOf(mp3File(1900))).toMatchObject({ is: 'tooLong', seconds: expect.closeTo(1900, -1) })
  },
)

test('twenty minutes are read without blocking the page', { tags: ['exhaustive'] }, () => expectReadInPieces(1200))
