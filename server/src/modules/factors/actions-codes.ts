import { createHash, randomBytes } from 'node:crypto'
import { recoveryAlphabet, recoveryCodesMade } from '@ghanti/contract/factors.ts'

/** Of tokens and recovery codes, which are random and long enough for a plain hash. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesMade }, () =>
    Array.from(randomBytes(16), (byte) => recoveryAlphabet[byte % recoveryAlphabet.length]).join(''),
  )
}
