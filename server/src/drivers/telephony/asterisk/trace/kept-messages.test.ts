import { expect, test } from 'vitest'
import type { SipMessage } from '../../driver.ts'
import { KeptMessages } from './kept-messages.ts'

const message = (text: string, sent = false): SipMessage => ({
  at: 0,
  sent,
  transport: 'UDP',
  dialer: '10.0.0.1:5060',
  peer: '10.0.0.2:5060',
  text,
})
const invite = message('INVITE sip:1@10.0.0.2 SIP/2.0\r\n', true)
const long = message(`SIP/2.0 180 Ringing\r\n${'x'.repeat(7000)}`)
const lettersOf = (messages: readonly SipMessage[]) => messages.reduce((sum, { text }) => sum + text.length, 0)

test('a message whose part of the log does not name the dialer has the name of the call’s INVITE', () => {
  const kept = new KeptMessages()
  kept.add('one', invite)
  kept.add('one', { ...message('SIP/2.0 486 Busy Here\r\n'), dialer: '' })
  expect(kept.take('one').map(({ dialer }) => dialer)).toEqual(['10.0.0.1:5060', '10.0.0.1:5060'])
})

test('of a peer that answers a call with long messages without end, the first 100,000 letters are kept', () => {
  const kept = new KeptMessages()
  kept.add('one', invite)
  for (let n = 0; n < 1000; n++) kept.add('one', long)
  const messages = kept.take('one')
  expect(messages[0]).toEqual(invite)
  expect(lettersOf(messages)).toBeGreaterThan(90_000)
  expect(lettersOf(messages)).toBeLessThanOrEqual(100_000)
})

test('of many calls with such answers the newest are kept, 32 million letters of all together', () => {
  const kept = new KeptMessages()
  const ids = Array.from({ length: 2000 }, (_, n) => `call ${n}`)
  for (const id of ids) {
    kept.add(id, invite)
    for (let n = 0; n < 10; n++) kept.add(id, long)
  }
  const found = ids.map((id) => lettersOf(kept.take(id)))
  expect(found.reduce((sum, letters) => sum + letters, 0)).toBeLessThanOrEqual(32_000_000)
  expect(found.at(-1)).toBeGreaterThan(70_000)
  expect(found[0]).toBe(0)
})

test('of calls with few messages the last four thousand are kept; what has no INVITE of ours is none', () => {
  const kept = new KeptMessages()
  for (let n = 0; n < 5000; n++) kept.add(`call ${n}`, invite)
  kept.add('theirs', long)
  expect(kept.take('theirs')).toEqual([])
  expect(kept.take('call 999')).toEqual([])
  expect(kept.take('call 1000')).toEqual([invite])
  expect(kept.take('call 1000')).toEqual([])
})

test('a call of which messages were left out, or written while nobody kept them, is not whole', () => {
  const kept = new KeptMessages()
  for (const id of ['few', 'many']) kept.add(id, invite)
  for (let n = 0; n < 100; n++) kept.add('many', message('SIP/2.0 180 Ringing'))
  const whole = () => ['few', 'many', 'unknown'].filter((id) => kept.isWhole(id))
  expect(whole()).toEqual(['few'])
  kept.missed()
  expect(whole()).toEqual([])
})
