import { expect, test } from 'vitest'
import type { SipMessage } from '../../driver.ts'
import { finalReplyOf } from './final-reply.ts'

function sip(sent: boolean, first: string, ...headers: string[]): SipMessage {
  const text = [first, 'Call-ID: one', ...headers, '', 'v=0\r\nRetry-After: 7\r\n'].join('\r\n')
  return { at: 0, sent, transport: 'UDP', dialer: '10.0.0.1:5160', peer: '10.0.0.2:5060', text }
}
const invite = (cseq = 1, to = '<sip:1@10.0.0.2>'): SipMessage =>
  sip(true, 'INVITE sip:1@10.0.0.2 SIP/2.0', `To: ${to}`, `CSeq: ${cseq} INVITE`)
const reply = (status: string, headers: string[] = [], cseq = '1 INVITE'): SipMessage =>
  sip(false, `SIP/2.0 ${status}`, 'To: <sip:1@10.0.0.2>;tag=b', `CSeq: ${cseq}`, ...headers)
const nothing = { cause: null, retryAfterMs: null }

test.each([
  {
    why: 'a refusal has its status, its Q.850 cause with text, and the time that it asks to wait',
    messages: [
      invite(),
      reply('100 Trying'),
      reply('503 Busy here', ['Reason: Q.850;cause=42;text="Switching, congested"', 'Retry-After: 5']),
    ],
    found: { status: 503, cause: 42, retryAfterMs: 5000 },
  },
  { why: '300 is 300', messages: [invite(), reply('300 Multiple Choices')], found: { status: 300, ...nothing } },
  {
    why: 'the Q.850 cause stands beside others, in one header or several, quoted commas and all',
    messages: [
      invite(),
      reply('480 Away', [
        'reason : SIP;cause=480;text="a,Q.850;cause=3"',
        'Reason: X;cause=1,',
        '  q.850 ; Cause = 19',
      ]),
    ],
    found: { status: 480, cause: 19, retryAfterMs: null },
  },
  {
    why: 'a challenge that another INVITE answered is not final',
    messages: [invite(1), reply('401 Unauthorized'), invite(2), reply('486 Busy', [], '2 INVITE')],
    found: { status: 486, ...nothing },
  },
  {
    why: 'a challenge that nobody answered is final',
    messages: [invite(1), reply('407 Proxy Authentication Required')],
    found: { status: 407, ...nothing },
  },
  {
    why: 'what is said to an INVITE inside the call, or to other requests, is not its reply',
    messages: [
      invite(1),
      reply('200 OK'),
      invite(2, '<sip:1@10.0.0.2>;tag=b'),
      reply('488 Not Acceptable Here', [], '2 INVITE'),
      reply('481 Gone', [], '3 BYE'),
    ],
    found: { status: 200, ...nothing },
  },
  {
    why: 'our own replies are not the far end’s',
    messages: [invite(), sip(true, 'SIP/2.0 486 Busy', 'CSeq: 1 INVITE')],
    found: 'none',
  },
  { why: 'a call that nobody replied to has none', messages: [invite(), reply('183 Progress')], found: 'none' },
  { why: 'messages without the INVITE say nothing', messages: [reply('503 Unavailable')], found: null },
  {
    why: 'comments and parameters of Retry-After are no part of its seconds',
    messages: [invite(), reply('503 No', ['Retry-After: 120 (later);duration=60'])],
    found: { status: 503, ...nothing, retryAfterMs: 120_000 },
  },
  {
    why: 'a Retry-After that is no number of seconds asks for nothing, and neither does a cause out of range',
    messages: [invite(), reply('503 No', ['Retry-After: Fri, 01 Jan 2027 00:00:00 GMT', 'Reason: Q.850;cause=999'])],
    found: { status: 503, ...nothing },
  },
  {
    why: 'nobody waits longer than a day',
    messages: [invite(), reply('503 No', ['Retry-After: 999999999'])],
    found: { status: 503, ...nothing, retryAfterMs: 86_400_000 },
  },
])('$why', ({ messages, found }) => expect(finalReplyOf(messages)).toEqual(found))
