import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { operatorPrefixesDefault as prefixes } from '@ghanti/contract/operators.ts'
import { afterAll, expect, test } from 'vitest'
import { contactBatches } from './worker.ts'
import { CallTextValidator, MessageValidator, type MessageSettings } from './rules-message.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-messages-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const ntc = 9_779_841_000_001
const ncell = 9_779_801_000_001
const everywhere: MessageSettings = { templateId: 1, text: '', operators: [0, 1, 2, 3], prefixes }
const row = (phone: number, values: Record<string, string> = {}) => ({ line: 2, phone, turn: 0, values })

test('a personalised text is filled and counted for each row by itself', () => {
  const validator = new MessageValidator({ ...everywhere, text: 'Dear {Name}, pay on {mobile}' })
  const { messages } = validator.validate([
    row(ntc, { name: 'Ram' }),
    row(ntc, { name: 'a'.repeat(160) }),
    row(ntc, { name: 'राम' }),
  ])
  expect(messages.map(({ segments }) => segments)).toEqual([1, 2, 1])
  expect(validator.textOf(row(ntc, { NAME: 'Ram' }))).toBe('Dear Ram, pay on 9841000001')
})

test('the same text goes to everybody as it is, braces too', () => {
  const validator = new MessageValidator({ ...everywhere, templateId: 0, text: 'Code {name}' })
  expect(validator.textOf(row(ntc, { name: 'Ram' }))).toBe('Code {name}')
  expect(validator.validate([row(ntc)]).messages).toMatchObject([{ segments: 1, operator: 1 }])
})

test('a landline is counted apart, it is no mistake', () => {
  const validated = new MessageValidator({ ...everywhere, text: 'Hello' }).validate([row(97_715_970_001), row(ntc)])
  expect(validated).toMatchObject({ unreachable: [{ phone: 97_715_970_001 }], messages: [{ phone: ntc }], refused: [] })
})

test.each([
  { why: 'columns that are empty', text: '{name}', values: {}, reason: 'the message is empty, since its columns are' },
  {
    why: 'too many segments',
    text: '{name}',
    values: { name: 'a'.repeat(1531) },
    reason: 'the message has 11 segments, and 10 are allowed',
  },
])('a row is refused for $why', ({ text, values, reason }) => {
  const { messages, refused } = new MessageValidator({ ...everywhere, text }).validate([row(ntc, values)])
  expect([messages, refused]).toEqual([[], [{ line: 2, text: '9841000001', reason, ofFile: false }]])
})

test('numbers of an operator for which the sender ID is not approved are refused', () => {
  const validator = new MessageValidator({ ...everywhere, text: 'Hello', operators: [0, 1] })
  const validated = validator.validate([row(ntc), row(ncell), row(9_779_831_000_001)])
  expect(validated.messages.map(({ operator }) => operator)).toEqual([1, 0])
  expect(validated.refused.map(({ reason }) => reason)).toEqual(['the sender ID is not approved for Ncell'])
})

async function validated(content: string, message: MessageSettings) {
  const file = path.join(folder, 'contacts.csv')
  fs.writeFileSync(file, content)
  const job = { path: file, declaredType: 'text/csv', sizeMax: 1e9, templateId: message.templateId, message }
  const found = {
    phones: [] as number[],
    segments: [] as number[],
    unreachable: 0,
    invalid: 0,
    refused: [] as string[],
  }
  const batches = contactBatches(job, 'messages')
  for (;;) {
    const next = await batches.next()
    if (next.done) return { ...found, totals: next.value.kind === 'read' ? next.value.totals : null }
    found.phones.push(...next.value.phones)
    found.segments.push(...next.value.segments)
    found.unreachable += next.value.unreachable
    found.invalid += next.value.invalid
    found.refused.push(...next.value.refused.map(({ line, reason }) => `${line} ${reason}`))
  }
}

const file = 'mobile,name\n9841000001,Ram\n9841000001,Sita\n9841000001,Ram\n015970001,Hari\n9841000002,\n'

test('a number gets each row of its own that makes another personalised text', async () => {
  const found = await validated(file, { ...everywhere, text: '{name}' })
  expect(found).toMatchObject({
    phones: [ntc, ntc],
    segments: [1, 1],
    unreachable: 1,
    invalid: 1,
    refused: ['4 the same row as in line 2', '6 the message is empty, since its columns are'],
    totals: { rows: 5, accepted: 4, duplicate: 1 },
  })
})

test('a number gets an equal text once', async () => {
  const found = await validated(file, { ...everywhere, templateId: 0, text: 'Hello' })
  expect(found).toMatchObject({ phones: [ntc, 9_779_841_000_002], totals: { rows: 5, accepted: 3, duplicate: 2 } })
})

test('a row gets no text after its call into which a column puts more than was approved, and gets the others', () => {
  const validator = new CallTextValidator({
    texts: ['Dear {name}', 'Thanks'],
    operators: [0, 1, 2, 3],
    prefixes,
    values: [{ words: [], isStrict: true }, null],
  })
  const sent = { segments: 1, withheld: null, unapproved: false }
  const withheld = 'its {name} is not approved: it looks like an address'
  expect(validator.validate(row(ntc, { name: 'win.example/prize' })).texts).toEqual([
    { segments: null, withheld, unapproved: true },
    sent,
  ])
  expect(validator.validate(row(ntc, { name: 'Ram' })).texts).toEqual([sent, sent])
  const landline = { segments: null, withheld: 'the number is a landline, which no message reaches', unapproved: false }
  expect(validator.validate(row(97_715_970_001, { name: 'Ram' })).texts).toEqual([landline, landline])
})

test.each([
  {
    why: 'a word from text and value',
    text: 'A lot{a}',
    values: { a: 'tery' },
    reason: "its {a} waits for approval: it completes the word 'lottery'",
  },
  {
    why: 'a word from two values',
    text: 'A {a}{b}!',
    values: { a: 'lot', b: 'tery' },
    reason: "its {a} waits for approval: it completes the word 'lottery'",
  },
  {
    why: 'two words, of which one is the text’s',
    text: 'A quick {a}',
    values: { a: 'loan' },
    reason: "its {a} waits for approval: it completes the word 'quick loan'",
  },
  {
    why: 'an address in two values',
    text: '{a}{b}',
    values: { a: '9x.', b: 'com' },
    reason: 'its {b} waits for approval: it looks like an address',
  },
  {
    why: 'a telephone number in three values',
    text: 'Call {a}{b}{c}',
    values: { a: '984', b: '1000', c: '001' },
    reason: 'its {c} waits for approval: it has a telephone number',
  },
  {
    why: 'values that are apart',
    text: 'Your code {a} of {b}: {c}',
    values: { a: '4829', b: '2083-05-01', c: '12,345.50' },
    reason: null,
  },
  { why: 'a word that is the text’s own', text: 'Our lottery, {a}', values: { a: 'Sita' }, reason: null },
])('what stands side by side is read together: $why', ({ text, values, reason }) => {
  const rule = { words: ['lottery', 'quick loan'], isStrict: true }
  const validator = new MessageValidator({ ...everywhere, text, values: rule })
  expect(validator.whyUnapproved(row(ntc, values))).toBe(reason)
})
