import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../../lib/error-code.ts'
import { isOlder, removeOlder } from '../../lib/remove-older.ts'
import type { FileHash, FilesDriver, Room } from './driver.ts'

/**
 * Files below `folder`, named by their SHA-256, in 256 folders. A file appears by one rename after its bytes are on disk, so a name that exists is
 * complete.
 */
export function localFiles(folder: string): FilesDriver {
  const place = (hash: FileHash): string => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`${hash} is no SHA-256`)
    return path.join(folder, hash.slice(0, 2), hash)
  }

  const unfinished = path.join(folder, 'tmp')

  async function store(write: (temporary: string) => Promise<FileHash>): Promise<FileHash> {
    await fs.promises.mkdir(unfinished, { recursive: true })
    const temporary = path.join(unfinished, randomUUID())
    try {
      const hash = await write(temporary)
      await moveTo(place(hash), temporary)
      return hash
    } catch (error) {
      await fs.promises.rm(temporary, { force: true })
      throw error
    }
  }

  const putStream = (source: Readable, room: Room): Promise<FileHash> =>
    store(async (temporary) => {
      const hash = createHash('sha256')
      source.on('data', (chunk: Buffer) => hash.update(chunk))
      await pipeline(source, within(room), fs.createWriteStream(temporary, justWritten))
      return hash.digest('hex')
    })

  return {
    async put(file, room) {
      const handle = await fs.promises.open(file, 'r') // a missing file fails here, not in a stream without a listener
      return putStream(handle.createReadStream(), room)
    },
    putStream,
    putBytes: (bytes, room) =>
      store(async (temporary) => {
        refuseBeyond(room, bytes.length)
        await fs.promises.writeFile(temporary, bytes, { ...justWritten, flag: justWritten.flags })
        return createHash('sha256').update(bytes).digest('hex')
      }),
    async pathOf(hash) {
      const target = place(hash)
      await fs.promises.access(target, fs.constants.R_OK)
      return target
    },
    async read(hash, range) {
      const handle = await fs.promises.open(place(hash), 'r') // a missing file fails here, not in the middle of a reply
      return handle.createReadStream(range ?? {})
    },
    async sizeOf(hash) {
      return (await fs.promises.stat(place(hash))).size
    },
    all: () => hashesIn(folder),
    async *storedBefore(before) {
      for (const name of await fs.promises.readdir(unfinished).catch(() => [])) {
        const file = path.join(unfinished, name)
        if (await isOlder(file, before)) await fs.promises.rm(file, { force: true })
      }
      for await (const hash of hashesIn(folder)) if (await isOlder(place(hash), before)) yield hash
    },
    async removeStoredBefore(hash, before) {
      await fs.promises.mkdir(unfinished, { recursive: true })
      return removeOlder(place(hash), path.join(unfinished, randomUUID()), before)
    },
    async remove(hash) {
      await fs.promises.rm(place(hash), { force: true })
    },
  }
}

function refuseBeyond({ whose, bytes }: Room, more: number): void {
  if (more > bytes) throw new Error(`a file of ${whose} has ${more} bytes or more, and room for ${bytes}`)
}

/** Passes the bytes on as long as the room has place for them. */
function within(room: Room): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* pass(chunks) {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      refuseBeyond(room, bytes)
      yield chunk
    }
  }
}

async function* hashesIn(folder: string): AsyncIterable<FileHash> {
  const names = await fs.promises.readdir(folder).catch(() => [])
  for (const name of names.filter((name) => /^[0-9a-f]{2}$/.test(name)))
    yield* (await fs.promises.readdir(path.join(folder, name))).filter((hash) => /^[0-9a-f]{64}$/.test(hash))
}

const justWritten = { flags: 'wx', mode: 0o600, flush: true }

async function moveTo(target: string, file: string): Promise<void> {
  await fs.promises.rename(file, target).catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    await fs.promises.mkdir(path.dirname(target), { recursive: true })
    await fs.promises.rename(file, target)
  })
  await syncFolder(path.dirname(target))
}

/** A rename survives a power cut only when its folder is synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
