import { expect, test } from 'vitest'
import { readDelivered } from './delivered.ts'

const now = new Date('2026-11-23T09:00:30Z')
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const receipt = (text: string, more: Record<string, unknown> = {}): ReturnType<typeof readDelivered> =>
  readDelivered({ esm_class: 4, data_coding: 0, short_message: bytes(text), ...more }, 'gsm7', now)

const usual = 'id:0A1B sub:001 dlvrd:001 submit date:2611230859 done date:2611230900 stat:DELIVRD err:000 text:Hi'

test.each([
  { why: 'the usual text', text: usual, is: { id: '0A1B', state: 'delivered', reason: null } },
  { why: 'other case, other order', text: 'STAT:delivrd ID:0a1b', is: { id: '0a1b', state: 'delivered' } },
  { why: 'blanks after the colons', text: 'id: 77 stat: UNDELIV err: 0', is: { id: '77', state: 'failed' } },
  {
    why: 'an error of its own',
    text: usual.replace('DELIVRD err:000', 'UNDELIV err:01A'),
    is: { id: '0A1B', state: 'failed', reason: 'it could not be delivered (01A)' },
  },
  { why: 'not final yet', text: 'id:1 stat:ENROUTE', is: { id: '1', state: 'accepted' } },
  { why: 'expired', text: 'id:1 stat:EXPIRED', is: { id: '1', state: 'expired' } },
])('a receipt by text: $why', ({ text, is }) => {
  expect(receipt(text)).toMatchObject({ kind: 'receipt', receipt: is })
})

test.each([
  { why: 'fields alone', more: { receipted_message_id: 'X1', message_state: 5 }, text: '', state: 'failed', id: 'X1' },
  {
    why: 'fields before the text',
    more: { receipted_message_id: 'X1', message_state: 2 },
    text: 'id:9 stat:EXPIRED',
    state: 'delivered',
    id: 'X1',
  },
  {
    why: 'a state that there is not, so the text’s',
    more: { message_state: 77 },
    text: 'id:9 stat:EXPIRED',
    state: 'expired',
    id: '9',
  },
  {
    why: 'a final state of the text, where that of the field is not',
    more: { message_state: 7 },
    text: 'id:9 stat:DELIVRD',
    state: 'delivered',
    id: '9',
  },
])('a receipt by fields: $why', ({ more, text, state, id }) => {
  expect(receipt(text, more)).toMatchObject({ kind: 'receipt', receipt: { id, state } })
})

test.each(['', 'stat:DELIVRD', 'id: stat:DELIVRD', 'id:5', 'id:5 stat:WHATEVER', 'xid:5 stat:DELIVRD'])(
  'what names no id or no state is a receipt that nobody understands: %s',
  (text) => expect(receipt(text)).toEqual({ kind: 'notUnderstood', sample: text }),
)

test('people see the fields of such a receipt and no number in full', () => {
  const more = { receipted_message_id: 'X1', message_state: 77, short_message: bytes('to 9779841000001') }
  const sample = 'to 97xxxxxxxxx01 receipted_message_id=X1 message_state=77'
  expect(receipt('', more)).toEqual({ kind: 'notUnderstood', sample })
})

test.each([
  { why: 'the text alone', more: {}, text: usual },
  { why: 'fields alone', more: { receipted_message_id: '0A1B', message_state: 2 }, text: '' },
  { why: 'the mark of what a user acknowledges', more: { esm_class: 8 }, text: usual },
])('without the mark of a receipt it is a message that may be one: $why', ({ more, text }) => {
  const fields = { esm_class: 0, source_addr: '9779841000000', destination_addr: '31001', ...more }
  expect(receipt(text, fields)).toMatchObject({
    kind: 'unmarked',
    receipt: { id: '0A1B', state: 'delivered' },
    message: { from: '9779841000000', to: '31001', text, piece: null },
  })
})

