import type { Readable } from 'node:stream'

/** SHA-256 in hex: the name of what is stored. */
export type FileHash = string

/** Content-addressed storage: prompts, contact files, reports. The same bytes are stored once. */
export interface FilesDriver {
  /** Stores the file at `path` (copied or moved) and answers its hash. */
  put(path: string): Promise<FileHash>
  putBytes(bytes: Uint8Array): Promise<FileHash>
  putStream(stream: Readable): Promise<FileHash>
  /** Where a local reader finds it. Throws when it is not there. */
  pathOf(hash: FileHash): Promise<string>
  read(hash: FileHash, range?: { start: number; end: number }): Promise<Readable>
  sizeOf(hash: FileHash): Promise<number>
  /** Every file there is, in no order. */
  all(): AsyncIterable<FileHash>
  /** Every file that was last stored before then. What was begun before then and never finished goes. */
  storedBefore(before: Date): AsyncIterable<FileHash>
  /** Gone afterwards, unless it was stored again since: false. */
  removeStoredBefore(hash: FileHash, before: Date): Promise<boolean>
  /** Gone afterwards; no error when it was not there. Callers make sure that nothing else refers to it. */
  remove(hash: FileHash): Promise<void>
}

export async function isStored(files: FilesDriver, hash: FileHash): Promise<boolean> {
  return files.pathOf(hash).then(
    () => true,
    () => false,
  )
}
