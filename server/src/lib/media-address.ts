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
 * Where this dialer fetches a sound from the server at `server`. The address stays the same as long as the dialer's place and credentials do,
 * because dialers cache by the whole address. It stops working when these change or the dialer is deleted.
 */
export function mediaAddress(server: string, secret: Buffer, reader: MediaReader, hash: string): string {
  return `${withoutTrailingSlashes(server)}/media/${hash}.wav?signature=${signatureOf(secret, reader, hash)}`
}

/** The dialer that a signature claims to be for, not verified yet. */
export function readerOf(signature: string): number | null {
  const [, id] = /^(\d{1,9})\.[\w-]{43}$/.exec(signature) ?? []
  return id === undefined ? null : Number(id)
}

/** Whether this signature was made here, for this dialer as it is now, and for this sound. */
export function isMediaSigned(secret: Buffer, reader: MediaReader, hash: string, signature: string): boolean {
  const [said, made] = [Buffer.from(signature), Buffer.from(signatureOf(secret, reader, hash))]
  return said.length === made.length && timingSafeEqual(said, made)
}

/** Uses the sealed secret, because it changes whenever credentials are entered, even the same ones. */
function signatureOf(secret: Buffer, reader: MediaReader, hash: string): string {
  const { id, host, port, ari_user, ari_secret_sealed } = reader
  const key = createHmac('sha256', secret).update('media').digest()
  const signed = JSON.stringify([id, host.toLowerCase(), port, ari_user, ari_secret_sealed, hash])
  return `${id}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
