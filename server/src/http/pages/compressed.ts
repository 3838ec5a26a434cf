import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip'

/** A file in memory, and as it is sent, by encoding. */
export type Asset = { bytes: Buffer; type: string; encoded: Map<string, Promise<Buffer>> }

const compressible = /^(text|application|image\/svg)/

/** Compresses it when it is first asked for. */
export async function sendCompressed(
  asset: Asset,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.type(asset.type)
  if (!compressible.test(asset.type) || asset.bytes.length < 500) return reply.send(asset.bytes)
  reply.header('vary', 'accept-encoding')
  const encoding = encodingOf(request)
  if (encoding === null) return reply.send(asset.bytes)
  let encoded = asset.encoded.get(encoding)
  if (!encoded) asset.encoded.set(encoding, (encoded = compress(asset.bytes, encoding)))
  return reply.header('content-encoding', encoding).send(await encoded)
}

/** More than a console has by screen, role, scheme and encoding. A page has some 4 kB. */
const pagesMax = 4000

/**
 * Pages as they are sent. They differ by visitor, but most have been sent before, and anybody may ask for one: compressing it again would cost ten times
 * what all else of it does, in the threads that hash passwords and read files.
 */
export class CompressedPages {
  readonly #encoded = new Map<string, Promise<Buffer>>()
  readonly #max: number

  constructor(max = pagesMax) {
    this.#max = max
  }

  of(page: string, encoding: Encoding): Promise<Buffer> {
    const key = `${encoding} ${hash('sha256', page, 'base64url')}`
    const encoded = this.#encoded.get(key) ?? compress(Buffer.from(page), encoding)
    this.#encoded.delete(key)
    this.#encoded.set(key, encoded)
    const [oldest] = this.#encoded.size > this.#max ? this.#encoded.keys() : []
    if (oldest !== undefined) this.#encoded.delete(oldest)
    return encoded
  }
}

export function encodingOf(request: FastifyRequest): Encoding | null {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes)
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}
