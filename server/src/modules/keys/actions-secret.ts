import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'gh_live_'

/** `gh_live_`, 256 random bits and a checksum, in digits and letters that one click selects. */
export function newKey(): string {
  const secret = randomBytes(32).toString('hex')
  return `${prefix}${secret}${checksumOf(secret)}`
}

export function isKey(token: string | null): token is string {
  return token?.startsWith(prefix) ?? false
}

/** Whether it was copied whole. Programs that look for secrets in code see by it what is one. */
export function isWhole(key: string): boolean {
  const [, secret = '', checksum] = /^gh_live_([0-9a-f]{64})([0-9a-f]{8})$/.exec(key) ?? []
  return checksum !== undefined && checksumOf(secret) === checksum
}

const checksumOf = (secret: string): string => crc32(secret).toString(16).padStart(8, '0')
