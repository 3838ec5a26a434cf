import { expect, test } from 'vitest'
import { smsHost } from './rules-sms.ts'

test.each([
  ['https://sms.example.com/send?to={PHONE}', { host: 'sms.example.com' }],
  ['http://sms.example.com:80/{PHONE}', { host: 'sms.example.com' }],
  ['https://8.8.8.8/{PHONE}', { host: '8.8.8.8' }],
  ['https://[2001:4860:4860::8888]/{PHONE}', { host: '[2001:4860:4860::8888]' }],
  ['https://{PHONE}.example.com/', { problem: 'must have {PHONE} behind its host' }],
  ['https://example.com:{PHONE}/', { problem: 'is not an address' }],
  ['https://', { problem: 'is not an address' }],
  ['https://{PHONE}@example.com/', { problem: 'must not have a user name before its host' }],
  ['https://me:secret@example.com/{PHONE}', { problem: 'must not have a user name before its host' }],
  ['https://example.com:8443/{PHONE}', { problem: 'must be on port 80 or 443' }],
])('%s', (address, host) => expect(smsHost(address)).toEqual(host))

test.each([
  'localhost',
  'localhost.',
  'a.localhost',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '127.0.0.1.',
  '0.0.0.0',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[fd00::1]',
  '[fe80::1]',
])('%s is this server or a private network', (host) =>
  expect(smsHost(`http://${host}/{PHONE}`)).toEqual({
    problem: 'must not lead to this server or a private network',
  }),
)
