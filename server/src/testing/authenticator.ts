import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Assertion, Attestation } from '@ghanti/contract/passkeys.ts'

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** CBOR (RFC 8949), as much of it as WebAuthn writes. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  if (!(value instanceof Map)) throw new Error('not in a passkey')
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

function head(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.of((kind << 5) | length)
  if (length < 256) return Buffer.of((kind << 5) | 24, length)
  return Buffer.of((kind << 5) | 25, length >> 8, length & 255)
}

const present = 1
const verified = 4
const synced = 8 | 16
const attested = 64

/** What is said that is not so. `isVerified`: that whoever holds it proved who they are. */
export type Said = {
  origin?: string
  rpId?: string
  challenge?: string
  isVerified?: boolean
  counter?: number
  type?: string
  isSigned?: boolean
  /** Instead of none. */
  attestation?: { fmt: string; attStmt: Map<string, unknown> }
}

/** A passkey as an authenticator keeps it: the other side of ours, written from the standard. `isSynced`: it is on several devices, and counts nothing. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #isSynced: boolean
  #counter = 0
  constructor({ isSynced = false } = {}) {
    this.#isSynced = isSynced
  }

  /** As COSE has it (RFC 9053): ES256. */
  get publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'))
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        ...[...coordinates.entries()].map(([n, at]) => [-2 - n, at] as const),
      ]),
    )
  }

  /** Answers `navigator.credentials.create`. */
  make(asked: { challenge: string; rp: { id: string } }, said: Said = {}): Attestation {
    const about = { challenge: asked.challenge, rpId: asked.rp.id, type: 'webauthn.create', ...said }
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.id.length)
    const credential = Buffer.concat([Buffer.alloc(16), idLength, this.id, this.publicKey])
    const authData = Buffer.concat([this.#data(about, attested), credential])
    const { fmt, attStmt } = said.attestation ?? { fmt: 'none', attStmt: new Map() }
    const attestationObject = cbor(new Map<string, unknown>(Object.entries({ fmt, attStmt, authData })))
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(clientData(about)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    }
  }

  /** Answers `navigator.credentials.get`. */
  use(asked: { challenge: string; rpId: string }, said: Said = {}): Assertion {
    const about = { ...asked, type: 'webauthn.get', ...said }
    const client = clientData(about)
    const authenticatorData = this.#data(about, 0)
    const signed = Buffer.concat([authenticatorData, sha256(client)])
    const { isSigned = true } = said
    const signature = sign('sha256', isSigned ? signed : randomBytes(9), this.#keys.privateKey)
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: base64url(randomBytes(8)),
      },
    }
  }

  #named() {
    return { id: base64url(this.id), rawId: base64url(this.id), type: 'public-key' as const }
  }

  #data({ rpId, isVerified = true, counter }: Said & { rpId: string }, more: number): Buffer {
    if (!this.#isSynced) this.#counter++
    const flags = present | (isVerified ? verified : 0) | (this.#isSynced ? synced : 0) | more
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.#counter)
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count])
  }
}

function clientData({ type, challenge, origin, rpId }: Said & { rpId: string }): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin: origin ?? `https://${rpId}`, crossOrigin: false }))
}
