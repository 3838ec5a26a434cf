import { expect, test } from 'vitest'
import { firstLineOf, toneOf } from './messages.ts'

test.each([
  { text: 'INVITE sip:+9779841000001@10.0.0.2:5060 SIP/2.0\r\nVia: x', line: 'INVITE +9779841000001', tone: undefined },
  { text: 'OPTIONS sip:10.0.0.2 SIP/2.0\r\n', line: 'OPTIONS', tone: undefined },
  { text: 'SIP/2.0 180 Ringing\r\nVia: x', line: '180 Ringing', tone: undefined },
  { text: 'SIP/2.0 200 OK\nVia: x', line: '200 OK', tone: 'good' },
  { text: 'SIP/2.0 486 Busy Here', line: '486 Busy Here', tone: 'bad' },
])('a message is named by what matters of its first line: $line', ({ text, line, tone }) => {
  expect([firstLineOf(text), toneOf(text)]).toEqual([line, tone])
})
