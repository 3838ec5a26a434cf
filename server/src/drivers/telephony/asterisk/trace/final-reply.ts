import { headerValues } from '../../../../lib/sip-headers.ts'
import type { SipMessage } from '../../driver.ts'

/** The status of an operator without room, who may say for how long (Retry-After). */
export const noRoom = 503

/** The end of a call whose connection broke before any final reply; by Q.850, the network is out of order. */
export const unreached = { sipStatus: null, cause: 38 } as const

/** The far end's final reply to the call's INVITE. */
export type FinalReply = {
  /** 200 or more, as the far end wrote it; 300 is 300. */
  status: number
  /** Q.850 of its Reason header (RFC 3326); null when it has none. */
  cause: number | null
  /** How long the far end asks to wait (Retry-After); null when it does not ask. */
  retryAfterMs: number | null
}

/** Whoever writes longer times is not believed. */
const retryAfterSecondsMax = 86_400

/**
 * What the far end finally said to a call, of the call's messages in their order. A challenge that was answered by another INVITE is not final, and
 * neither are replies to an INVITE inside the call. 'none' when the far end did not reply finally; null when the messages lack the INVITE.
 */
export function finalReplyOf(messages: readonly SipMessage[]): FinalReply | 'none' | null {
  const invite = messages.findLast(({ sent, text }) => sent && text.startsWith('INVITE ') && isFirst(text))
  if (!invite) return null
  const cseq = cseqOf(invite.text)
  for (const { sent, text } of messages) {
    const status = sent ? null : statusOf(text)
    if (status === null || status < 200 || cseqOf(text) !== cseq) continue
    return { status, cause: causeOf(text), retryAfterMs: retryAfterOf(text) }
  }
  return 'none'
}

/** It begins a call: its To has no tag yet. */
function isFirst(text: string): boolean {
  const to = headerValues(text, 'to', 't')[0] ?? ''
  return !to
    .slice(to.indexOf('>') + 1)
    .toLowerCase()
    .includes(';tag=')
}

function cseqOf(text: string): string {
  return (headerValues(text, 'cseq')[0] ?? '').split(/\s/).filter(Boolean).join(' ')
}

function statusOf(text: string): number | null {
  const status = /^SIP\/2\.0 ([1-6]\d\d)[ \r\n]/.exec(text)?.[1]
  return status === undefined ? null : Number(status)
}

function causeOf(text: string): number | null {
  for (const reason of headerValues(text, 'reason').flatMap((value) => partsOf(value, ','))) {
    const [protocol = '', ...parameters] = partsOf(reason, ';')
    if (protocol.toLowerCase() !== 'q.850') continue
    const named = new Map(
      parameters.map((one): [string, string] => {
        const [name = '', ...value] = partsOf(one, '=')
        return [name.toLowerCase(), unquoted(value.join('='))]
      }),
    )
    const cause = named.get('cause') ?? ''
    if (/^\d{1,3}$/.test(cause) && Number(cause) >= 1 && Number(cause) <= 127) return Number(cause)
  }
  return null
}

/** 'Retry-After: 18000;duration=3600' and '120 (congestion)' ask for the seconds at their beginning. */
function retryAfterOf(text: string): number | null {
  const seconds = /^\d{1,9}(?=$|[ \t;(])/.exec(headerValues(text, 'retry-after')[0] ?? '')?.[0]
  return seconds === undefined ? null : Math.min(Number(seconds), retryAfterSecondsMax) * 1000
}

/** Parts between separators that are not inside quotes. */
function partsOf(value: string, separator: ',' | ';' | '='): string[] {
  const parts: string[] = []
  let [from, isQuoted] = [0, false]
  for (let at = 0; at < value.length; at += 1) {
    const letter = value[at]
    if (isQuoted && letter === '\\') at += 1
    else if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && letter === separator) {
      parts.push(value.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...parts, value.slice(from).trim()]
}

function unquoted(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value
  let text = ''
  for (let at = 1; at < value.length - 1; at += 1) {
    if (value[at] === '\\' && at < value.length - 2) at += 1
    text += value[at]
  }
  return text
}
