import { expect, test } from 'vitest'
import { idRuleOf, isOptOut, isSuccess, isTalk, messageIdIn, optOutRule, successRuleOf } from './sms-reply-rule.ts'

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

const listed = (...lines: string[]): string[] => lines.flatMap((line) => line.split(', '))

test.each(
  listed(
    'please stop, stop please, Please STOP!, stop it, Stop. Thank you, ok stop, pls stop sending me messages',
    'please unsubscribe, opt-out, Remove me please, Don’t send me any more messages, do not text me again, no more sms',
    'रोक्नुहोस्, रोक्नुहोस, कृपया रोक्नुहोस्।, नपठाउनुहोस्, मलाई सन्देश नपठाउनुहोस्, अब मेसेज नपठाउनुस् है, बन्द',
    'बन्द गर्नुहोस्, सन्देश पठाउन बन्द गर्नुहोस्, रद्द गर्नुहोस्, kripaya banda garnuhos, malai sms napathaunus, Roknuhos',
    'नपठाउनु होस्, रोक्नु होस्, बन्द गर्नु होला, कृपया सन्देश नपठाइदिनु होला, बन्द गरिदिनुहोला, मेसेज नगर्नुहोस्, स्टप',
    'फोन नगर्नुहोस्, मलाई कल नगर्नु होस्, मेरो नम्बर हटाइदिनुहोस्, कृपया मेरो नम्बर हटाउनु होस्',
    'sms na pathaunu hola, malai message na pathaunu, yo sms band garnu hola, band garidinus, mero number hataunus',
    'malai phone nagarnus, call nagarnu hola, stop calling me, please don’t call me, do not call, remove, delete me',
    'please stop sending text reminders, stop notifications, take me off your list, Remove me from your list, optout, DND',
    'unsubcribe, do not disturb, aba dekhi na pathaunu, sms pathaunu pardaina, मलाई सन्देश चाहिँदैन',
  ),
)('an opt-out: %s', (text) => expect(isOptOut(text)).toBe(true))

test.each(
  listed(
    'bus stop, non-stop, don’t stop, please do not stop, Where is the bus stop please, stop loss at 250, unstoppable',
    'please call me, thank you, ok, please, send me messages, no, who can stop this, I will stop by tomorrow, ',
    'नेपाल बन्द, भोलि बन्द छ, पसल बन्द छ, बन्द कहिले हो, मेरो अर्डर रद्द गर्नुहोस्, अर्डर रद्द भयो, पैसा नपठाउनुहोस्',
    'सन्देश पठाउनुहोस्, रोकिएको छ, बाटो रोक्नुहोस् भनेर, banda kahile khulcha, band baja',
    'आज फोन नगर्नुहोस्, भोलि कल गर्नुहोस्, फोन गर्नु होस्, पैसा नपठाउनु होस्, aaja phone nagarnus, call me, number hatyo',
    'मलाई ऋण चाहिँदैन, chaidaina, paisa pathaunu pardaina, don’t stop calling, remove the old bill, delete my order, is this your number',
    'Count me in! We have got to STOP this terrible bill from passing!!',
  ),
)('no opt-out: %s', (text) => expect(isOptOut(text)).toBe(false))

test.each([
  ['stop by at five', ' by at five', true],
  ['बन्द छ', ' छ', true],
  ['band 7 score?', ' 7 score?', true],
  ['STOP 12345', ' 12345', false],
  ['STOP sending me this', ' sending me this', false],
])('%s is talk: %j', (text, rest, is) => expect(isTalk(text, rest)).toBe(is))

test('neither nothing nor a long text is an opt-out', () => {
  expect(['', '?', 'stop '.repeat(20)].map(isOptOut)).toEqual([false, false, false])
})

test('no word of an opt-out stands around one or is talk', () => {
  const [asks, around] = [new Set<string>(optOutRule.asks), new Set<string>(optOutRule.around)]
  expect([...around, ...optOutRule.talk].filter((word) => asks.has(word))).toEqual([])
})
