import { randomBytes } from 'node:crypto'
import { recoveryAlphabet, recoveryCodesMade } from '@ghanti/contract/factors.ts'

export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesMade }, () =>
    Array.from(randomBytes(16), (byte) => recoveryAlphabet[byte % recoveryAlphabet.length]).join(''),
  )
}
