import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from './secrets.ts'

const secret = randomBytes(32)
const text = 'https://sms.example.com/send?key=सूची&to={PHONE}'

test('what was sealed opens again, and two seals of one text differ', () => {
  const one = seal(secret, 'campaign.sms', text)
  expect(unseal(secret, 'campaign.sms', one)).toBe(text)
  expect(seal(secret, 'campaign.sms', text)).not.toBe(one)
  expect(one).not.toContain('example')
})

test('another secret, another purpose or a changed byte does not open', () => {
  const sealed = seal(secret, 'campaign.sms', text)
  const changed = Buffer.from(sealed, 'base64url')
  changed[30] = (changed[30] ?? 0) ^ 1
  expect(() => unseal(randomBytes(32), 'campaign.sms', sealed)).toThrow()
  expect(() => unseal(secret, 'dialer.password', sealed)).toThrow()
  expect(() => unseal(secret, 'campaign.sms', changed.toString('base64url'))).toThrow()
  expect(() => unseal(secret, 'campaign.sms', 'AAAA')).toThrow()
})
