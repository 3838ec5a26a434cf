import { expect, test } from 'vitest'
import { incomingIn, receiptIn } from './sms-callback.ts'

const now = new Date('2026-11-23T09:00:00Z')
const names = { id: 'msgid', status: 'st', delivered: ['DELIVRD', '1'], failed: ['UNDELIV', 'EXPIRED', '2'] }

test.each([
  { parameters: { msgid: 'A1', st: 'delivrd' }, is: { id: 'A1', state: 'delivered', reason: null } },
  { parameters: { msgid: 77, st: 1 }, is: { id: '77', state: 'delivered' } },
  { parameters: { msgid: 'A1', st: 'UNDELIV' }, is: { state: 'failed', reason: expect.stringContaining('UNDELIV') } },
  { parameters: { msgid: 'A1', st: 'EXPIRED' }, is: { state: 'expired' } },
  { parameters: { msgid: 'A1', st: 'on its way' }, is: { state: 'accepted' } },
])('a receipt: $parameters', ({ parameters, is }) => expect(receiptIn(names, parameters, now)).toMatchObject(is))

test.each([{}, { msgid: 'A1' }, { st: '1' }, { msgid: ['A1'], st: '1' }, { msgid: 'x'.repeat(101), st: '1' }])(
  'no receipt: %j',
  (parameters) => expect(receiptIn(names, parameters, now)).toBeNull(),
)

test('what every object has is no parameter', () => {
  expect(receiptIn({ ...names, id: 'constructor' }, { st: '1' }, now)).toBeNull()
})

const incoming = { from: 'sender', to: 'to', text: 'text' }
test('a repeated message has the same key, and a later one another', () => {
  const stop = { sender: '+9779841000000', to: '31001', text: ' STOP ' }
  const read = incomingIn(incoming, stop, now)
  expect(read).toMatchObject({ from: '9779841000000', to: '31001', text: 'STOP', part: null })
  expect(incomingIn(incoming, stop, new Date(now.getTime() + 60_000))?.key).toBe(read?.key)
  expect(incomingIn(incoming, stop, new Date(now.getTime() + 3_600_000))?.key).not.toBe(read?.key)
})

test.each([{ sender: '1' }, { text: 'x' }, { sender: {}, text: 'x' }])('no message: %j', (parameters) =>
  expect(incomingIn(incoming, parameters, now)).toBeNull(),
)
