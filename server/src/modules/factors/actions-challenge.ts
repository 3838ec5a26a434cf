import { createHmac, randomBytes } from 'node:crypto'
import { deriveKey, isSameText } from '../../lib/secrets.ts'
import { challengeMs } from './rules-passkeys.ts'

/** Random, when it ends, and our signature for one host. So it needs no table before it was used. */
const randomLength = 16
const endLength = 6
const saidLength = randomLength + endLength

export function newChallenge(secret: Buffer, host: string, now: Date): string {
  const said = Buffer.alloc(saidLength)
  randomBytes(randomLength).copy(said)
  said.writeUIntBE(now.getTime() + challengeMs, randomLength, endLength)
  return Buffer.concat([said, signatureOf(secret, host, said)]).toString('base64url')
}

/** When a challenge of ours for this host ends; null: it is none. */
export function challengeEnd(secret: Buffer, host: string, challenge: string): Date | null {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length < saidLength || bytes.toString('base64url') !== challenge) return null
  const said = bytes.subarray(0, saidLength)
  const signature = bytes.subarray(saidLength).toString('base64url')
  if (!isSameText(signature, signatureOf(secret, host, said).toString('base64url'))) return null
  return new Date(said.readUIntBE(randomLength, endLength))
}

function signatureOf(secret: Buffer, host: string, said: Buffer): Buffer {
  const key = deriveKey(secret, 'challenge of passkeys')
  return createHmac('sha256', key).update(said).update(host).digest().subarray(0, 16)
}

/** What authenticators know an account by: nothing that says more to others. */
export function userHandle(secret: Buffer, userId: number): Buffer {
  return createHmac('sha256', deriveKey(secret, 'passkeys')).update(String(userId)).digest()
}
