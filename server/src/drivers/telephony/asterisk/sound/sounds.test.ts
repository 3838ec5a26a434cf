// @module-tag exhaustive
// Prompts, keys and talks over the same Asterisk are in suite.test.ts.
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { Media } from '../../driver.ts'
import type { Suite } from '../../suite-bench.ts'
import { newNumber, openBench } from '../testing.ts'
import { polling } from '../../../../testing/timeouts.ts'

let asked: string[] = []
const answers = new Map<string, (response: ServerResponse) => void>()
const server = createServer((request, response) => {
  const hash = /^\/prompts\/(\w+)\.wav\?signature=1$/.exec(request.url ?? '')?.[1] ?? ''
  asked.push(hash)
  const answer = answers.get(hash)
  if (answer) answer(response)
  else response.writeHead(404).end()
})
let suite: Suite
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  suite = await openBench('sounds', {
    media: { addressOf: (hash) => `http://127.0.0.1:${port}/prompts/${hash}.wav?signature=1` },
  })
  for (const media of suite.fixture.media) serve(media)
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
  server.close()
})

function serve({ hash, path }: Media): void {
  answers.set(hash, (response) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'cache-control': 'max-age=31536000, immutable' })
    response.end(readFileSync(path))
  })
}

/** Loudness of a 16-bit wav; 0 is silence. */
function loudness(wav: Buffer): number {
  let sum = 0
  const samples = Math.floor((wav.length - 44) / 2)
  for (let at = 0; at < samples; at += 1) sum += wav.readInt16LE(44 + at * 2) ** 2
  return Math.sqrt(sum / Math.max(1, samples))
}

/** What number 36 heard, once its call is over. */
async function heardBy(number: string): Promise<Buffer> {
  const folder = join(dirname(inject('asterisk').operatorCalls), '../../spool/heard')
  const digits = number.slice(1)
  const file = [`${digits}.heard.wav`, `${digits}.wav`]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path))
  return file ? readFileSync(file) : Buffer.alloc(0)
}

test('a sound at an address is fetched once, before anybody calls, and then heard', async () => {
  const [one, other] = suite.fixture.media
  expect(await suite.connection.prefetch([one, other])).toEqual({ failed: [] })
  expect(asked.toSorted()).toEqual([one.hash, other.hash].toSorted())
  const number = newNumber('36')
  const channelId = await suite.answeredCall('36', { number })
  await suite.connection.play(channelId, `${channelId}-1`, [one, other, one])
  const end = await suite.events.next('playbackEnded', channelId)
  await suite.connection.hangUp(channelId)
  await suite.events.next('hungUp', channelId)
  expect(end.failed).toBe(false)
  expect(asked).toHaveLength(2)
  const loudnessHeard = async () => loudness(await heardBy(number))
  await expect.poll(loudnessHeard, polling).toBeGreaterThan(2000)
})

test('sounds that cannot be fetched or played are returned by name', async () => {
  const [one] = suite.fixture.media
  const bad = (name: string): Media => ({ hash: name, path: '/nowhere', durationMs: 1000 })
  answers.set('page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'))
  answers.set('broken', (response) => response.writeHead(500).end())
  answers.set('torn', (response) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': 10_000 })
    response.write('RIFF')
    response.destroy()
  })
  const { failed } = await suite.connection.prefetch([bad('gone'), one, bad('page'), bad('broken'), bad('torn')])
  expect(failed.map(({ hash }) => hash).toSorted()).toEqual(['broken', 'gone', 'page', 'torn'])
  expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(['the dialer could not play it']))
})

test('when the dialer does not see the folder, every sound is returned as failed', async () => {
  const [one, other] = suite.fixture.media
  const ours = mkdtempSync(join(tmpdir(), 'ghanti-unseen-'))
  const opened = openSync(ours, 'r') // in another process the same path leads elsewhere
  const unseen = await openBench('unseen', { media: { folder: `/proc/self/fd/${opened}/media` } })
  try {
    const { failed } = await unseen.connection.prefetch([one, other])
    expect(readdirSync(join(ours, 'media'))).toHaveLength(2)
    expect(failed.map(({ hash }) => hash).toSorted()).toEqual([one.hash, other.hash].toSorted())
  } finally {
    await unseen.connection.close()
    await unseen.fixture.close()
    closeSync(opened)
    rmSync(ours, { recursive: true, force: true })
  }
})

test('a sound that cannot be played after the answer is reported as failed, and the call continues', async () => {
  const channelId = await suite.answeredCall('99')
  const gone = { hash: 'gone2', path: '/nowhere', durationMs: 1000 }
  await suite.connection.play(channelId, `${channelId}-1`, [gone])
  expect(await suite.events.next('playbackEnded', channelId)).toMatchObject({ failed: true })
  expect(await suite.connection.live()).toContainEqual({ channelId, state: 'up' })
  await suite.connection.hangUp(channelId)
})

test('a customer who waits for an agent hears it ring, until the agent answers; then they hear each other', async () => {
  const number = newNumber('36')
  const customer = await suite.answeredCall('36', { number, talkMsMax: 30_000 })
  const agent = await suite.answeredCall('07', { ringBackTo: customer, ringMs: 20_000 }) // rings 8 s
  expect(await suite.connection.bridge(`${customer}-b`, [customer, agent])).toBe('done')
  await suite.connection.hangUp(agent)
  await suite.connection.hangUp(customer)
  const end = await suite.events.next('hungUp', customer)
  expect(suite.events.recorded.some((event) => event.type === 'playbackEnded' && event.channelId === customer)).toBe(
    false,
  )
  await expect.poll(async () => (await heardBy(number)).length, polling).toBeGreaterThan(7000 * 16)
  const heard = await heardBy(number)
  const second = (at: number) =>
    loudness(Buffer.concat([Buffer.alloc(44), heard.subarray(44 + at * 16_000, 44 + (at + 1) * 16_000)]))
  const loud = Array.from({ length: 8 }, (_, at) => second(at)).filter((rms) => rms > 500).length
  expect(loud).toBeGreaterThanOrEqual(2)
  expect(loud).toBeLessThanOrEqual(5)
  expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(12_000)
})
