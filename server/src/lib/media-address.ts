import { createHmac, timingSafeEqual } from 'node:crypto'
import { withoutTrailingSlashes } from './trailing-slashes.ts'

export type MediaReader = {
  id: number
  host: string
  port: number
  ari_user: string | null
  ari_secret_sealed: string | null
}

/**
 * Stays the same as long as the dialer's place and credentials do, because dialers cache by the whole address; then, or when the dialer is deleted, it
 * stops working.
 */
export function mediaAddress(server: string, secret: Buffer, reader: MediaReader, hash: string): string {
  return `${withoutTrailingSlashes(server)}/media/${hash}.wav?signature=${signatureOf(secret, reader, hash)}`
}

/** Not verified yet. */
export function readerOf(signature: string): number | null {
  const [, id] = /^(\d{1,9})\.[\w-]{43}$/.exec(signature) ?? []
  return id === undefined ? null : Number(id)
}

/** For this dialer as it is now, and for this sound. */
export function isMediaSigned(secret: Buffer, reader: MediaReader, hash: string, signature: string): boolean {
  const [said, made] = [Buffer.from(signature), Buffer.from(signatureOf(secret, reader, hash))]
  return said.length === made.length && timingSafeEqual(said, made)
}

/** The sealed secret changes whenever credentials are entered, even the same ones. */
function signatureOf(secret: Buffer, reader: MediaReader, hash: string): string {
  const { id, host, port, ari_user, ari_secret_sealed } = reader
  const key = createHmac('sha256', secret).update('media').digest()
  const signed = JSON.stringify([id, host.toLowerCase(), port, ari_user, ari_secret_sealed, hash])
  return `${id}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
