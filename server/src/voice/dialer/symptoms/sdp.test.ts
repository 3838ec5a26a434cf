import { expect, test } from 'vitest'
import type { SipMessage } from '../../../drivers/telephony/driver.ts'
import { contradictions, sdpOf } from './sdp.ts'

const answer = (status: string, to: string, ...sdp: string[]): SipMessage => ({
  at: 0,
  sent: false,
  transport: 'UDP',
  dialer: '127.0.0.1:5060',
  peer: '127.0.0.2:5060',
  text: [`SIP/2.0 ${status}`, `To: <sip:1@a>;tag=${to}`, '', ...sdp, ''].join('\r\n'),
})
const keys = (number: number, rate = 8000) => `a=rtpmap:${number} telephone-event/${rate}`
const audio = (...numbers: number[]) => `m=audio 4000 RTP/AVP ${numbers.join(' ')}`
const good = ['v=0', audio(8, 101), 'a=rtpmap:8 PCMA/8000', keys(101)]

test.each([
  { why: 'agreeing answers', messages: [answer('183 P', 'a', ...good), answer('200 OK', 'a', ...good)], said: null },
  {
    why: 'a number that is described and not listed',
    messages: [answer('200 OK', 'a', audio(8, 96), keys(101))],
    said: contradictions.unlisted(101),
  },
  {
    why: 'a number with two meanings',
    messages: [answer('200 OK', 'a', audio(8, 101), keys(101), 'a=rtpmap:101 iLBC/8000')],
    said: contradictions.twice(101),
  },
  {
    why: 'keys with two numbers',
    messages: [answer('200 OK', 'a', audio(8, 96, 101), keys(101), keys(96))],
    said: contradictions.several(101, 96),
  },
  {
    why: 'another number in the answer than before it',
    messages: [answer('183 P', 'a', ...good), answer('200 OK', 'a', audio(8, 96), keys(96))],
    said: contradictions.changed(101, 96),
  },
  {
    why: 'another telephone may choose another number, and another rate has its own',
    messages: [answer('183 P', 'a', ...good), answer('200 OK', 'b', audio(8, 96, 97), keys(96), keys(97, 48_000))],
    said: null,
  },
  {
    why: 'a picture’s numbers are none of the sound’s',
    messages: [answer('200 OK', 'a', ...good, 'm=video 0 RTP/AVP 101', 'a=rtpmap:101 H264/90000')],
    said: null,
  },
])('$why', ({ messages, said }) => expect(sdpOf(messages)).toEqual({ contradiction: said }))

test('a refusal, and what we sent, describe no sound of the operator', () => {
  const offer = { ...answer('200 OK', 'a', audio(8), keys(101)), sent: true }
  expect(sdpOf([offer, answer('486 Busy', 'a')])).toBeNull()
})
