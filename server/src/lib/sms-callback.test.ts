import { expect, test } from 'vitest'
import { contentOf, incomingIn, receiptsIn } from './sms-callback.ts'

const now = new Date('2026-11-23T09:00:00Z')
const names = {
  id: 'msgid',
  status: 'st',
  delivered: ['DELIVRD', '1'],
  failed: ['UNDELIV', 'EXPIRED', '2'],
  pending: ['8'],
}
const flat = (fields: Record<string, unknown>) => ({ fields, body: fields })

test.each([
  { parameters: { msgid: 'A1', st: 'delivrd' }, is: { id: 'A1', state: 'delivered', reason: null } },
  { parameters: { msgid: 77, st: 1 }, is: { id: '77', state: 'delivered' } },
  { parameters: { msgid: 'A1', st: 'UNDELIV' }, is: { state: 'failed', reason: expect.stringContaining('UNDELIV') } },
  { parameters: { msgid: 'A1', st: 'EXPIRED' }, is: { state: 'expired' } },
  { parameters: { msgid: 'A1', st: '8' }, is: { state: 'accepted' } },
  { parameters: { msgid: 'A1', st: 'Delivered' }, is: { state: 'delivered' } }, // in no list, so by the table
  { parameters: { msgid: 'A1', st: 'UNKNOWN' }, is: { state: 'accepted' } },
])('a receipt: $parameters', ({ parameters, is }) =>
  expect(receiptsIn(names, flat(parameters), now)).toMatchObject({ receipts: [is], unread: [] }),
)

test.each([{}, { msgid: 'A1' }, { st: '1' }, { msgid: ['A1'], st: '1' }])('no receipt: %j', (parameters) =>
  expect(receiptsIn(names, flat(parameters), now)).toEqual({ receipts: [], unread: [] }),
)

test('a status that nobody knows, and an id that is too long, are told', () => {
  const read = receiptsIn(
    { ...names, id: '$[*].msgid', status: '$[*].st' },
    {
      fields: {},
      body: [
        { msgid: 'A1', st: '1' },
        { msgid: 'A2', st: 'on its way' },
        { msgid: 'x'.repeat(101), st: '1' },
      ],
    },
    now,
  )
  expect(read.receipts.map(({ id }) => id)).toEqual(['A1'])
  expect(read.unread).toEqual(['$[*].msgid: A2, $[*].st: on its way', `$[*].msgid: ${'x'.repeat(100)}, $[*].st: 1`])
})

test('what every object has is no parameter', () => {
  expect(receiptsIn({ ...names, id: 'constructor' }, flat({ st: '1' }), now).receipts).toEqual([])
})

const results = [
  { id: 'a', st: '1' },
  { id: 'b', st: '2' },
]
const inJson = JSON.stringify({ results })
test.each([
  { why: 'JSON', body: inJson, isForm: false, is: { results } },
  { why: 'JSON that is called a form', body: inJson, isForm: true, is: { results } },
  { why: 'JSON after a mark of its order and blanks', body: `\ufeff \n${inJson}`, isForm: false, is: { results } },
  { why: 'percent-encoded JSON', body: encodeURIComponent(inJson), isForm: true, is: { results } },
  { why: 'a list', body: JSON.stringify(results), isForm: false, is: results },
  { why: 'a form', body: 'a=1&b=%E0%A4%95+x', isForm: true, is: { a: '1', b: 'क x' } },
  { why: 'a form that is called something else', body: 'a=1&b=2', isForm: false, is: { a: '1', b: '2' } },
  {
    why: 'a form with lists',
    body: 'results[0][id]=a&results[0][st]=1&results[1][id]=b&results[1][st]=2',
    isForm: true,
    is: { results },
  },
  { why: 'a form with a list without numbers', body: 'id[]=a&id[]=b', isForm: true, is: { id: ['a', 'b'] } },
  { why: 'a form that begins like JSON', body: '{a=1', isForm: true, is: { '{a': '1' } },
  { why: 'a name that is both a value and fields', body: 'a=1&a[b]=2', isForm: true, is: { a: '1' } },
  { why: 'nothing', body: ' ', isForm: false, is: { q: 'x' } },
])('a body: $why', ({ body, isForm, is }) => {
  const content = contentOf({ q: 'x' }, body, isForm)
  expect(content).toMatchObject({ body: is })
  if ('fields' in content) expect(content.fields['q']).toBe('x')
})

test.each([
  { why: 'half of JSON', body: '{"a":', fault: 'is not JSON' },
  { why: 'words', body: 'delivered', fault: 'is not JSON' },
  { why: 'too deep', body: `${'['.repeat(30_000)}${']'.repeat(30_000)}`, fault: /levels/ },
  { why: 'too many fields', body: `[${'1,'.repeat(5000)}1]`, fault: /2048/ },
  { why: 'a form of too many fields', body: 'a[]=1&'.repeat(5000), fault: /2048/ },
])('what cannot be read: $why', ({ body, fault }) =>
  expect(contentOf({}, body, false)).toEqual({
    fault: typeof fault === 'string' ? fault : expect.stringMatching(fault),
  }),
)

const incoming = { from: 'sender', to: 'to', text: 'text' }
test('a repeated message has the same key, and a later one another', () => {
  const stop = flat({ sender: '+9779841000000', to: '31001', text: ' STOP ' })
  const [read] = incomingIn(incoming, stop, now)
  expect(read).toMatchObject({ from: '9779841000000', to: '31001', text: 'STOP', part: null })
  expect(incomingIn(incoming, stop, new Date(now.getTime() + 60_000))[0]?.key).toBe(read?.key)
  expect(incomingIn(incoming, stop, new Date(now.getTime() + 3_600_000))[0]?.key).not.toBe(read?.key)
})

test.each([{ sender: '1' }, { text: 'x' }, { sender: {}, text: 'x' }])('no message: %j', (parameters) =>
  expect(incomingIn(incoming, flat(parameters), now)).toEqual([]),
)
