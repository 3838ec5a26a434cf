import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DecryptedFile, encrypting, isEncrypted } from './backup-encryption.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-encrypted-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const passphrase = 'correct horse battery'
const chunk = 65_536
const header = 16 + 1 + 16 + 32
const sealed = chunk + 16

async function encrypted(plain: Buffer, pieces = 10_000, word = passphrase): Promise<Buffer> {
  const parts = Array.from({ length: Math.ceil(plain.length / pieces) }, (_, n) =>
    plain.subarray(n * pieces, (n + 1) * pieces),
  )
  return buffer(Readable.from(parts).pipe(await encrypting(word, 10)))
}
let serial = 0
function written(bytes: Buffer): string {
  const file = path.join(folder, `${++serial}.backup`)
  fs.writeFileSync(file, bytes)
  return file
}
async function decrypted(file: string, word = passphrase): Promise<Buffer> {
  const opened = await DecryptedFile.open(file, word)
  const plain = await buffer(opened.read(0, opened.size))
  await opened.close()
  return plain
}
const refused = (bytes: Buffer, word = passphrase) => expect(decrypted(written(bytes), word)).rejects

const plain = randomBytes(3 * chunk + 5)
let good: Buffer
beforeAll(async () => {
  good = await encrypted(plain)
})

test.each([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 5])(
  '%i bytes come back as they were, whatever pieces they came in',
  async (size) => {
    const bytes = randomBytes(size)
    for (const pieces of [999, chunk, 4 * chunk]) {
      const file = written(await encrypted(bytes, pieces))
      expect(await isEncrypted(file)).toBe(true)
      expect((await decrypted(file)).equals(bytes)).toBe(true)
    }
  },
)

test('any range of it can be read alone', async () => {
  const opened = await DecryptedFile.open(written(good), passphrase)
  expect(opened.size).toBe(plain.length)
  for (const [start, end] of [
    [0, 1],
    [chunk - 1, chunk + 1],
    [chunk, 2 * chunk],
    [17, 3 * chunk + 5],
    [3 * chunk + 4, 3 * chunk + 5],
    [9, 9],
  ] as const)
    expect((await buffer(opened.read(start, end))).equals(plain.subarray(start, end)), `${start}-${end}`).toBe(true)
  await opened.close()
})

test('nothing of the content can be read in it, and the same content is never the same file', async () => {
  const text = Buffer.from('9841000001\n'.repeat(10_000))
  const [one, two] = [await encrypted(text), await encrypted(text)]
  expect(one.includes('9841000001')).toBe(false)
  expect(one.subarray(header).equals(two.subarray(header))).toBe(false)
})

test('another passphrase is refused by that name; the same letters composed otherwise are the same', async () => {
  await refused(good, 'correct horse batterz').toThrow('the passphrase is not that of')
  const composed = await encrypted(plain, chunk, 'caf\u00e9 and twelve')
  expect((await decrypted(written(composed), 'cafe\u0301 and twelve')).equals(plain)).toBe(true)
})

test('cut off anywhere, also between two chunks, it is refused', async () => {
  for (const length of [0, 1, 16, header - 1, header, header + 15, header + 16, header + sealed - 1])
    await expect(decrypted(written(good.subarray(0, length)))).rejects.toThrow()
  for (const chunks of [1, 2, 3])
    await refused(good.subarray(0, header + chunks * sealed)).toThrow('its end is cut off, out of its place or changed')
  await refused(good.subarray(0, -1)).toThrow('its end')
})

test('with chunks that were exchanged, left out, doubled or taken from another backup it is refused', async () => {
  const [head, chunks] = [
    good.subarray(0, header),
    [0, 1, 2, 3].map((n) => good.subarray(header + n * sealed, header + (n + 1) * sealed)),
  ]
  const other = await encrypted(plain)
  const of = (...order: number[]) => Buffer.concat([head, ...order.map((n) => chunks[n] ?? Buffer.alloc(0))])
  expect(of(0, 1, 2, 3).equals(good)).toBe(true)
  for (const order of [[1, 0, 2, 3], [0, 2, 3], [0, 1, 1, 2, 3], [0, 3], [3]])
    await refused(of(...order)).toThrow('Nothing was restored')
  await refused(Buffer.concat([head, other.subarray(header)])).toThrow('Nothing was restored')
  await refused(Buffer.concat([other.subarray(0, header), good.subarray(header)])).toThrow('Nothing was restored')
  await refused(Buffer.concat([good, Buffer.from([0])])).toThrow('Nothing was restored')
})

test('with one bit changed anywhere it is refused', async () => {
  const places = [
    16,
    17,
    32,
    33,
    header - 1,
    header,
    header + chunk,
    header + sealed - 1,
    header + 2 * sealed + 9,
    good.length - 1,
  ]
  for (const at of places) {
    const bytes = Buffer.from(good)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await expect(decrypted(written(bytes)), String(at)).rejects.toThrow()
  }
})

test('a header that asks for more memory than a gigabyte is refused before it gets any', async () => {
  for (const cost of [0, 21, 63, 255]) {
    const bytes = Buffer.from(good)
    bytes[16] = cost
    await refused(bytes).toThrow('its beginning')
  }
})

test('a file that is no encrypted backup is recognised', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK\x03\x04 a zip that is long enough')])
    expect(await isEncrypted(written(bytes))).toBe(false)
})
