import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { generateContacts } from '../../../testing/files/contact-file.ts'
import type { AcceptedRow, RefusedRow, TemplateColumn } from '../rules.ts'
import { validateFile, type FileEnd } from './worker-file.ts'
import { contactBatches, contactTurn, type ContactJob } from './worker.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-contacts-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
let files = 0
function stored(content: string | Uint8Array): string {
  const target = path.join(folder, String(++files))
  fs.writeFileSync(target, content)
  return target
}

type Options = { chunkBytes?: number; sizeMax?: number; required?: readonly TemplateColumn[]; declaredType?: string }
async function validator(content: string | Uint8Array, options: Options = {}) {
  const file = { path: stored(content), declaredType: 'text/csv', sizeMax: 1e9, required: [], ...options }
  const accepted: AcceptedRow[] = []
  const refused: RefusedRow[] = []
  const batches = validateFile(file)
  for (;;) {
    const next = await batches.next()
    if (next.done) return { accepted, refused, end: next.value }
    accepted.push(...next.value.accepted)
    refused.push(...next.value.refused)
  }
}
const totalsOf = (end: FileEnd) => (end.kind === 'read' ? end.totals : null)

const odd = [
  '\ufeffmobile,name,note',
  '9841234560,"Sharma, Sita","two',
  'lines"',
  '',
  '९८४१२३४५६१,"say ""hello""",x',
  '+977-9841234562,Ram "Lal" Thapa,',
  ',,',
  '01-5970001,राम',
  'abc,"a',
  '',
  'b",c',
  '9841234563',
]

describe('lines are counted as an editor shows them', () => {
  test.each([
    ['Windows', '\r\n'],
    ['Unix', '\n'],
    ['old Mac', '\r'],
  ])('%s line ends', async (_, lineEnd) => {
    const { accepted, refused, end } = await validator(odd.join(lineEnd))
    expect(accepted.map(({ line, phone }) => [line, phone])).toEqual([
      [2, 9779841234560],
      [5, 9779841234561],
      [6, 9779841234562],
      [8, 97715970001],
      [12, 9779841234563],
    ])
    expect(accepted[0]?.values).toEqual({ name: 'Sharma, Sita', note: `two${lineEnd}lines` })
    expect(accepted[1]?.values['name']).toBe('say "hello"')
    expect(accepted[2]?.values['name']).toBe('Ram "Lal" Thapa')
    const text = `abc,"a${lineEnd}${lineEnd}b",c`
    expect(refused).toEqual([{ line: 9, text, reason: 'the number has letters', ofFile: true, number: 'abc' }])
    expect(totalsOf(end)).toMatchObject({ rows: 6, accepted: 5, invalid: 1, columns: ['mobile', 'name', 'note'] })
  })

  test('mixed line ends, with and without one at the end', async () => {
    const { accepted } = await validator('9841234560\r\n9841234561\n9841234562\r9841234563\r\n\r\n9841234564\n')
    expect(accepted.map((row) => row.line)).toEqual([1, 2, 3, 4, 6])
  })
})

test.each([1, 2, 3, 5, 7, 16, 61])('read %d bytes at once, the rows are the same', async (chunkBytes) => {
  const { text } = generateContacts({ rows: 60, seed: 7 })
  for (const content of [odd.join('\r\n'), text]) {
    const whole = await validator(content)
    expect(await validator(content, { chunkBytes })).toEqual(whole)
    expect(await validator(Buffer.from(content, 'utf16le'), { chunkBytes })).toEqual(whole)
  }
})

describe('character sets', () => {
  const text = 'mobile,name\r\n९८४१२३४५६७,सीता\r\n'
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, little end first, with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, little end first', Buffer.from(text, 'utf16le')],
    ['UTF-16, big end first, with a mark', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16, big end first', Buffer.from(text, 'utf16le').swap16()],
  ])('%s', async (_, content) => {
    expect((await validator(content)).accepted).toEqual([
      { line: 2, phone: 9779841234567, turn: 0, values: { name: 'सीता' } },
    ])
  })

  test('Windows-1252 is refused wherever it shows', async () => {
    const late = Buffer.concat([
      Buffer.from('mobile,name\n'),
      Buffer.alloc(100_000, '9841234567,x\n'),
      Buffer.from('9841234567,Jos\xe9\n', 'latin1'),
    ])
    expect((await validator(late)).end).toMatchObject({ kind: 'unsupported', type: 'text/plain; charset=windows-1252' })
  })

  test('a binary file is refused wherever it shows', async () => {
    const late = Buffer.concat([Buffer.alloc(100_000, '9841234567,x\n'), Buffer.from([0, 1, 2])])
    expect((await validator(late)).end).toMatchObject({ kind: 'unsupported', type: 'application/octet-stream' })
    expect((await validator(late, { declaredType: 'application/x-thing' })).end).toMatchObject({
      type: 'application/x-thing',
    })
  })

  test('half a character at the end is refused', async () => {
    expect((await validator(Buffer.from('9841234567,सी').subarray(0, -1))).end).toMatchObject({ kind: 'unsupported' })
  })

  test("control characters that text files carry along are left out: DOS's end of file, Excel's line breaks", async () => {
    const { accepted, end } = await validator('9841234567,a\x0bb\r\n9841234568,c\r\n\x1a')
    expect(accepted.map((row) => row.values)).toEqual([{ column2: 'ab' }, { column2: 'c' }])
    expect(totalsOf(end)).toMatchObject({ rows: 2 })
  })
})

