import { expect, test } from 'vitest'
import { idRuleOf, isSuccess, messageIdIn, successRuleOf } from './sms-reply-rule.ts'

const json = '{"response_code":200,"data":[{"id":4711,"ok":true}],"status":"Queued"}'

test.each([
  { rule: '', text: 'anything', is: true, why: 'no rule: any reply that is well' },
  { rule: '$.response_code = 200', text: json, is: true, why: 'a number' },
  { rule: '$.response_code=201|200', text: json, is: true, why: 'one of several' },
  { rule: "$.status = 'queued'", text: json, is: true, why: 'a text, in other case' },
  { rule: "$['data'][0].ok = true", text: json, is: true, why: 'within a list' },
  { rule: '$.response_code = 201', text: json, is: false, why: 'another value' },
  { rule: '$.data = 1', text: json, is: false, why: 'no single value' },
  { rule: '$.constructor.name = Object', text: json, is: false, why: 'what every object has' },
  { rule: '$.response_code = 200', text: '<html>', is: false, why: 'no JSON' },
  { rule: '$.response_code = 200', text: '['.repeat(50_000), is: false, why: 'a depth without end' },
  { rule: 'OK*', text: ' ok: 12 ', is: true, why: 'the beginning' },
  { rule: '*status=0*', text: 'id=1 status=0 x', is: true, why: 'the middle' },
  { rule: 'a*b*c', text: 'a b b c', is: true, why: 'several parts' },
  { rule: 'a*a', text: 'a', is: false, why: 'no letter counts twice' },
  { rule: 'OK', text: 'OK!', is: false, why: 'the whole text' },
])('success by $rule: $why', ({ rule, text, is }) => {
  const read = successRuleOf(rule)
  expect(read && isSuccess(read, { isOk: true, text })).toBe(is)
})

test('without a rule, the HTTP status decides', () => {
  expect(isSuccess({ kind: 'status' }, { isOk: false, text: 'OK' })).toBe(false)
})

test.each([
  { rule: '', text: json, id: '' },
  { rule: '$.id', text: '{"status":"ok","id":271781022721654785}', id: '271781022721654785' },
  { rule: '$.data[0].id', text: json, id: '4711' },
  { rule: '$.data[7].id', text: json, id: '' },
  { rule: 'OK: {id}', text: 'OK: AbC12 sent', id: 'AbC12' },
  { rule: '*id={id}&*', text: 'x=1&id=77&y=2', id: '77' },
  { rule: '<id>{id}</id>', text: '<r><id> 9 </id></r>', id: '9' },
  { rule: 'id={id};', text: 'id=9', id: '' },
])('the id by $rule', ({ rule, text, id }) => {
  const read = idRuleOf(rule)
  expect(read && messageIdIn(read, text)).toBe(id)
})

test.each(['$', '$.', '$..a = 1', '$x = 1', '$.a[ = 1', '$.a'])('%s is not a rule for success', (rule) =>
  expect(successRuleOf(rule)).toBeNull(),
)
test.each(['OK', '$.', '$[', '$.a[]'])('%s is not a rule for an id', (rule) => expect(idRuleOf(rule)).toBeNull())
