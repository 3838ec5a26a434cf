import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts `text` for the database with the server's SECRET (32 bytes). It is bound to `purpose`, so what was sealed for one column does not open as
 * another's.
 */
export function seal(secret: Buffer, purpose: string, text: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, secret, iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Throws when it was sealed with another secret or for another purpose, or was changed. */
export function unseal(secret: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

/** A separate key for each purpose, so that a signature for one is invalid for others. */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/** Of tokens and codes that are random and long enough for a plain hash: the database keeps no more of them. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Compares in a time that reveals neither where the texts differ nor their lengths. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hashOf(a), hashOf(b))
}
