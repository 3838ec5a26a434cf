import { gatewayJson } from './gateway-json.ts'
import { ownValue } from './own-values.ts'

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
