import { createHmac, timingSafeEqual } from 'node:crypto'
import { withoutTrailingSlashes } from './trailing-slashes.ts'

/**
 * Where a dialer fetches a sound from the server at `server`. The address stays the same for ever: dialers keep what they fetched under the
 * whole of it.
 */
export function mediaAddress(server: string, secret: Buffer, hash: string): string {
  return `${withoutTrailingSlashes(server)}/media/${hash}.wav?signature=${signatureOf(secret, hash)}`
}

/** Was this signature made here, for just this sound? */
export function isMediaSigned(secret: Buffer, hash: string, signature: string): boolean {
  const [said, made] = [Buffer.from(signature), Buffer.from(signatureOf(secret, hash))]
  return said.length === made.length && timingSafeEqual(said, made)
}

function signatureOf(secret: Buffer, hash: string): string {
  const key = createHmac('sha256', secret).update('media').digest()
  return createHmac('sha256', key).update(hash).digest('base64url')
}
