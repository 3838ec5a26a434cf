import { gatewayJson } from './gateway-json.ts'
import { ownValue } from './own-values.ts'
import { plainWords } from './sms-inbox.ts'

/**
 * How to read a gateway's HTTP reply, in the operator's notation. A rule for success is one of
 *
 *     (empty)                            any reply with a status of 200 to 299
 *     $.response_code = 200              a JSON path and its accepted values, separated by |, with * as a wildcard
 *     OK*                                the whole text, with * as a wildcard
 *
 * and a rule for the message's id one of
 *
 *     (empty)                            there is none
 *     $.data[0].id                       a JSON path; `[*]` is the first item of a list
 *     OK: {id},*                         the text, with {id} in place of the id
 *
 * Comparisons ignore case. Evaluation takes time linear in the reply.
 */
/** `every`: `[*]`. */
export type JsonPath = readonly (string | number | typeof every)[]
export const every = Symbol('every item')
export type SuccessRule =
  | { kind: 'status' }
  | { kind: 'json'; path: JsonPath; values: readonly (readonly string[])[] }
  | { kind: 'text'; pattern: readonly string[] }
export type IdRule =
  | { kind: 'none' }
  | { kind: 'json'; path: JsonPath }
  | { kind: 'text'; before: string; after: string }

export function successRuleOf(rule: string): SuccessRule | null {
  const text = rule.trim()
  if (text === '') return { kind: 'status' }
  if (!text.startsWith('$')) return { kind: 'text', pattern: text.toLowerCase().split('*') }
  const at = text.indexOf('=')
  const path = jsonPathOf(text.slice(0, at).trim())
  if (at < 0 || !path) return null
  const values = text.slice(at + 1).split('|')
  return { kind: 'json', path, values: values.map((value) => unquoted(value.trim()).toLowerCase().split('*')) }
}

export function idRuleOf(rule: string): IdRule | null {
  const text = rule.trim()
  if (text === '') return { kind: 'none' }
  if (text.startsWith('$')) {
    const path = jsonPathOf(text)
    return path && { kind: 'json', path }
  }
  const at = text.indexOf('{id}')
  if (at < 0) return null
  const [before, after] = [text.slice(0, at), text.slice(at + '{id}'.length)]
  const last = before.slice(before.lastIndexOf('*') + 1)
  return { kind: 'text', before: last.toLowerCase(), after: (after.split('*')[0] ?? '').toLowerCase() }
}

/** `$`, then at most twenty of `.name`, `[0]`, `['name']` or `[*]`. */
export function jsonPathOf(text: string): JsonPath | null {
  const path: JsonPath[number][] = []
  let at = 1
  while (at < text.length) {
    const isName = text[at] === '.'
    const end = isName ? nextOf(text, at + 1) : text.indexOf(']', at) + 1
    const step = isName ? text.slice(at + 1, end) : text.slice(at + 1, end - 1)
    if ((!isName && text[at] !== '[') || end <= at || step === '' || path.length === 20) return null
    path.push(isName ? step : indexOf(step))
    at = end
  }
  return text.startsWith('$') ? path : null
}

function indexOf(step: string): JsonPath[number] {
  if (step === '*') return every
  return /^\d{1,6}$/.test(step) ? Number(step) : unquoted(step)
}

function nextOf(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '.' && text[at] !== '[') at += 1
  return at
}

function unquoted(text: string): string {
  const quote = text[0]
  const isQuoted = text.length >= 2 && (quote === "'" || quote === '"') && text.endsWith(quote)
  return isQuoted ? text.slice(1, -1) : text
}

/** `isOk`: the status was 200 to 299. */
export function isSuccess(rule: SuccessRule, reply: { isOk: boolean; text: string }): boolean {
  if (rule.kind === 'status') return reply.isOk
  if (rule.kind === 'text') return matches(rule.pattern, reply.text.trim().toLowerCase())
  const value = valueAt(reply.text, rule.path)
  return value !== null && rule.values.some((pattern) => matches(pattern, value.toLowerCase()))
}

