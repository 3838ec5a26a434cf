import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { addressFor, hostOfAddress, SmsAddress, SmsAddressHosts } from './sms-address.ts'

const textOf = (address: unknown): string | undefined => z.safeParse(SmsAddress, address).error?.issues[0]?.message

test.each([
  'https://sms.example.com/send?token=s3cret&to={PHONE}',
  'http://sms.example.com/977{PHONE}/send',
  'https://sms.example.com:443/send?to=977{PHONE}&again={PHONE}',
  'HTTPS://SMS.example.com/?to={PHONE}#part',
  'https://[2001:4860::1]/?{PHONE}',
])('is an address: %s', (address) => {
  expect(textOf(address)).toBeUndefined()
})

const place = 'must have {PHONE} in the place of the number, behind its host'
test.each<[unknown, string]>([
  ['https://sms.example.com/send?to=9841000001', place],
  ['https://sms.example.com/send?to={phone}', place],
  ['https://sms.example.com/send#{PHONE}', place],
  ['https://{PHONE}.example.com/send?to={PHONE}', 'is not an address, or has {PHONE} in its host'],
  ['https://sms.example.com:{PHONE}/send', 'is not an address, or has {PHONE} in its host'],
  [`https://sms.example.com/{PHONE}?${'x'.repeat(1000)}`, 'is longer than 1000 characters'],
  ['https://sms exa/{PHONE}', 'is not an address, or has {PHONE} in its host'],
  ['https://user:pass@sms.example.com/?to={PHONE}', 'must not hold a user name or a password before its host'],
  ['ftp://sms.example.com/{PHONE}', 'must begin with http:// or https://'],
  ['javascript:alert({PHONE})', 'must begin with http:// or https://'],
  ['sms.example.com/{PHONE}', 'must begin with http:// or https://'],
  ['https://sms.example.com/\n{PHONE}', 'has line breaks or control characters'],
  [7, 'must be text'],
])('is refused: %.40s', (address, text) => {
  expect(textOf(address)).toBe(text)
})

test('the number replaces each placeholder, and the host is shown as browsers write it', () => {
  expect(addressFor('https://a.example/{PHONE}?to=977{PHONE}', '9841000001').href).toBe(
    'https://a.example/9841000001?to=9779841000001',
  )
  expect(hostOfAddress('HTTPS://SMS.Example.com:443/{PHONE}')).toBe('sms.example.com')
  expect(hostOfAddress('http://0x7f.1:8080/{PHONE}')).toBe('127.0.0.1:8080')
})

test.each([
  [['SMS.office', '10.0.0.7:8080', '[fd00::1]:90'], true],
  [['http://sms.office'], false],
  [['sms.office/send'], false],
  [['user@sms.office'], false],
  [['0x7f.1'], false],
  [['a b'], false],
  [[''], false],
])('of hosts that an operator lists: %j', (hosts, isTaken) => {
  expect(z.safeParse(SmsAddressHosts, hosts).success).toBe(isTaken)
})
