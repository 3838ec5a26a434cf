import type * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import type { Route } from './route.ts'
import { ListQuery } from './route.ts'
import { routes } from './routes.ts'
import { oneLine, severalLines } from './values.ts'

/** Fields whose text has several lines, by name. */
const multiLine = new Set([
  'reason',
  'note',
  'address',
  'smsText',
  'smsSuccessText',
  'smsFailText',
  'smsDtmfTexts',
  'contactList',
  'confirmText',
  'helpText',
  'body',
  'recordingNotice.speak: text',
  'sends.create: text',
])
/** A postal address elsewhere, one line here. */
const mailAddresses = new Set(['summaryMails.addAddress: address'])
/** Neither stored nor shown as it came: passwords that are only compared. */
const checkedElsewhere = new Set([
  'auth.login: password',
  'sessions.changePassword: current',
  'factors.prove: password',
])

type Def = { type: string; checks?: unknown[] } & Record<string, unknown>
type Leaf = { where: string; field: string; checks: readonly unknown[] }
const defOf = (schema: unknown) => (schema as { _zod: { def: Def } })._zod.def

function leavesOf(schema: unknown, where: string, field = ''): Leaf[] {
  const def = defOf(schema)
  const into = (inner: unknown, name = field) => leavesOf(inner, where, name)
  switch (def.type) {
    case 'string':
      return [{ where, field, checks: def.checks ?? [] }]
    case 'object':
      return Object.entries(def['shape'] as Record<string, unknown>).flatMap(([name, inner]) => into(inner, name))
    case 'optional':
    case 'nullable':
    case 'default':
      return into(def['innerType'])
    case 'array':
      return into(def['element'])
    case 'record':
      return [...into(def['keyType']), ...into(def['valueType'])]
    case 'union':
      return (def['options'] as unknown[]).flatMap((option) => into(option))
    case 'pipe':
      return [...into(def['in']), ...into(def['out'])]
    case 'number':
    case 'int':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'transform':
    case 'never':
    case 'unknown': // a claim that nobody reads
      return []
    default:
      throw new Error(`${where} has a field of type ${def.type}: say here whether it holds text`)
  }
}

const leaves = [
  ...Object.entries(routes).flatMap(([area, ofArea]) =>
    Object.entries(ofArea).flatMap(([name, { input }]: [string, Route]) => leavesOf(input, `${area}.${name}`)),
  ),
  ...leavesOf(ListQuery, 'lists'),
]

test('every text that a route takes passes the same one-line check, except reasons, notes and addresses', () => {
  expect(leaves.length).toBeGreaterThan(150)
  const loose = leaves
    .filter(({ where, field }) => !checkedElsewhere.has(`${where}: ${field}`))
    .filter(({ where, field, checks }) => {
      const named = `${where}: ${field}`
      const several = !mailAddresses.has(named) && (multiLine.has(field) || multiLine.has(named))
      return !checks.includes(several ? severalLines : oneLine)
    })
    .map(({ where, field }) => `${where}: ${field}`)
  expect(loose).toEqual([])
})

describe('of a text', () => {
  const takes = (check: z.core.$ZodCheck<string>, text: string) => {
    const payload: { value: string; issues: unknown[] } = { value: text, issues: [] }
    void (check._zod.check as (payload: unknown) => void)(payload)
    return payload.issues.length === 0
  }
  test.each([
    ['a line break', 'a\nb', false, true],
    ['a mail’s line break', 'a\r\nBcc: b@example.com', false, true],
    ['a tab', 'a\tb', false, true],
    ['a NUL', 'a\u0000b', false, false],
    ['an escape character', 'a\u001b[2Jb', false, false],
    ['a C1 control', 'a\u0085b', false, false],
    ['a line separator', 'a\u2028b', false, true],
    ['a paragraph separator', 'a\u2029b', false, true],
    ['a mark that turns the direction', 'exe.\u202egpj', false, false],
    ['an isolate', 'a\u2066b', false, false],
    ['half a surrogate pair', 'a\ud800b', false, false],
    ['a joiner, which Nepali needs', 'र्\u200dय', true, true],
    ['an elephant', '\u{1f418}', true, true],
  ])('%s', (_, text, inOneLine, inSeveral) => {
    expect([takes(oneLine, text), takes(severalLines, text)]).toEqual([inOneLine, inSeveral])
  })
})
