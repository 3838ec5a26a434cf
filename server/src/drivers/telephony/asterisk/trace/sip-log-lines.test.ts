import { expect, test } from 'vitest'
import { messagesIn } from './sip-log-lines.ts'

const entry = (how: 'Transmitting SIP request' | 'Received SIP response', text: string): string =>
  `[2026-11-26 11:24:41.655+0545] VERBOSE[19237][C-00000001] res_pjsip_logger.c: <--- ${how} (${Buffer.byteLength(text)} bytes) ${how.startsWith('T') ? 'to' : 'from'} UDP:10.0.0.2:5060 --->\n${text}\n`
const invite =
  'INVITE sip:1@10.0.0.2 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.1:5160;rport;branch=z9\r\nCall-ID: one\r\nCSeq: 1 INVITE\r\n\r\nv=0\r\n'
const ringing = 'SIP/2.0 180 Ringing\r\ni: one\r\nCSeq: 1 INVITE\r\n\r\n'

test('the log’s messages are returned with their times, senders and addresses, the dialer’s where it wrote it', () => {
  const log = `Asterisk 22 built by nobody\n${entry('Transmitting SIP request', invite)}${entry('Received SIP response', ringing)}`
  const at = Date.UTC(2026, 10, 26, 5, 39, 41, 655)
  const both = { at, transport: 'UDP', peer: '10.0.0.2:5060' }
  expect(messagesIn(Buffer.from(log))).toEqual([
    { callId: 'one', message: { ...both, dialer: '10.0.0.1:5160', sent: true, text: invite } },
    { callId: 'one', message: { ...both, dialer: '', sent: false, text: ringing } },
  ])
})

test('text in a message that looks like another log entry stays part of it', () => {
  const forged = entry('Received SIP response', ringing.replace('one', 'two'))
  const outer = `SIP/2.0 200 OK\r\nCall-ID: one\r\nCSeq: 1 INVITE\r\n\r\n\n${forged}`
  const found = messagesIn(Buffer.from(entry('Received SIP response', outer)))
  expect(found.map(({ callId, message }) => [callId, message.text])).toEqual([['one', outer]])
})

test('messages of no call are left out, and a torn entry ends the log', () => {
  const options = invite.replaceAll('INVITE', 'OPTIONS')
  const log = entry('Transmitting SIP request', options) + entry('Transmitting SIP request', invite).slice(0, -9)
  const found = messagesIn(Buffer.from(log))
  expect(found.map(({ message }) => message.text)).toEqual([invite.slice(0, -8)])
})
