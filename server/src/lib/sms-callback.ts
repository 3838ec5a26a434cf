/** Reads what HTTP gateways report by callback: receipts, or messages. The operator says where their values are. Nothing is stored here. */
import { createHash } from 'node:crypto'
import { gatewayJson } from '@ghanti/contract/gateway-json.ts'
import { ownValue, setOwnValue } from '@ghanti/contract/own-values.ts'
import { callbackRuleOf, rowsOf, type CallbackContent } from '@ghanti/contract/sms-callback-rule.ts'
import type { IncomingMessage, Receipt } from '../drivers/sms/driver.ts'
import { stateOfWord } from './receipt-states.ts'

/** `id` and `status` are rules (contract/src/sms-callback-rule.ts). */
export type ReceiptNames = {
  id: string
  status: string
  /** Values of `status`, compared without case. What is in no list is read by the table of states. */
  delivered: readonly string[]
  failed: readonly string[]
  /** Not final. */
  pending: readonly string[]
}
export type IncomingNames = { from: string; to: string; text: string }

const idMax = 100
const textMax = 10_000
/** As many fields as JSON may have here. */
const formMax = 2048
/** The same text from the same person within this time counts as the same message, reported again. */
const sameMs = 600_000

/**
 * The content of a body, whatever its type is called: gateways send JSON as text/plain or as a form, and forms as JSON. `fault`: why it cannot be
 * read, as the end of a sentence.
 */
export function contentOf(
  query: Readonly<Record<string, unknown>>,
  body: string,
  isForm: boolean,
): CallbackContent | { fault: string } {
  const text = body.trim()
  if (text === '') return { fields: query, body: query }
  const looksLikeJson = /^[[{"]/.test(text)
  const read = looksLikeJson || !(isForm || text.includes('=')) ? gatewayJson(text) : null
  if (read && 'value' in read) return { fields: { ...query, ...fieldsOf(read.value) }, body: read.value }
  if (read && !isForm) return read
  const form = [...new URLSearchParams(text)]
  if (form.length > formMax) return { fault: `has more than ${formMax} fields` }
  const [[name = '', value = ''] = []] = form
  if (form.length === 1 && value === '' && name.startsWith('{')) return contentOf(query, name, false) // JSON, percent-encoded
  return { fields: { ...query, ...ownFields(form) }, body: nestedIn(form) }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function ownFields(form: readonly (readonly [string, string])[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) setOwnValue(fields, name, value)
  return fields
}

type Nested = { [name: string]: string | Nested }
const levelsMax = 16

/** `results[0][id]=1` as fields in fields. An index is a name like any other, and `[]` is the next one. */
function nestedIn(form: readonly (readonly [string, string])[]): unknown {
  const whole: Nested = {}
  for (const [name, value] of form) {
    const steps = name.split('[').map((step, n) => (n === 0 ? step : step.replace(/\]$/, '')))
    if (steps.length > levelsMax) continue
    let at = whole
    for (const [n, step] of steps.entries()) {
      const key = step === '' && n > 0 ? String(Object.keys(at).length) : step
      const next = n === steps.length - 1 ? value : (ownValue(at, key) ?? {})
      setOwnValue(at, key, next)
      if (typeof next === 'string') break
      at = next
    }
  }
  return listsIn(whole, 0)
}

/** Fields that are numbered from 0 become a list. */
function listsIn(value: string | Nested, level: number): unknown {
  if (typeof value === 'string' || level > levelsMax) return value
  const entries = Object.entries(value).map(([name, part]) => [name, listsIn(part, level + 1)] as const)
  if (entries.length > 0 && entries.every(([name], n) => name === String(n))) return entries.map(([, part]) => part)
  return ownFields(entries as [string, string][])
}

/** A callback's receipts; `unread`: those that have an id or a status that nobody understands, for people to see. */
export function receiptsIn(
  names: ReceiptNames,
  content: CallbackContent,
  now: Date,
): { receipts: Receipt[]; unread: string[] } {
  const receipts: Receipt[] = []
  const unread: string[] = []
  for (const [id = '', status = ''] of textsIn(content, [names.id, names.status])) {
    if (id === '' || status === '') continue
    const is = id.length > idMax || status.length > idMax ? null : meaningOf(names, status)
    if (is) receipts.push({ id, ...is, at: now })
    else unread.push(`${names.id}: ${id.slice(0, idMax)}, ${names.status}: ${status.slice(0, idMax)}`)
  }
  return { receipts, unread }
}

function meaningOf(names: ReceiptNames, status: string): Pick<Receipt, 'state' | 'reason'> | null {
  const said = (values: readonly string[]): boolean => values.some((one) => one.toLowerCase() === status.toLowerCase())
  if (said(names.delivered)) return { state: 'delivered', reason: null }
  if (said(names.pending)) return { state: 'accepted', reason: null }
  if (!said(names.failed)) return stateOfWord(status) ?? null
  const state = status.toLowerCase().includes('expire') ? 'expired' : 'failed'
  return { state, reason: `the gateway says: ${status}` }
}

export function incomingIn(names: IncomingNames, content: CallbackContent, now: Date): IncomingMessage[] {
  return textsIn(content, [names.from, names.to, names.text]).flatMap(([from = '', to = '', said = '']) => {
    const text = said.slice(0, textMax)
    if (from === '' || from.length > idMax || to.length > idMax || text === '') return []
    const what = JSON.stringify([from, to, text, Math.floor(now.getTime() / sameMs)])
    const key = createHash('sha256').update(what).digest('hex').slice(0, 32)
    return [{ key, from: from.replace(/^\+/, ''), to, text, at: now, part: null }]
  })
}

/** '' where a value is missing, or is a list or fields. */
function textsIn(content: CallbackContent, rules: readonly string[]): string[][] {
  const read = rules.map((rule) => callbackRuleOf(rule) ?? ({ kind: 'name', name: rule } as const))
  return rowsOf(content, read).map((row) => row.map(textOf))
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().toWellFormed().replaceAll('\0', '')
    : ''
}
