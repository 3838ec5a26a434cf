import type { EndedBy, SipMessage } from '../driver.ts'
import type { TrunkFlaw } from './numbers.ts'

/** What a ladder is made from. Times are as reported. */
export type EndedCall = {
  channelId: string
  cli: string
  number: string
  startedAt: number
  alert: { at: number; isProgress: boolean } | null
  answeredAt: number | null
  endedAt: number
  endedBy: EndedBy
  sipStatus: number | null
  retryAfterMs: number | undefined
  flaw: TrunkFlaw | null
}

const dialer = '127.0.0.1:5060'
const operator = '127.0.0.2:5060'
const phrases = new Map([
  [302, 'Moved Temporarily'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [408, 'Request Timeout'],
  [480, 'Temporarily Unavailable'],
  [484, 'Address Incomplete'],
  [486, 'Busy Here'],
  [488, 'Not Acceptable Here'],
  [500, 'Server Internal Error'],
  [503, 'Service Unavailable'],
  [603, 'Decline'],
])

/** The messages of such a call between a dialer and its operator (RFC 3261), without retransmissions. */
export function ladderOf(call: EndedCall): SipMessage[] {
  const { startedAt, alert, answeredAt, endedAt, endedBy, sipStatus } = call
  const ladder = new Ladder(call)
  ladder.request(startedAt, 'INVITE', { sdp: true })
  ladder.reply(startedAt, 'INVITE', '100 Trying')
  if (alert?.isProgress) ladder.reply(alert.at, 'INVITE', '183 Session Progress', { sdp: true })
  else if (alert) ladder.reply(alert.at, 'INVITE', '180 Ringing')
  if (answeredAt !== null) {
    ladder.reply(answeredAt, 'INVITE', '200 OK', { sdp: true })
    ladder.request(answeredAt, 'ACK')
    ladder.request(endedAt, 'BYE', { byOperator: endedBy === 'callee' })
    ladder.reply(endedAt, 'BYE', '200 OK', { byDialer: endedBy === 'callee' })
  } else if (endedBy === 'network' && sipStatus !== null) {
    ladder.reply(endedAt, 'INVITE', `${sipStatus} ${phrases.get(sipStatus) ?? 'Refused'}`, { retry: true })
    ladder.request(endedAt, 'ACK')
  } else {
    ladder.request(endedAt, 'CANCEL')
    ladder.reply(endedAt, 'CANCEL', '200 OK')
    ladder.reply(endedAt, 'INVITE', '487 Request Terminated')
    ladder.request(endedAt, 'ACK')
  }
  return ladder.messages
}

class Ladder {
  readonly messages: SipMessage[] = []
  readonly #call: EndedCall

  constructor(call: EndedCall) {
    this.#call = call
  }

  request(at: number, method: string, { sdp = false, byOperator = false } = {}): void {
    const { number, cli } = this.#call
    const uri = byOperator ? `sip:${cli}@${dialer}` : `sip:${number}@${operator}`
    this.#add(at, !byOperator, `${method} ${uri} SIP/2.0`, { method, sdp, byOperator, also: ['Max-Forwards: 70'] })
  }

  reply(at: number, method: string, status: string, { sdp = false, byDialer = false, retry = false } = {}): void {
    const seconds = Math.ceil((this.#call.retryAfterMs ?? 0) / 1000)
    const also = retry && seconds > 0 ? [`Retry-After: ${seconds}`] : []
    this.#add(at, byDialer, `SIP/2.0 ${status}`, { method, sdp, byOperator: byDialer, also })
  }

  /** `byOperator`: the request, or the one replied to, came from the operator. */
  #add(
    at: number,
    sent: boolean,
    first: string,
    { method, sdp, byOperator, also }: { method: string; sdp: boolean; byOperator: boolean; also: readonly string[] },
  ): void {
    const { channelId, cli, number, flaw } = this.#call
    const ours = `<sip:${cli}@${dialer}>;tag=ghanti`
    const theirs = `<sip:${number}@${operator}>${first.startsWith('INVITE') || first.includes(' 100 ') ? '' : ';tag=operator'}`
    const body = sdp ? sdpOf(sent ? '127.0.0.1' : '127.0.0.2', !sent && flaw === 'keyless' ? 96 : 101) : ''
    const lines = [
      first,
      `Via: SIP/2.0/UDP ${byOperator ? operator : dialer};branch=z9hG4bK-${method.toLowerCase()}`,
      `From: ${byOperator ? theirs : ours}`,
      `To: ${byOperator ? ours : theirs}`,
      `Call-ID: ${channelId}@simulator`,
      `CSeq: ${byOperator ? 2 : method === 'BYE' ? 2 : 1} ${method}`,
      ...also,
      ...(sdp ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${body.length}`,
    ]
    const text = `${lines.join('\r\n')}\r\n\r\n${body}`
    this.messages.push({ at, sent, transport: 'UDP', dialer, peer: operator, text })
  }
}

/** `listed`: the payload number that it lists for keys, which it describes as 101. */
function sdpOf(address: string, listed: number): string {
  const lines = ['v=0', `o=- 1 1 IN IP4 ${address}`, 's=-', `c=IN IP4 ${address}`, 't=0 0']
  const audio = [`m=audio 10000 RTP/AVP 8 ${listed}`, 'a=rtpmap:8 PCMA/8000', 'a=rtpmap:101 telephone-event/8000']
  return `${[...lines, ...audio].join('\r\n')}\r\n`
}
