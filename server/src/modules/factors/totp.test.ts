import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { requireOathtool } from '../../../../scripts/oathtool.ts'
import { codeAt, totpSecret } from '../../testing/factors.ts'
import { stepOf } from './actions-prove.ts'

/** RFC 6238, appendix B, SHA-1: the last six of its eight digits. */
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %i s the code of RFC 6238 is right', async (seconds, digits) => {
  expect(await stepOf(totpSecret, digits.slice(2), new Date(seconds * 1000))).toBe(Math.floor(seconds / 30))
})

test('a code is right one step before and after its own, and at no other time', async () => {
  const step = 40_000_000
  const code = codeAt(new Date(step * 30_000))
  const at = (seconds: number) => stepOf(totpSecret, code, new Date((step * 30 + seconds) * 1000))
  expect(await Promise.all([at(-31), at(-30), at(0), at(29), at(59), at(60)])).toEqual([
    null,
    step,
    step,
    step,
    step,
    null,
  ])
  expect(await stepOf(totpSecret, '000000', new Date(0))).toBe(null)
})

test('a thousand codes of oathtool are right', { tags: ['exhaustive'] }, async () => {
  const oathtool = requireOathtool()
  for (let n = 0; n < 1000; n++) {
    const secret = Array.from(randomBytes(32), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('')
    const seconds = randomInt(2 ** 32)
    const code = execFileSync(oathtool, ['--totp', '-b', '-N', `@${seconds}`, secret], { encoding: 'utf8' }).trim()
    expect(await stepOf(secret, code, new Date(seconds * 1000)), `${secret} at ${seconds}: ${code}`).toBe(
      Math.floor(seconds / 30),
    )
  }
})
