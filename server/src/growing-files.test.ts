/** Files that grow when they are read, or that look as if they would. Each is sent to the real server: it says what is wrong, lives, stays small, and reads others' files. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Viewer } from './policy.ts'
import { testApp } from './testing/app.ts'
import { signedIn, testHttp } from './testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from './testing/seed.ts'
import { workbook } from './testing/files/workbook.ts'

const app = await testApp()
const http = await testHttp(app)
let address: string
beforeAll(async () => {
  address = await http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => http.close())

type Reply = { status: number; body: { message: string; rows?: number; errors?: { field: string; text: string }[] } }

async function post(viewer: Viewer, path: string, fields: Record<string, string | File>): Promise<Reply> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  const reply = await fetch(`${address}${path}`, { method: 'POST', headers: await signedIn(app, viewer), body })
  return { status: reply.status, body: (await reply.json()) as Reply['body'] }
}

const mebibyte = 2 ** 20
/** Just below the 20 MB that a file may have. */
const most = 20 * mebibyte - 2000
const filled = (piece: string, bytes = most, before = ''): string =>
  before + piece.repeat(Math.floor((bytes - before.length) / piece.length))

/** A zip with one entry for each name, all of the same bytes, whatever a library would think of them. */
function zipOf(names: readonly string[], bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes)
  const crc = crc32(bytes)
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const name of names) {
    const text = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(crc, 14)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(bytes.length, 22)
    local.writeUInt16LE(text.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    local.copy(central, 6, 4, 30)
    central.writeUInt32LE(at, 42)
    locals.push(local, text, packed)
    centrals.push(central, text)
    at += 30 + text.length + packed.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

/** `megabytes` of one piece, which a zip makes small. */
const sheet = (piece: string, megabytes: number, head = '<worksheet><sheetData>') =>
  head + piece.repeat(Math.floor((megabytes * mebibyte) / piece.length))
const numbered = (count: number, name: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => name(n))

function wavHead(size: number, { data = 0xff_ff_ff_f0, channels = 8, rate = 192_000 } = {}): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(0xff_ff_ff_ff, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * channels, 28)
  head.writeUInt16LE(channels, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data, 40)
  return Buffer.concat([head, Buffer.alloc(size - 44, 0x80)])
}

function pngChunk(name: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12)
  framed.writeUInt32BE(data.length, 0)
  framed.write(name, 4)
  data.copy(framed, 8)
  return framed
}
function png(width: number, chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header.set([8, 6], 8)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), pngChunk('IHDR', header), ...chunks])
}

const file = (content: string | Buffer, name = 'file'): File => new File([new Uint8Array(Buffer.from(content))], name)
const xlsx = async (parts: Record<string, string>): Promise<File> =>
  file(await workbook([{ name: 'One', rows: '' }], { parts }))
