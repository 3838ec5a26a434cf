import { ownValue } from './own-values.ts'
import { every, jsonIn, jsonPathOf, openedText, partAt, type JsonPath } from './sms-reply-rule.ts'

/**
 * Where a callback has a value, in the operator's notation:
 *
 *     msgid                    a parameter of the query, a field of a form, or a field of JSON
 *     $.data.message.id        a JSON path, which also goes into JSON as text
 *     $.results[*].id          the same for every item of a list; where it is no list, for the one there is
 *
 * Paths of one callback that go into the same list go into the same item of it.
 */
export type CallbackRule = { kind: 'name'; name: string } | { kind: 'path'; path: JsonPath }

/** Null: it begins like a path and is none. */
export function callbackRuleOf(rule: string): CallbackRule | null {
  const text = rule.trim()
  if (!text.startsWith('$')) return { kind: 'name', name: text }
  const path = jsonPathOf(text)
  return path && { kind: 'path', path }
}

export type CallbackContent = {
  /** Parameters of the query and of a form, or fields of JSON: what rules without a path name. */
  fields: Readonly<Record<string, unknown>>
  /** What paths go into: JSON, or a form with its lists. */
  body: unknown
}

/** More receipts in one callback are not read. */
const rowsMax = 1000

/** The values of these rules, once for each item of the lists that they go into. Undefined where there is none. */
export function rowsOf({ fields, body }: CallbackContent, rules: readonly CallbackRule[]): unknown[][] {
  const parsed = new Map<string, unknown>()
  const parse = (text: string): unknown => {
    if (!parsed.has(text)) parsed.set(text, jsonIn(text))
    return parsed.get(text)
  }
  const read = (path: JsonPath): unknown => partAt(body, path, parse)
  const paths = rules.map((rule): JsonPath => (rule.kind === 'path' ? rule.path : []))
  return itemsOf((path) => openedText(read(path), parse), paths).map((row) =>
    rules.map((rule, n) => (rule.kind === 'path' ? read(row[n] ?? []) : ownValue(fields, rule.name))),
  )
}

/** The paths with an index for each `[*]`. */
function itemsOf(listAt: (path: JsonPath) => unknown, paths: readonly JsonPath[]): JsonPath[][] {
  const rows: JsonPath[][] = []
  const waiting: JsonPath[][] = [[...paths]]
  for (let row = waiting.pop(); row && rows.length < rowsMax; row = waiting.pop()) {
    const list = row.find((path) => path.includes(every))
    if (list) {
      const before = list.slice(0, list.indexOf(every))
      for (const step of stepsInto(listAt(before)).toReversed())
        waiting.push(row.map((path) => withStep(path, before, step)))
    } else rows.push(row)
  }
  return rows
}

function stepsInto(list: unknown): number[][] {
  return Array.isArray(list) ? list.slice(0, rowsMax).map((_item, index) => [index]) : [[]]
}

function withStep(path: JsonPath, before: JsonPath, step: readonly number[]): JsonPath {
  const isThere = path[before.length] === every && before.every((part, n) => path[n] === part)
  return isThere ? [...before, ...step, ...path.slice(before.length + 1)] : path
}
