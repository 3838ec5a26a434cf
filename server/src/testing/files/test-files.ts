import type { Readable } from 'node:stream'
import { type FileHash, type FilesDriver, Room } from '../../drivers/files/driver.ts'
import { localFiles } from '../../drivers/files/local.ts'

/** The store of files, into which a test may also put what no account sent. */
export type TestFiles = FilesDriver & {
  put(path: string, room?: Room): Promise<FileHash>
  putBytes(bytes: Uint8Array, room?: Room): Promise<FileHash>
  putStream(stream: Readable, room?: Room): Promise<FileHash>
}

export function testFiles(folder: string): TestFiles {
  const files = localFiles(folder)
  const unlimited = Room.of('a test', Infinity)
  return {
    ...files,
    put: (path, room = unlimited) => files.put(path, room),
    putBytes: (bytes, room = unlimited) => files.putBytes(bytes, room),
    putStream: (stream, room = unlimited) => files.putStream(stream, room),
  }
}