test('without the mark, a text that names no id or no state is a message', () => {
  expect(receipt('id:5 stat:WHATEVER', { esm_class: 0 }).kind).toBe('message')
  expect(receipt('what is the status?', { esm_class: 0 }).kind).toBe('message')
  expect(receipt('read', { esm_class: 8 })).toEqual({ kind: 'other' })
})

test.each([
  { why: 'UTC', date: '2611230900', at: '2026-11-23T09:00:00Z' },
  { why: 'Nepal’s', date: '2611231445', at: '2026-11-23T09:00:00Z' },
  { why: 'with seconds', date: '261123090015', at: '2026-11-23T09:00:15Z' },
  { why: 'yesterday’s', date: '2611220900', at: '2026-11-22T09:00:00Z' },
  { why: 'with its century', date: '202611230900', at: '2026-11-23T09:00:00Z' },
  { why: 'with century and seconds', date: '20261123144515', at: '2026-11-23T09:00:15Z' },
  { why: 'with a zone', date: '261123120000012+', at: '2026-11-23T09:00:00Z' },
  { why: 'of zeros', date: '0000000000', at: null },
  { why: 'to come', date: '2612230900', at: null },
  { why: 'long ago', date: '2511230900', at: null },
  { why: 'no time', date: 'soon', at: null },
])('its time: $why', ({ date, at }) => {
  const read = receipt(`id:1 done date:${date} stat:DELIVRD`)
  expect(read.kind === 'receipt' && read.receipt.at).toEqual(at === null ? null : new Date(at))
})

const message = (fields: Record<string, unknown>): ReturnType<typeof readDelivered> =>
  readDelivered(
    { esm_class: 0, data_coding: 0, source_addr: '9779841000000', destination_addr: '31001', ...fields },
    'gsm7',
    now,
  )

test.each([
  { why: 'a text', fields: { short_message: bytes('STOP') }, text: 'STOP', piece: null },
  { why: 'a payload', fields: { message_payload: bytes('STOP') }, text: 'STOP', piece: null },
  {
    why: 'a header with a reference of one byte',
    fields: { esm_class: 0x40, short_message: Buffer.concat([Buffer.from([5, 0, 3, 9, 2, 1]), bytes('a')]) },
    text: 'a',
    piece: { reference: 9, number: 1, of: 2 },
  },
  {
    why: 'a header with a reference of two, after another element',
    fields: {
      esm_class: 0x40,
      short_message: Buffer.concat([Buffer.from([9, 1, 1, 0, 8, 4, 1, 0, 3, 2]), bytes('b')]),
    },
    text: 'b',
    piece: { reference: 256, number: 2, of: 3 },
  },
  {
    why: 'fields of its own for the parts',
    fields: { short_message: bytes('c'), sar_msg_ref_num: 7, sar_total_segments: 2, sar_segment_seqnum: 2 },
    text: 'c',
    piece: { reference: 7, number: 2, of: 2 },
  },
  {
    why: 'a part beyond the last',
    fields: { short_message: bytes('d'), sar_msg_ref_num: 7, sar_total_segments: 2, sar_segment_seqnum: 3 },
    text: 'd',
    piece: null,
  },
  {
    why: 'a header longer than the message',
    fields: { esm_class: 0x40, short_message: Buffer.from([200, 0, 3]) },
    text: '',
    piece: null,
  },
  {
    why: 'an element longer than the header',
    fields: { esm_class: 0x40, short_message: Buffer.from([3, 0, 200, 1]) },
    text: '',
    piece: null,
  },
])('a message: $why', ({ fields, text, piece }) => {
  expect(message(fields)).toEqual({ kind: 'message', from: '9779841000000', to: '31001', text, piece })
})

test.each([0, 3, 8])(
  'of a payload of sixteen thousand bytes no more is decoded than ten segments hold, in coding %i',
  (coding) => {
    const fields = { message_payload: Buffer.alloc(16_000, 0x41), data_coding: coding }
    const delivered = readDelivered({ esm_class: 0, ...fields }, 'gsm7', new Date())
    const length = delivered.kind === 'message' ? delivered.text.length : 0
    expect([length >= 1600, length <= 3200]).toEqual([true, true])
  },
)
