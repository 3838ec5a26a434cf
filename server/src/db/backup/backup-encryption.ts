/**
 * An encrypted backup is a header and then chunks, as in age and STREAM. The header has a magic number, scrypt's log2(N) in a byte, a salt,
 * and an HMAC over these. Each chunk is 64 KiB (the last one shorter) under AES-256-GCM. Its nonce is its number and whether it is the last
 * one, so that no chunk can be left out, moved or cut off unnoticed. The salt makes the key the file's own, so no nonce occurs twice under it.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { Readable, Transform, type TransformCallback } from 'node:stream'

const magic = Buffer.from('GHANTI-BACKUP-1\n')
const saltBytes = 16
const macBytes = 32
const headerBytes = magic.length + 1 + saltBytes + macBytes
const chunkBytes = 65_536
const tagBytes = 16
const sealedBytes = chunkBytes + tagBytes
const algorithm = 'aes-256-gcm'

/** Each guess costs 128 MiB and up to a second. */
const logN = 17
/** A header may ask for at most a gigabyte. */
const logNMax = 20

export const passphraseMin = 12

class BackupFault extends Error {
  override readonly name = 'BackupFault'
}

type Keys = { chunks: Buffer; header: Buffer }

function keysOf(passphrase: string, salt: Buffer, cost: number): Promise<Keys> {
  const r = 8
  const options = { N: 2 ** cost, r, p: 1, maxmem: 2 ** cost * r * 128 + 2 ** 25 }
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 64, options, (error, key) =>
      error ? reject(error) : resolve({ chunks: key.subarray(0, 32), header: key.subarray(32) }),
    ),
  )
}

const macOf = ({ header }: Keys, said: Buffer): Buffer => createHmac('sha256', header).update(said).digest()

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Encrypts the input as a backup. `cost`: scrypt's log2(N); tests use less. */
export async function encrypting(passphrase: string, cost = logN): Promise<Transform> {
  const salt = randomBytes(saltBytes)
  const keys = await keysOf(passphrase, salt, cost)
  const said = Buffer.concat([magic, Buffer.from([cost]), salt])
  return new Encrypting(keys, Buffer.concat([said, macOf(keys, said)]))
}

class Encrypting extends Transform {
  readonly #keys: Keys
  #rest: Buffer = Buffer.alloc(0)
  #index = 0

  constructor(keys: Keys, header: Buffer) {
    super()
    this.#keys = keys
    this.push(header)
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    while (this.#rest.length > chunkBytes) {
      // More follows: this chunk is not the last.
      this.#seal(this.#rest.subarray(0, chunkBytes), false)
      this.#rest = this.#rest.subarray(chunkBytes)
    }
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#seal(this.#rest, true)
    done()
  }

  #seal(chunk: Buffer, isLast: boolean): void {
    const cipher = createCipheriv(algorithm, this.#keys.chunks, nonceOf(this.#index++, isLast))
    this.push(Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]))
  }
}

export async function isEncrypted(file: string): Promise<boolean> {
  const handle = await fs.open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return bytesRead === magic.length && buffer.equals(magic)
  } finally {
    await handle.close()
  }
}

export class DecryptedFile {
  readonly #handle: fs.FileHandle
  readonly #key: Buffer
  readonly #chunks: number
  readonly size: number

  private constructor(handle: fs.FileHandle, key: Buffer, fileBytes: number) {
    const body = fileBytes - headerBytes
    this.#handle = handle
    this.#key = key
    this.#chunks = Math.ceil(body / sealedBytes)
    this.size = body - this.#chunks * tagBytes
  }

  /** Resolves once the whole file was read and found unchanged, so a later read of a part meets no surprise. Throws with a sentence for people. */
  static async open(file: string, passphrase: string): Promise<DecryptedFile> {
    const handle = await fs.open(file)
    try {
      const { size } = await handle.stat()
      const { buffer: header, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
      const cost = header[magic.length] ?? 0
      if (bytesRead < headerBytes || cost > logNMax || cost === 0) throw damaged(file, 'its beginning')
      const said = header.subarray(0, headerBytes - macBytes)
      const keys = await keysOf(passphrase, said.subarray(magic.length + 1), cost)
      if (!timingSafeEqual(macOf(keys, said), header.subarray(said.length)))
        throw new BackupFault(`the passphrase is not that of ${file}, or the file's beginning was changed`)
      const opened = new DecryptedFile(handle, keys.chunks, size)
      if (opened.#chunks === 0) throw damaged(file, 'its end')
      for (let index = 0; index < opened.#chunks; index++)
        await opened.#chunk(index).catch((error: unknown) => {
          if (error instanceof Error && 'syscall' in error) throw error
          throw damaged(
            file,
            index === opened.#chunks - 1 ? 'its end' : `MiB ${Math.floor((index * chunkBytes) / 2 ** 20) + 1}`,
          )
        })
      return opened
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** From `start` up to `end`, exclusive. */
  read(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false })
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let index = Math.floor(start / chunkBytes); index * chunkBytes < end; index++) {
      const from = index * chunkBytes
      yield (await this.#chunk(index)).subarray(Math.max(0, start - from), Math.min(chunkBytes, end - from))
    }
  }

  async #chunk(index: number): Promise<Buffer> {
    const at = headerBytes + index * sealedBytes
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(sealedBytes), 0, sealedBytes, at)
    const text = buffer.subarray(0, Math.max(0, bytesRead - tagBytes))
    const nonce = nonceOf(index, index === this.#chunks - 1)
    const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagBytes })
    decipher.setAuthTag(buffer.subarray(text.length, text.length + tagBytes))
    return Buffer.concat([decipher.update(text), decipher.final()])
  }
}

function damaged(file: string, where: string): BackupFault {
  return new BackupFault(
    `${file} is not as it was written: ${where} is cut off, out of its place or changed. Nothing was restored`,
  )
}
