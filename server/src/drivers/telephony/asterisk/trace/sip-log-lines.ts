import type { SipMessage } from '../../driver.ts'

const mark = Buffer.from(' res_pjsip_logger.c: <--- ')
const newline = 0x0a
/** The longest line before a message. */
const lineMax = 200
/** Asterisk cuts longer log entries. */
const bytesMax = 7000
const lineForm =
  /^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3})([+-]\d\d)(\d\d)\] VERBOSE[^ ]{0,60} res_pjsip_logger\.c: <--- (Transmitting|Received) SIP (?:request|response) \((\d{1,6}) bytes\) (?:to|from) (UDP|TCP|TLS)6?:(\S{1,80}) --->/

export type LoggedMessage = { callId: string; message: SipMessage }

/**
 * The SIP messages of calls in an Asterisk log. The line before a message gives its length, so its content is never taken for another message. Other
 * requests, such as OPTIONS, are left out. Only requests of the dialer name its address; the others have ''.
 */
export function messagesIn(log: Buffer): LoggedMessage[] {
  const found: LoggedMessage[] = []
  let at = log.indexOf(mark)
  while (at !== -1) {
    const lineEnd = log.indexOf(newline, at)
    if (lineEnd === -1) break
    const start = Math.max(log.lastIndexOf(newline, at) + 1, at - lineMax)
    const [, day, time, hours, minutes, how, size, transport, peer] =
      lineForm.exec(log.toString('latin1', start, lineEnd)) ?? []
    const length = Number(size)
    const isWhole = length <= bytesMax && lineEnd + 1 + length <= log.length
    const next = log.indexOf(mark, isWhole ? lineEnd + 1 + length : lineEnd)
    if (day && peer && (transport === 'UDP' || transport === 'TCP' || transport === 'TLS')) {
      const end = isWhole ? lineEnd + 1 + length : Math.min(next === -1 ? log.length : next, lineEnd + 1 + bytesMax)
      const text = log.toString('utf8', lineEnd + 1, end).replaceAll('\0', '')
      const { callId, method, via } = headersOf(text)
      const sent = how === 'Transmitting'
      if (callId !== '' && method !== 'OPTIONS' && method !== 'REGISTER') {
        const dialer = sent && !text.startsWith('SIP/') ? via : ''
        const message: SipMessage = {
          at: Date.parse(`${day}T${time}${hours}:${minutes}`),
          sent,
          transport,
          dialer,
          peer,
          text,
        }
        found.push({ callId, message })
      }
    }
    at = next
  }
  return found
}

function headersOf(text: string): { callId: string; method: string; via: string } {
  let [callId, method, via] = ['', '', '']
  let from = text.indexOf('\n') + 1
  while (from > 0) {
    const to = text.indexOf('\n', from)
    const line = text.slice(from, to === -1 ? undefined : to).trim()
    if (line === '') break
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'call-id' || name === 'i') callId ||= value
    else if (name === 'cseq') method ||= value.slice(value.indexOf(' ') + 1).trim()
    else if (name === 'via' || name === 'v') via ||= sentBy(value)
    from = to + 1
  }
  return { callId, method, via }
}

/** The address in 'SIP/2.0/UDP 127.0.0.1:5160;rport;branch=…'. */
function sentBy(via: string): string {
  const host = via.slice(via.indexOf(' ') + 1)
  const end = host.indexOf(';')
  return (end === -1 ? host : host.slice(0, end)).trim()
}
