import { expect, test } from 'vitest'
import { callbackRuleOf, rowsOf } from './sms-callback-rule.ts'

const rowsBy = (body: unknown, ...rules: string[]) =>
  rowsOf(
    { fields: typeof body === 'object' && body !== null ? { ...body } : {}, body },
    rules.map((rule) => callbackRuleOf(rule) ?? { kind: 'name', name: rule }),
  )
const results = [
  { messageId: 'a', status: { groupName: 'DELIVERED' } },
  { messageId: 'b', status: { groupName: 'REJECTED' } },
]
const both = [
  ['a', 'DELIVERED'],
  ['b', 'REJECTED'],
]
const telnyx = { data: { payload: { id: 'x', to: [{ status: 'delivered' }] } } }
const mtn = { transactionId: 't', deliveryStatus: [{ status: 'DELIVERED' }, { status: 'FAILED' }] }
const nested = {
  batches: [
    { rows: [{ id: 1, st: 'x' }] },
    {
      rows: [
        { id: 2, st: 'y' },
        { id: 3, st: 'z' },
      ],
    },
  ],
}

test.each([
  { why: 'a field', body: { id: 1, st: 'x' }, rules: ['id', 'st'], rows: [[1, 'x']] },
  { why: 'a name with dots and brackets', body: { 'a.b[0]': 1, st: 'x' }, rules: ['a.b[0]', 'st'], rows: [[1, 'x']] },
  {
    why: 'a path',
    body: telnyx,
    rules: ['$.data.payload.id', '$.data.payload.to[0].status'],
    rows: [['x', 'delivered']],
  },
  {
    why: 'each item of a list',
    body: { results },
    rules: ['$.results[*].messageId', '$.results[*].status.groupName'],
    rows: both,
  },
  { why: 'a list alone', body: results, rules: ['$[*].messageId', '$[*].status.groupName'], rows: both },
  {
    why: 'one item where a list is expected',
    body: results[0],
    rules: ['$[*].messageId', '$[*].status.groupName'],
    rows: both.slice(0, 1),
  },
  {
    why: 'an id beside the list',
    body: mtn,
    rules: ['$.transactionId', '$.deliveryStatus[*].status'],
    rows: [
      ['t', 'DELIVERED'],
      ['t', 'FAILED'],
    ],
  },
  {
    why: 'a list in a list',
    body: nested,
    rules: ['$.batches[*].rows[*].id', '$.batches[*].rows[*].st'],
    rows: [
      [1, 'x'],
      [2, 'y'],
      [3, 'z'],
    ],
  },
  {
    why: 'JSON as text',
    body: { payload: JSON.stringify({ results }) },
    rules: ['$.payload.results[*].messageId', '$.payload.results[*].status.groupName'],
    rows: both,
  },
  { why: 'nothing there', body: { a: 1 }, rules: ['$.b.c', '$.a.b'], rows: [[undefined, undefined]] },
  { why: 'an empty list', body: { results: [] }, rules: ['$.results[*].id', '$.results[*].st'], rows: [] },
  {
    why: 'what every object has',
    body: {},
    rules: ['$.constructor.name', 'constructor'],
    rows: [[undefined, undefined]],
  },
])('$why', ({ body, rules, rows }) => expect(rowsBy(body, ...rules)).toEqual(rows))

test('lists multiply to a thousand rows at most, and JSON as text is read once', () => {
  const many = Array.from({ length: 600 }, (_, n) => n)
  expect(rowsBy({ a: many, b: many }, '$.a[*]', '$.b[*]')).toHaveLength(1000)
  const started = performance.now()
  expect(rowsBy({ text: JSON.stringify(many) }, '$.text[*]', '$.text[*]')).toHaveLength(600)
  expect(performance.now() - started).toBeLessThan(1000)
})

test.each(['$.', '$[', '$.a[]', '$x'])('%s is no rule', (rule) => expect(callbackRuleOf(rule)).toBeNull())