const blacklist = (content: string) => ({ path: '/api/obd/blistupload', fields: { blistFile: file(content) } })
const upload = (baseFile: File) => ({ path: '/api/obd/baseupload', fields: { baseName: 'Growing', baseFile } })
const look = (baseFile: File) => ({ path: '/api/obd/base/look', fields: { baseFile } })
const prompt = (bytes: Buffer) => ({
  path: '/api/obd/promptupload',
  fields: { fileName: 'Growing', promptCategory: 'welcome', waveFile: file(bytes, 'sound.wav') },
})
const logo = (bytes: Buffer) => ({
  path: '/api/obd/brand',
  fields: { company: 'Growing', logo: file(bytes, 'logo.png') },
})
const words = async (viewer: Viewer, bytes: Buffer) => {
  const headers = { ...(await signedIn(app, viewer)), 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Growing', language: 'en' })
  const made = await fetch(`${address}/api/obd/voice-pack`, { method: 'POST', headers, body })
  const { packId } = (await made.json()) as { packId: number }
  return { path: '/api/obd/voice-pack/upload', fields: { packId: String(packId), voiceFile: file(bytes, 'words.zip') } }
}

type Sent = { path: string; fields: Record<string, string | File> }
type Case = {
  what: string
  /** Another of its kind, of the same reader or the same end, is in `npm test` and takes less. */
  isAnother?: true
  by?: 'reseller' | 'superAdmin'
  send: (viewer: Viewer) => Sent | Promise<Sent>
  why: RegExp
}
const tooMuch = 'needs too much memory to be read: split it'
const tooSlow = 'takes too long to read for its size: save it again or split it'
const either = (text: string): RegExp => new RegExp(`^(${[tooMuch, tooSlow, text].join('|')})`)
const commas = `9841000001${','.repeat(6_000_000)}`
const reading = JSON.stringify({ number: 0, header: false, names: [] })

const cases: Case[] = [
  { what: 'commas, in a blacklist', send: () => blacklist(commas), why: /^has more than 10,000 cells in line 1$/ },
  {
    what: 'commas, looked at',
    isAnother: true,
    send: () => look(file(commas)),
    why: /^has more than 10,000 cells in line 1$/,
  },
  {
    what: 'commas, whose columns were chosen',
    isAnother: true,
    send: () => ({
      path: '/api/obd/baseupload',
      fields: { baseName: 'Growing', columns: reading, baseFile: file(commas) },
    }),
    why: /^has more than 10,000 cells in line 1$/,
  },
  {
    what: 'commas, below a line of numbers',
    isAnother: true,
    send: () => blacklist(`9841000001\n${filled(',')}`),
    why: /^has more than 10,000 cells in line 2$/,
  },
  {
    what: 'semicolons, pasted',
    isAnother: true,
    send: () => ({ path: '/api/obd/contactlist', fields: { contactList: filled(';', 6 * mebibyte) } }),
    why: /^has no number that can be called$/,
  },
  {
    what: 'commas, as caller IDs',
    isAnother: true,
    by: 'superAdmin',
    send: () => ({ path: '/api/obd/cliupload', fields: { cliFile: file(filled(',', mebibyte - 100)) } }),
    why: /^has more than 10,000 cells in line 1$/,
  },
  {
    what: 'quotes, one of which is never closed',
    send: () => upload(file(filled('""', most, '"'))),
    why: /^has more than 1,000,000 letters in line 1$|^has a quote in line 1 that is never closed$/,
  },
  {
    what: 'lines in a quote that is never closed',
    isAnother: true,
    send: () => blacklist(filled('x\n', most, '"')),
    why: /^has a quote in line 1 that is never closed$/,
  },
  {
    what: 'one line without end',
    isAnother: true,
    send: () => upload(file(filled('9'))),
    why: /^has more than 1,000,000 letters in line 1$/,
  },
  {
    what: 'rows of thousands of columns',
    isAnother: true,
    send: () => upload(file(filled(`9841000001${',x'.repeat(9000)}\n`, 6 * mebibyte))),
    why: /^has no number that can be called in its \d+ rows$/,
  },
  {
    what: 'a header of thousands of columns',
    isAnother: true,
    send: () => look(file(filled('name,', most))),
    why: /^has more than 10,000 cells in line 1$/,
  },
  {
    what: 'millions of empty lines',
    isAnother: true,
    send: () => upload(file(filled('\n', 2 * mebibyte))),
    why: /^has no number that can be called$/,
  },
  {
    what: 'millions of the shortest rows',
    isAnother: true,
    send: () => blacklist(filled('1\n', 4 * mebibyte)),
    why: /^has no number that can be called in its \d+ rows/,
  },
  {
    what: 'shared strings',
    isAnother: true,
    send: async () => upload(await xlsx({ 'xl/sharedStrings.xml': sheet('<si><t>a</t></si>', 80, '<sst>') })),
    why: either('has too many different texts: split it'),
  },
  {
    what: 'shared strings of a megabyte',
    isAnother: true,
    send: async () =>
      look(await xlsx({ 'xl/sharedStrings.xml': sheet(`<si><t>${'a'.repeat(500_000)}</t></si>`, 100, '<sst>') })),
    why: either('has no rows in any sheet that is not hidden|cannot be read'),
  },
  {
    what: 'a sheet that unpacks to a thousand times its size',
    isAnother: true,
    send: async () => upload(await xlsx({ 'xl/worksheets/sheet1.xml': sheet('<row></row>', 100) })),
    why: either('has rows in no order below row 1048576'),
  },
  {
    what: 'elements in one another',
    isAnother: true,
    send: async () => upload(await xlsx({ 'xl/worksheets/sheet1.xml': sheet('<a>', 60) })),
    why: either('cannot be read'),
  },
  {
    what: 'attributes of one element',
    isAnother: true,
    send: async () => look(await xlsx({ 'xl/worksheets/sheet1.xml': sheet(' a="1"', 20, '<worksheet') })),
    why: either('has a cell that is too long|cannot be read'),
  },
  {
    what: 'sheets with long names',
    isAnother: true,
    send: async () =>
      look(
        await xlsx({
          'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${`<sheet name="${'n'.repeat(100_000)}" r:id="rId1"/>`.repeat(2000)}`,
        }),
      ),
    why: either('has too many sheets: split it'),
  },
  {
    what: 'entries of a zip, as a workbook',
    isAnother: true,
    send: () =>
      upload(
        file(
          zipOf(
            numbered(60_000, (n) => `xl/${n}`),
            Buffer.from('x'),
          ),
        ),
      ),
    why: /^is not an Excel file$/,
  },
  {
    what: 'a zip in a zip',
    send: () => upload(file(zipOf(['xl/workbook.xml'], zipOf(['xl/workbook.xml'], Buffer.alloc(50 * mebibyte))))),
    why: either('cannot be read'),
  },
  {
    what: 'entries of a zip, as recordings',
    isAnother: true,
    send: (viewer) =>
      words(
        viewer,
        zipOf(
          numbered(60_000, (n) => `${n}.wav`),
          Buffer.from('x'),
        ),
      ),
    why: /^holds more than 400 files$/,
  },
  {
    what: 'recordings that unpack to a thousand times their size',
    isAnother: true,
    send: (viewer) =>
      words(
        viewer,
        zipOf(
          numbered(400, (n) => `${n}.wav`),
          wavHead(mebibyte, { data: 0xff_ff_ff_ff }),
        ),
      ),
    why: either('holds nothing that can be taken'),
  },
  {
    what: 'a recording larger than its zip says',
    send: (viewer) => words(viewer, lying(zipOf(['1.wav'], Buffer.alloc(50 * mebibyte)))),
    why: /^is a zip that cannot be read/,
  },
  {
    what: 'a sound of billions of samples, by its head',
    send: () => prompt(wavHead(3 * mebibyte)),
    why: /^holds nothing but silence$/,
  },
  {
    what: 'a sound with another rate than its length',
    isAnother: true,
    send: () => prompt(wavHead(3 * mebibyte, { data: 0xff_ff_ff_ff, channels: 1, rate: 4000 })),
    why: /^is 787 seconds long/,
  },
  {
    what: 'a sound whose head never ends',
    isAnother: true,
    send: () =>
      prompt(
        Buffer.concat([
          Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1'),
          Buffer.from('LIST\0\0\0\0'.repeat(390_000), 'latin1'),
        ]),
      ),
    why: /^has a broken header/,
  },
  {
    what: 'a sound behind hundreds of thousands of odd chunks without their padding',
    isAnother: true,
    send: () =>
      prompt(Buffer.concat([wavHead(44).subarray(0, 36), Buffer.from('odd!\x01\0\0\0x'.repeat(330_000), 'latin1')])),
    why: /^has a broken header/,
  },
  {
    what: 'a sound that is announced hundreds of thousands of times',
    isAnother: true,
    send: () =>
      prompt(
        Buffer.concat([
          wavHead(44).subarray(0, 36),
          Buffer.from('LIST\xff\xff\xff\x0f', 'latin1'),
          Buffer.from('data\xff\xff\x0f\x0f'.repeat(380_000), 'latin1'),
        ]),
      ),
    why: /^has a broken header/,
  },
  {
    what: 'a picture of billions of pixels',
    by: 'reseller',
    send: () =>
      logo(
        png(2 ** 31, [pngChunk('IDAT', deflateSync(Buffer.alloc(50 * mebibyte))), pngChunk('IEND', Buffer.alloc(0))]),
      ),
    why: /^is 2147483648 × 2147483648 pixels/,
  },
  {
    what: 'a picture of nothing but heads',
    isAnother: true,
    by: 'reseller',
    send: () => logo(png(64, Array<Buffer>(80_000).fill(pngChunk('tEXt', Buffer.alloc(0))))),
    why: /^is damaged or cut off$/,
  },
]

/** Says that every entry is small. */
function lying(zip: Buffer): Buffer {
  const at = zip.lastIndexOf('PK\x01\x02', undefined, 'latin1')
  zip.writeUInt32LE(1000, at + 24)
  return zip
}

/** Above what the test itself needs: it makes each file, and the form with it, in the process of the server. */
const grownMax = 250 * mebibyte
const other = await newUser(app)

async function expectRefused({ by, send, why }: Case): Promise<void> {
  const viewer = await { reseller: newReseller, superAdmin: newSuperAdmin, user: newUser }[by ?? 'user'](app)
  const sent = await send(viewer)
  const before = process.memoryUsage.rss()
  let grown = 0
  const watch = setInterval(() => (grown = Math.max(grown, process.memoryUsage.rss() - before)), 20)
  const reply = post(viewer, sent.path, sent.fields)
  const meanwhile = await post(other, '/api/obd/base/look', { baseFile: file('9841000001\n9841000002\n') })
  const { status, body } = await reply
  clearInterval(watch)
  expect(status).toBe(400)
  expect(body.errors?.[0]?.text).toMatch(why)
  expect(meanwhile.status).toBe(200)
  expect(grown / mebibyte).toBeLessThan(grownMax / mebibyte)
}

test.each(cases.filter(({ isAnother }) => !isAnother))('$what', expectRefused)
test.each(cases.filter(({ isAnother }) => isAnother))('$what', { tags: ['exhaustive'] }, expectRefused)
