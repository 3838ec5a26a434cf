import type { Readable } from 'node:stream'

/** SHA-256 in hex. */
export type FileHash = string

/** Content-addressed; the same bytes are stored once. */
export interface FilesDriver {
  /** Copies or moves the file. */
  put(path: string): Promise<FileHash>
  putBytes(bytes: Uint8Array): Promise<FileHash>
  putStream(stream: Readable): Promise<FileHash>
  /** Throws when the file does not exist. */
  pathOf(hash: FileHash): Promise<string>
  read(hash: FileHash, range?: { start: number; end: number }): Promise<Readable>
  sizeOf(hash: FileHash): Promise<number>
  all(): AsyncIterable<FileHash>
  /** Also removes unfinished ones from before it. */
  storedBefore(before: Date): AsyncIterable<FileHash>
  /** False when it was stored again since. */
  removeStoredBefore(hash: FileHash, before: Date): Promise<boolean>
  /** A missing file is no error. The caller makes sure that nothing else refers to it. */
  remove(hash: FileHash): Promise<void>
}

export async function isStored(files: FilesDriver, hash: FileHash): Promise<boolean> {
  return files.pathOf(hash).then(
    () => true,
    () => false,
  )
}