test.each([
  ['semicolons', 'mobile;name\n9841234567;"Sharma; Sita, Ms"'],
  ['tabs', 'mobile\tname\n9841234567\tSharma; Sita, Ms'],
])('%s separate when the first line shows it', async (_, content) => {
  expect((await validator(content)).accepted[0]?.values).toEqual({ name: 'Sharma; Sita, Ms' })
})

test('digits that an export wrote for a spreadsheet are read as the digits, also without the quotes of a CSV', async () => {
  const content = 'mobile,"=""007"""\r\n"=""015970001""","=""00123"""\r\n="015970002",=1+1\r\n'
  const { accepted } = await validator(content)
  expect(accepted).toEqual([
    { line: 2, phone: 97715970001, turn: 0, values: { '007': '00123' } },
    { line: 3, phone: 97715970002, turn: 0, values: { '007': '=1+1' } },
  ])
})

test('reading stops at the size limit', async () => {
  const content = '9841234567\n'.repeat(100_000)
  expect((await validator(content, { sizeMax: content.length - 1 })).end).toEqual({ kind: 'tooLarge' })
  expect((await validator(content, { sizeMax: content.length })).end).toMatchObject({ kind: 'read' })
})

test('a quote that is never closed refuses the file and names its line', async () => {
  const { end } = await validator('mobile,name\n9841234567,Sita\n9841234568,"Ram\n9841234569,Gita\n')
  expect(end).toEqual({ kind: 'broken', why: 'has a quote in line 3 that is never closed' })
  const long = `mobile,name\n9841234567,"${'x\n'.repeat(600_000)}`
  expect((await validator(long)).end).toEqual({ kind: 'broken', why: 'has a quote in line 2 that is never closed' })
})

test('a file without rows is read', async () => {
  for (const content of ['', '\ufeff', '\r\n\r\n', 'mobile,name\r\n'])
    expect(totalsOf((await validator(content)).end)).toMatchObject({ rows: 0, dialable: 0 })
})

test('10,000 rows as people send them come out to the row', async () => {
  for (const seed of [1, 2]) {
    const made = generateContacts({ rows: 10_000, seed })
    const { accepted, refused, end } = await validator(made.text)
    expect(totalsOf(end)).toMatchObject(made.expected)
    expect(accepted.map(({ line, phone, values }) => ({ line, phone, name: values['Name'] }))).toEqual(made.accepted)
    expect(refused.map((row) => row.line)).toEqual(made.refused.map((row) => row.line))
  }
})

describe('in a process of its own', () => {
  const job = (content: string | Uint8Array): ContactJob => ({
    path: stored(content),
    declaredType: 'text/csv',
    sizeMax: 1e9,
    templateId: 0,
  })

  test('the batches are those of the file', async () => {
    const made = generateContacts({ rows: 40_000 })
    const batches = contactBatches(job(made.text), 'numbers')
    const phones: number[] = []
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        expect(totalsOf(next.value)).toMatchObject(made.expected)
        break
      }
      phones.push(...next.value.phones)
    }
    expect(phones).toEqual(made.accepted.map((row) => row.phone))
  })

  test('it sends only what is taken and ends when nobody wants more', async () => {
    const batches = contactBatches(job('9841234567\n'.repeat(200_000)), 'refused')
    const first = await batches.next()
    expect(first).toMatchObject({ done: false })
    await batches.return({ kind: 'tooLarge' })
    expect(await batches.next()).toEqual({ done: true, value: undefined })
  })

  test('an abort ends it with its reason', async () => {
    const abort = new AbortController()
    const batches = contactBatches(job('9841234567\n'.repeat(200_000)), 'totals', abort.signal)
    await batches.next()
    abort.abort(new Error('enough'))
    await expect(async () => {
      for await (const _ of batches);
    }).rejects.toThrow(/aborted|enough/)
  })

  test('a file that is gone is an error', async () => {
    await expect(contactBatches({ ...job(''), path: path.join(folder, 'gone') }, 'totals').next()).rejects.toThrow(
      /ENOENT/,
    )
  })

  test('what cannot be read ends as such', async () => {
    const batches = contactBatches(job(Buffer.from('PK\x03\x04\x14\0xl/', 'latin1')), 'totals')
    expect(await batches.next()).toMatchObject({ done: true, value: { kind: 'unsupported' } })
  })

  test('two are read at once, one of an account: whoever brings forty keeps another account’s waiting for none of them', async () => {
    const gates = Array.from({ length: 40 }, () => Promise.withResolvers<void>())
    const running: number[] = []
    let most = 0
    const read = (accountId: number, until: Promise<void>) =>
      contactTurn(accountId, async () => {
        most = Math.max(most, running.push(accountId))
        await until
        running.splice(running.indexOf(accountId), 1)
      })
    const hostile = gates.map((gate) => read(1, gate.promise))
    const others = [2, 3, 4].map((accountId) => read(accountId, Promise.resolve()))
    await Promise.all(others)
    expect(running, 'while the first of the forty is still read').toEqual([1])
    for (const gate of gates) gate.resolve()
    await Promise.all(hostile)
    expect(most).toBe(2)
  })
})
