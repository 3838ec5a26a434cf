import { afterAll, expect, test } from 'vitest'
import { espeakTts } from './espeak.ts'
import { SpeechThreads } from './speech-threads.ts'

const tts = espeakTts()
afterAll(() => tts.close())

type Wav = { samples: Int16Array; rate: number; channels: number; bits: number }
function read(wav: Uint8Array): Wav {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength)
  const samples = Int16Array.from({ length: (wav.length - 44) / 2 }, (_, n) => view.getInt16(44 + 2 * n, true))
  return { samples, rate: view.getUint32(24, true), channels: view.getUint16(22, true), bits: view.getUint16(34, true) }
}

/** The share of power at and around a frequency, by Goertzel's filter over pieces of 20 ms. */
function powerAt({ samples, rate }: Wav, hz: number): number {
  const size = rate / 50
  let power = 0
  for (let start = 0; start + size <= samples.length; start += size) {
    const turn = 2 * Math.cos((2 * Math.PI * hz) / rate)
    let one = 0
    let two = 0
    for (const sample of samples.subarray(start, start + size)) [one, two] = [sample + turn * one - two, one]
    power += one * one + two * two - turn * one * two
  }
  return power
}

test.each([
  { language: 'ne' as const, text: 'बाह्र लाख चौँतीस हजार पाँच सय रुपैयाँ पचास पैसा' },
  { language: 'en' as const, text: 'twelve lakh thirty-four thousand five hundred rupees and fifty paisa' },
])('$language: as telephones carry it, as loud as prompts, without silence around it', async ({ language, text }) => {
  const speech = await tts.synthesise(text, language)
  const wav = read(speech.wav)
  expect(wav).toMatchObject({ rate: 8000, channels: 1, bits: 16 })
  expect(speech.durationMs).toBe(Math.round(wav.samples.length / 8))
  expect(speech.durationMs).toBeGreaterThan(2500)
  expect(speech.durationMs).toBeLessThan(9000)
  const peak = Math.max(...wav.samples.map(Math.abs))
  expect(peak).toBeGreaterThan(10_000)
  expect(peak).toBeLessThan(30_000)
  const heard = (sample: number) => Math.abs(sample) > 1000
  expect(wav.samples.findIndex(heard)).toBeLessThan(0.15 * 8000)
  expect(wav.samples.findLastIndex(heard)).toBeGreaterThan(wav.samples.length - 0.15 * 8000)
  const voice = [300, 500, 700, 1000].reduce((sum, hz) => sum + powerAt(wav, hz), 0)
  expect(powerAt(wav, 3950) / voice).toBeLessThan(0.001)
})

test.each(['', '  ', '?!'])('"%s" has no sound', async (text) => {
  await expect(tts.synthesise(text, 'ne')).rejects.toMatchObject({
    name: 'UnspeakableError',
    message: 'nothing is heard of it',
  })
})

test('a text that is far too long is refused before it costs anything', async () => {
  await expect(tts.synthesise('क'.repeat(1001), 'ne')).rejects.toMatchObject({ name: 'UnspeakableError' })
})

test('a text whose sound is too long is refused', async () => {
  const short = espeakTts({ secondsMax: 1 })
  await expect(short.synthesise('one two three four five six seven', 'en')).rejects.toMatchObject({
    name: 'UnspeakableError',
    message: 'takes more than 1 seconds to say',
  })
  await short.close()
})

test('one voice does not change the other: each text is spoken in its own language', async () => {
  const alone = await tts.synthesise('one two three', 'en')
  const [mixed] = await Promise.all([
    tts.synthesise('one two three', 'en'),
    tts.synthesise('one two three', 'ne'),
    tts.synthesise('एक दुई तीन', 'ne'),
  ])
  expect(Math.abs(mixed.durationMs - alone.durationMs)).toBeLessThan(50)
})

/** A thread that returns a text's letters, exits at 'crash', never answers 'hang', and is never ready if so asked. */
const strange = (isReady = true): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
if (!${isReady}) throw new Error('no engine here')
parentPort.on('message', ({ text }) => {
  if (text === 'crash') process.exit(3)
  if (text !== 'hang') parentPort.postMessage({ sound: { wav: new Uint8Array(), durationMs: text.length } })
})
parentPort.postMessage({ ready: true })`)}`,
  )

test('a text that kills its thread fails alone, after another try; the others are spoken', async () => {
  const threads = new SpeechThreads({ thread: strange() })
  const said = await Promise.allSettled(
    ['a', 'crash', 'bb', 'crash', 'ccc', 'dddd'].map((text) => threads.run({ text, language: 'en' })),
  )
  expect(said.map((one) => (one.status === 'fulfilled' ? one.value.durationMs : String(one.reason)))).toEqual([
    1,
    'UnspeakableError: the speech engine fails at it: its thread ended with code 3',
    2,
    'UnspeakableError: the speech engine fails at it: its thread ended with code 3',
    3,
    4,
  ])
  await threads.close()
})

test('a text that takes for ever fails alone', async () => {
  const threads = new SpeechThreads({ thread: strange(), jobMs: 3000 })
  const [hung, done] = await Promise.allSettled([
    threads.run({ text: 'hang', language: 'en' }),
    threads.run({ text: 'four', language: 'en' }),
  ])
  expect(String(hung.status === 'rejected' && hung.reason)).toContain('it took more than 3 s')
  expect(done).toMatchObject({ value: { durationMs: 4 } })
  await threads.close()
})

test('threads that cannot start mean that the engine is down, not that texts cannot be spoken', async () => {
  const threads = new SpeechThreads({ thread: strange(false) })
  await expect(threads.run({ text: 'a', language: 'en' })).rejects.toMatchObject({
    name: 'SpeechDownError',
    message: 'no engine here',
  })
  await threads.close()
})

test('closing rejects waiting texts', async () => {
  const threads = new SpeechThreads({ thread: strange() })
  const waiting = threads.run({ text: 'hang', language: 'en' })
  const refused = expect(waiting).rejects.toMatchObject({ name: 'SpeechDownError' })
  await threads.close()
  await refused
})
