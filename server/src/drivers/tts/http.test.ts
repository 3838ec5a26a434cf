import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text as textOf } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { toneWav } from '../telephony/simulator/tone.ts'
import { httpTts } from './http.ts'

type Asked = { body: unknown; token: string | undefined }
let asked: Asked[] = []
let answer: (response: ServerResponse, nth: number) => void = () => {}
const open = new Set<ServerResponse>()
let openMost = 0

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  open.add(response)
  openMost = Math.max(openMost, open.size)
  // 'close' alone is too late: the next request may arrive before it.
  for (const over of ['finish', 'close']) response.on(over, () => open.delete(response))
  asked.push({ body: JSON.parse(await textOf(request)), token: request.headers.authorization })
  answer(response, asked.length)
}
const server = createServer((request, response) => void serve(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address: AddressInfo | string | null = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/speak`
const tts = httpTts({ url, token: 'secret-token', againMs: 1 })
afterAll(async () => {
  await tts.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(async () => {
  await vi.waitFor(() => expect(open.size).toBe(0)) // requests that were given up are aborted
  asked = []
  openMost = 0
})
const tone = await buffer(toneWav(700))
const wav = (response: ServerResponse): void => void response.setHeader('content-type', 'audio/wav').end(tone)

test('the engine gets text, language and token, and its answer is converted for telephones', async () => {
  answer = wav
  const { wav: bytes, durationMs } = await tts.synthesise('एक सय', 'ne')
  expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('RIFF')
  expect(durationMs).toBeGreaterThan(500)
  expect(asked).toEqual([{ body: { text: 'एक सय', language: 'ne' }, token: 'Bearer secret-token' }])
})

test('an engine that fails is asked again', async () => {
  answer = (response, nth) => (nth < 3 ? void response.writeHead(503).end() : wav(response))
  await tts.synthesise('one', 'en')
  expect(asked).toHaveLength(3)
})

test.each<{ why: string; answer: (response: ServerResponse) => void; error: object; times: number }>([
  {
    why: 'an error of its own',
    answer: (response) => void response.writeHead(500).end('oops'),
    error: { name: 'SpeechDownError', message: 'it answers 500' },
    times: 3,
  },
  {
    why: 'a refused token',
    answer: (response) => void response.writeHead(401).end(),
    error: { name: 'SpeechDownError', message: 'it answers 401' },
    times: 3,
  },
  {
    why: 'something else than sound',
    answer: (response) => void response.end('<html>'),
    error: { name: 'SpeechDownError', message: 'its answer is not a wav file' },
    times: 3,
  },
  {
    why: 'a cut connection',
    answer: (response) => void response.socket?.destroy(),
    error: { name: 'SpeechDownError' },
    times: 3,
  },
  {
    why: 'a redirect: the token goes nowhere else',
    answer: (response) => void response.writeHead(302, { location: url }).end(),
    error: { name: 'SpeechDownError' },
    times: 3,
  },
  {
    why: 'a text that cannot be spoken, with its reason',
    answer: (response) => void response.writeHead(422).end('no voice for this script'),
    error: { name: 'UnspeakableError', message: 'no voice for this script' },
    times: 1,
  },
  {
    why: 'a sound that is cut off',
    answer: (response) => void response.end(tone.subarray(0, 3000)),
    error: { name: 'UnspeakableError' },
    times: 3,
  },
  {
    why: 'silence',
    answer: (response) => void response.end(Buffer.from(tone).fill(0, 44)),
    error: { name: 'UnspeakableError', message: 'nothing is heard of it' },
    times: 3,
  },
])('$why is reported', async ({ answer: given, error, times }) => {
  answer = given
  await expect(tts.synthesise('one', 'en')).rejects.toMatchObject(error)
  expect(asked).toHaveLength(times)
})

test('while it is down, texts that wait for their turn fail with the first one instead of being retried one by one', async () => {
  answer = (response) => void response.writeHead(503).end()
  const texts = Array.from({ length: 32 }, (_, n) => tts.synthesise(`${n}`, 'en'))
  const results = await Promise.allSettled(texts)
  expect(results.map(({ status }) => status)).toEqual(Array(32).fill('rejected'))
  expect(asked.length, 'three times for each of the four that had their turn').toBeLessThanOrEqual(12)
  answer = wav
  await tts.synthesise('again', 'en')
})

test('errors name the engine without its address', () => {
  expect(tts.name).toBe('speech engine')
})

test('an engine that hangs is given up', async () => {
  answer = () => {}
  const impatient = httpTts({ url, token: null, answerMs: 100, againMs: 1 })
  await expect(impatient.synthesise('one', 'en')).rejects.toMatchObject({ message: 'it takes too long' })
  await impatient.close()
})

test('an endless answer is cut off', async () => {
  answer = (response) => {
    const piece = Buffer.alloc(1_000_000)
    const more = (): void => {
      if (!response.destroyed) response.write(piece, () => setImmediate(more))
    }
    more()
  }
  await expect(tts.synthesise('one', 'en')).rejects.toMatchObject({
    name: 'SpeechDownError',
    message: 'its answer has more than 12000000 bytes',
  })
})

test('at most four are asked for at once', async () => {
  answer = (response) => void setTimeout(() => wav(response), 20)
  await Promise.all(Array.from({ length: 12 }, (_, n) => tts.synthesise(`${n}`, 'en')))
  expect(asked).toHaveLength(12)
  expect(openMost).toBeLessThanOrEqual(4)
})

test('a port where nobody listens means that the engine is down', async () => {
  const nobody = httpTts({ url: 'http://127.0.0.1:1/speak', token: null, againMs: 1 })
  await expect(nobody.synthesise('one', 'en')).rejects.toMatchObject({ name: 'SpeechDownError' })
  await nobody.close()
})
