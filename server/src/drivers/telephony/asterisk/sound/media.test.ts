import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withHeader } from '../../../../audio/wav.ts'
import type { Media } from '../../driver.ts'
import { Sounds } from './media.ts'

const hourMs = 3600_000
const all = async (hashes: readonly string[]) => hashes
let folder = ''
let shared = ''
let monotonic = 0
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-media-'))
  shared = path.join(folder, 'shared')
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const soundsHere = () => new Sounds({ folder: shared }, () => monotonic)
const wavOf = (text: string): Uint8Array => withHeader(Int16Array.from(Buffer.from(text)))
function sound(text: string): Media {
  const hash = createHash('sha256').update(text).digest('hex')
  const file = path.join(folder, hash)
  fs.writeFileSync(file, wavOf(text))
  return { hash, path: file, durationMs: 1000 }
}
const copyOf = ({ hash }: Media): string => path.join(shared, `${hash}.wav`)
function age(file: string, hours: number): void {
  const at = new Date(Date.now() - hours * hourMs)
  fs.utimesSync(file, at, at)
}
const thereIn = (): string[] => fs.readdirSync(shared).toSorted()

test('a copy that was not used for a day is removed when its sound is unused; the others stay', async () => {
  const sounds = soundsHere()
  const [unused, used, fresh] = [sound('deleted prompt'), sound('prompt'), sound('played this morning')]
  for (const one of [unused, used, fresh]) await sounds.uriOf(one)
  for (const one of [unused, used]) age(copyOf(one), 25)
  const asked: string[] = []
  const removed = await sounds.tidy(async (hashes) => {
    asked.push(...hashes)
    return [unused.hash]
  })
  expect(removed).toEqual([unused.hash])
  expect(asked.toSorted()).toEqual([unused.hash, used.hash].toSorted())
  expect(thereIn()).toEqual([used, fresh].map(({ hash }) => `${hash}.wav`).toSorted())
})

test('a copy that any engine is about to use stays: it was touched after the question', async () => {
  const one = sound('composed at this moment')
  await soundsHere().uriOf(one)
  age(copyOf(one), 25)
  const removed = await soundsHere().tidy(async (hashes) => {
    await soundsHere().uriOf(one)
    return hashes
  })
  expect(removed).toEqual([])
  expect(thereIn()).toEqual([`${one.hash}.wav`])
  expect(fs.readFileSync(copyOf(one))).toEqual(fs.readFileSync(one.path))
})

test('a copy in use is touched every hour, and brought again when it is gone', async () => {
  const sounds = soundsHere()
  const one = sound('a campaign of three days')
  await sounds.uriOf(one)
  age(copyOf(one), 25)
  monotonic += hourMs - 1
  await sounds.uriOf(one)
  expect(Date.now() - fs.statSync(copyOf(one)).mtimeMs).toBeGreaterThan(24 * hourMs)
  monotonic += 1
  await sounds.uriOf(one)
  expect(await sounds.tidy(all)).toEqual([])
  age(copyOf(one), 25)
  monotonic += hourMs
  expect(await soundsHere().tidy(all)).toEqual([one.hash])
  await sounds.uriOf(one)
  expect(thereIn()).toEqual([`${one.hash}.wav`])
})

test('foreign files stay, unfinished copies are removed, and a missing folder is no error', async () => {
  const sounds = soundsHere()
  expect(await sounds.tidy(all)).toEqual([])
  const one = sound('whole')
  await sounds.uriOf(one)
  const [torn, tearing] = ['1', '2'].map((end) => `${copyOf(one)}.00000000-0000-4000-8000-00000000000${end}`)
  const theirs = path.join(shared, 'hello-world.wav')
  for (const file of [torn, tearing, theirs]) fs.writeFileSync(file ?? '', 'x')
  for (const file of [torn, theirs]) age(file ?? '', 48)
  expect(await sounds.tidy(all)).toEqual([])
  expect(thereIn()).toEqual([path.basename(copyOf(one)), path.basename(tearing ?? ''), 'hello-world.wav'].toSorted())
})

test('a dialer that fetches its sounds itself has no copies here', async () => {
  const sounds = new Sounds({ addressOf: (hash) => `http://127.0.0.1/${hash}` })
  expect(await sounds.tidy(() => Promise.reject(new Error('asked')))).toEqual([])
})

test('a sound that was truncated in the folder, or removed, is written again', async () => {
  const sounds = soundsHere()
  const one = sound('whole')
  await sounds.uriOf(one)
  fs.truncateSync(copyOf(one), 46)
  expect(await sounds.bring(one)).toBe(`sound:${path.join(shared, one.hash)}`)
  expect(fs.readFileSync(copyOf(one))).toEqual(fs.readFileSync(one.path))
  fs.rmSync(copyOf(one))
  await sounds.bring(one)
  expect(fs.readFileSync(copyOf(one))).toEqual(fs.readFileSync(one.path))
})

test.each([
  { why: 'cut off', bytes: wavOf('whole').subarray(0, 46) },
  { why: 'empty', bytes: Buffer.alloc(0) },
  { why: 'no sound', bytes: Buffer.alloc(2000, 'text') },
])('a file that is $why is not brought, and the reason is given', async ({ bytes }) => {
  const one = sound('whole')
  fs.writeFileSync(one.path, bytes)
  await expect(soundsHere().bring(one)).rejects.toThrow('its file is damaged')
  expect(thereIn()).toEqual([])
})