export function messageIdIn(rule: IdRule, text: string): string {
  if (rule.kind === 'none') return ''
  if (rule.kind === 'json') return valueAt(text, rule.path) ?? ''
  const lower = text.trim().toLowerCase()
  const found = lower.indexOf(rule.before)
  if (found < 0) return ''
  const from = found + rule.before.length
  const end = rule.after === '' ? endOfWord(lower, from) : lower.indexOf(rule.after, from)
  return end < 0 ? '' : text.trim().slice(from, end).trim()
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !/[\s,;"'<>]/.test(text.charAt(at))) at += 1
  return at
}

/** The parts occur in order, the first at the start and the last at the end. */
function matches(parts: readonly string[], text: string): boolean {
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

/** A string, number or boolean as text; null for anything else. */
function valueAt(text: string, path: JsonPath): string | null {
  const read = gatewayJson(text)
  const value = 'value' in read ? partAt(read.value, path) : undefined
  return typeof value === 'object' || value === undefined ? null : String(value)
}

/** Undefined where there is none. `[*]` is the first item here. A text that is JSON itself is read where the path goes into it. */
export function partAt(whole: unknown, path: JsonPath, parse = jsonIn): unknown {
  let value = whole
  for (const step of path) {
    value = openedText(value, parse)
    if (typeof value !== 'object' || value === null) return undefined
    value = ownValue(value as Readonly<Record<string, unknown>>, step === every ? '0' : String(step))
  }
  return value
}

/** A text that is JSON as what it holds; anything else as it is. */
export function openedText(value: unknown, parse = jsonIn): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? parse(value) : value
}

/** Null when it is no JSON. */
export function jsonIn(text: string): unknown {
  const read = gatewayJson(text)
  return 'value' in read ? read.value : null
}

/**
 * How people who want no more messages say so, apart from the words in the settings. `asks` is an opt-out alone or between words of `around`, so that
 * 'please stop' is one and 'bus stop' is not. A text that begins with a word of the settings is one, too, unless it is a question or goes on with a word
 * of `talk`: 'STOP 12345', but not 'stop by at five'.
 */
export const optOutRule = {
  asks: listed(
    'stop, stop all, unsubscribe, unsubscribe me, unsubcribe, unsub, opt out, optout, opt me out, quit, revoke',
    'remove, remove me, remove my number, remove me from list, remove me from your list, remove my number from your list',
    'delete me, delete my number, take me off, take me off your list, dnd, do not disturb, leave me alone',
    'no more, do not send, dont send, don t send, do not call, dont call, don t call',
    'do not text, dont text, don t text, do not message, dont message, don t message',
    'band, banda, band gara, banda gara, band garnus, banda garnus, band garnuhos, banda garnuhos',
    'roka, rokna, roknus, roknuhos, rokidinus, rokidinuhos, radda, radda garnus, radda garnuhos',
    'band garnuhola, banda garnuhola, band garidinus, banda garidinus, band garidinuhos, banda garidinuhos, roknuhola',
    'napathau, na pathau, napathaunus, na pathaunus, napathaunuhos, na pathaunuhos, napathaunu, na pathaunu',
    'napathaunuhola, na pathaunuhola, napathaidinus, napathaidinuhos, napathaidinuhola',
    'sms nagarnus, sms nagarnuhos, message nagarnu, message nagarnus, message nagarnuhos, message nagarnuhola',
    'call nagarnu, call nagarnus, call nagarnuhos, call nagarnuhola, phone nagarnu, phone nagarnus, phone nagarnuhos',
    'phone nagarnuhola, mero number hatau, mero number hataunus, mero number hataunuhos, mero number hataidinus',
    'sms chaidaina, sms chahidaina, message chaidaina, message chahidaina, pathaunu pardaina, pathaunu parena',
    'स्टप, स्टोप, सन्देश चाहिँदैन, मेसेज चाहिँदैन, म्यासेज चाहिँदैन, पठाउनु पर्दैन, पठाउनुपर्दैन',
    'बन्द, बन्द गर, बन्द गर्नु, बन्द गर्नुस्, बन्द गर्नुहोस्, बन्द गर्नुहोला, बन्द गरिदिनुस्, बन्द गरिदिनुहोस्',
    'बन्द गरिदिनुहोला',
    'रोक, रोक्नु, रोक्नुस्, रोक्नुहोस्, रोक्नुहोला, रोकिदिनुस्, रोकिदिनुहोस्, रोकिदिनुहोला',
    'नपठाऊ, नपठाउ, नपठाउनु, नपठाउनुस्, नपठाउनुहोस्, नपठाउनुहोला, नपठाइदिनुस्, नपठाइदिनुहोस्',
    'नपठाइदिनुहोला, मेसेज नगर्नुस्, मेसेज नगर्नुहोस्, मेसेज नगर्नुहोला, म्यासेज नगर्नुस्, म्यासेज नगर्नुहोस्',
    'फोन नगर्नुस्, फोन नगर्नुहोस्, फोन नगर्नुहोला, कल नगर्नुस्, कल नगर्नुहोस्, कल नगर्नुहोला',
    'मेरो नम्बर हटाउनुस्, मेरो नम्बर हटाउनुहोस्, मेरो नम्बर हटाउनुहोला, मेरो नम्बर हटाइदिनुस्, मेरो नम्बर हटाइदिनुहोस्',
    'रद्द, रद्द गर, रद्द गर्नुस्, रद्द गर्नुहोस्, रद्द गरिदिनुहोस्',
  ),
  around: listed(
    'please, pls, plz, kindly, now, hello, hi, ok, okay, thanks, thank, you, sir, madam',
    'it, this, these, all, to, me, my, us, any, more, again, sending, texting, messaging, calling',
    'sms, text, texts, message, messages, msg, msgs, ads, spam, call, calls, offers, alerts, updates',
    'reminder, reminders, notification, notifications',
    'kripaya, hajur, namaste, dai, didi, malai, yo, aba, dekhi, pheri, pathauna, na, hai, la',
    'कृपया, कृप्या, हजुर, नमस्ते, नमस्कार, सर, म्याडम, दाइ, दिदी, धन्यवाद, न, है, ल, प्लिज',
    'मलाई, यो, यी, यस्तो, यस्ता, अब, अबदेखि, अबबाट, फेरि, पठाउन, आउन, यहाँबाट',
    'सन्देश, सन्देशहरू, मेसेज, म्यासेज, मेसेजहरू, एसएमएस, विज्ञापन',
  ),
  talk: listed(
    'at, by, in, on, over, loss, watch, order, payment, cheque, is, was, has, baja, party',
    'cha, chha, chaina, ho, hoina, bhayo, thiyo, huncha, kahile, kina, kati, ke, kaha',
    'छ, छन्, छैन, हो, होइन, भयो, भएको, थियो, हुन्छ, हुँदैन, कहिले, किन, कति, के, कहाँ, कुन, को',
  ),
}

/** Lines of words with commas between them. */
function listed(...lines: string[]): readonly string[] {
  return lines.flatMap((line) => line.split(', '))
}

const asks: ReadonlySet<string> = new Set(optOutRule.asks.map(comparable))
const around: ReadonlySet<string> = new Set(optOutRule.around.map(comparable))
const talk: ReadonlySet<string> = new Set(optOutRule.talk.map(comparable))
/** More words than anybody needs for it. */
const optOutWordsMax = 16

/** Many people leave out the sign at the end of 'रोक्नुहोस्', or write it as two words. */
function comparable(words: string): string {
  return plainWords(words)
    .replaceAll(/\u094d(?= |$)/g, '')
    .replaceAll(/(?<=नु|nu) (?=होस|होला|hos|hola)/g, '')
}

export function isOptOut(text: string): boolean {
  const words = comparable(text).split(' ')
  if (words.length > optOutWordsMax) return false
  for (let from = 0; from < words.length; from += 1) {
    for (let to = words.length; to > from; to -= 1) {
      if (asks.has(words.slice(from, to).join(' '))) return true
      if (!around.has(words[to - 1] ?? '')) break
    }
    if (!around.has(words[from] ?? '')) return false
  }
  return false
}

/** Whether a text that begins with the word of an opt-out only talks of it. `rest` follows the word. */
export function isTalk(text: string, rest: string): boolean {
  const [next = ''] = comparable(rest).split(' ', 1)
  return text.includes('?') || talk.has(next)
}
