/**
 * How a gateway's reply over HTTP is read, as the operator wrote it down. A rule for success is one of
 *
 *     (nothing)                          any reply with a status of 200 to 299
 *     $.response_code = 200              a place in JSON and the values that it may have, divided by |, * standing for anything
 *     OK*                                the whole text, * standing for anything
 *
 * and a rule for the message's id
 *
 *     (nothing)                          there is none
 *     $.data[0].id                       a place in JSON
 *     OK: {id},*                         the text, with {id} where the id stands
 *
 * Texts are compared without case. All of it takes time in proportion to the reply.
 */
type JsonPath = readonly (string | number)[]
export type SuccessRule =
  | { kind: 'status' }
  | { kind: 'json'; path: JsonPath; values: readonly (readonly string[])[] }
  | { kind: 'text'; pattern: readonly string[] }
export type IdRule =
  | { kind: 'none' }
  | { kind: 'json'; path: JsonPath }
  | { kind: 'text'; before: string; after: string }

/** Null: it is no rule. */
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

/** Null: it is no rule. */
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

/** `$`, then `.name`, `[0]` or `['name']`, at most twenty of them. */
function jsonPathOf(text: string): JsonPath | null {
  const path: (string | number)[] = []
  let at = 1
  while (at < text.length) {
    const isName = text[at] === '.'
    const end = isName ? nextOf(text, at + 1) : text.indexOf(']', at) + 1
    const step = isName ? text.slice(at + 1, end) : text.slice(at + 1, end - 1)
    if ((!isName && text[at] !== '[') || end <= at || step === '' || path.length === 20) return null
    path.push(!isName && /^\d{1,6}$/.test(step) ? Number(step) : unquoted(step))
    at = end
  }
  return text.startsWith('$') ? path : null
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

/** '' where there is none. */
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

/** Parts that stand one after the other, the first at the beginning and the last at the end. */
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

/** What stands there as text: of a string, a number, true or false; else null. */
function valueAt(text: string, path: JsonPath): string | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null
    value = (value as Record<string | number, unknown>)[step]
  }
  return typeof value === 'object' || value === undefined ? null : String(value)
}
