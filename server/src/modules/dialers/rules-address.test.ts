import { expect, test } from 'vitest'
import { isLoopback, isNear, plainFingerprint } from './rules-address.ts'

test.each([
  { host: '127.0.0.1', loopback: true, near: true },
  { host: 'LOCALHOST', loopback: true, near: true },
  { host: '::1', loopback: true, near: true },
  { host: '10.1.2.3', loopback: false, near: true },
  { host: '100.64.0.1', loopback: false, near: true },
  { host: 'fd00::5', loopback: false, near: true },
  { host: 'asterisk', loopback: false, near: true },
  { host: '172.32.0.1', loopback: false, near: false },
  { host: '203.0.113.9', loopback: false, near: false },
  { host: 'dialer.example.com', loopback: false, near: false },
  { host: '127.0.0.1.example.com', loopback: false, near: false },
])('$host: this machine $loopback, private network $near', ({ host, loopback, near }) => {
  expect(isLoopback(host)).toBe(loopback)
  expect(isNear(host)).toBe(near)
})

test('a fingerprint is kept without colons, in small letters', () => {
  expect(plainFingerprint('AB:cd:0F')).toBe('abcd0f')
})
