/** Reads what HTTP gateways report by callback: a receipt, or a message. The operator names the parameters. Nothing is stored here. */
import { ownValue } from '@ghanti/contract/own-values.ts'
import { createHash } from 'node:crypto'
import type { IncomingMessage, Receipt } from '../drivers/sms/driver.ts'

export type ReceiptNames = {
  id: string
  status: string
  /** Values of `status`, compared without case. All others are not final. */
  delivered: readonly string[]
  failed: readonly string[]
}
export type IncomingNames = { from: string; to: string; text: string }

/** The parameters of a query, a form or a flat JSON object, already shortened by the caller. */
export type CallbackParameters = Readonly<Record<string, unknown>>

const idMax = 100
const textMax = 10_000
/** The same text from the same person within this time counts as the same message, reported again. */
const sameMs = 600_000

/** Null when it is no receipt. */
export function receiptIn(names: ReceiptNames, parameters: CallbackParameters, now: Date): Receipt | null {
  const id = valueOf(parameters, names.id)
  const status = valueOf(parameters, names.status)
  if (id === '' || id.length > idMax || status === '') return null
  const said = (values: readonly string[]): boolean => values.some((one) => one.toLowerCase() === status.toLowerCase())
  if (said(names.delivered)) return { id, state: 'delivered', reason: null, at: now }
  if (!said(names.failed)) return { id, state: 'accepted', reason: null, at: now }
  const state = status.toLowerCase().includes('expire') ? 'expired' : 'failed'
  return { id, state, reason: `the gateway says: ${status.slice(0, idMax)}`, at: now }
}

/** Null when it is no message. */
export function incomingIn(names: IncomingNames, parameters: CallbackParameters, now: Date): IncomingMessage | null {
  const [from, to] = [valueOf(parameters, names.from), valueOf(parameters, names.to)]
  const text = valueOf(parameters, names.text).slice(0, textMax)
  if (from === '' || from.length > idMax || to.length > idMax || text === '') return null
  const what = JSON.stringify([from, to, text, Math.floor(now.getTime() / sameMs)])
  const key = createHash('sha256').update(what).digest('hex').slice(0, 32)
  return { key, from: from.replace(/^\+/, ''), to, text, at: now, part: null }
}

function valueOf(parameters: CallbackParameters, name: string): string {
  const value = ownValue(parameters, name)
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().toWellFormed().replaceAll('\0', '')
    : ''
}
