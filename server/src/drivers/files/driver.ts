import type { Readable } from 'node:stream'

/** SHA-256 in hex: the name of what is stored. */
export type FileHash = string

/** Content-addressed storage: prompts, contact files, reports. The same bytes are stored once. */
export interface FilesDriver {
  /** Stores the file at `path` (copied or moved) and answers its hash. */
  put(path: string): Promise<FileHash>
  putBytes(bytes: Uint8Array): Promise<FileHash>
  putStream(stream: Readable): Promise<FileHash>
  /** The path for a local reader. Throws when the file does not exist. */
  pathOf(hash: FileHash): Promise<string>
  read(hash: FileHash, range?: { start: number; end: number }): Promise<Readable>
  sizeOf(hash: FileHash): Promise<number>
  /** Every stored file, in no order. */
  all(): AsyncIterable<FileHash>
  /** Every file that was last stored before the given time. Unfinished ones from before it are removed. */
  storedBefore(before: Date): AsyncIterable<FileHash>
  /** Removes the file. False: it was stored again since. */
  removeStoredBefore(hash: FileHash, before: Date): Promise<boolean>
  /** Removes the file; no error when there is none. The caller makes sure that nothing else refers to it. */
  remove(hash: FileHash): Promise<void>
}

export async function isStored(files: FilesDriver, hash: FileHash): Promise<boolean> {
  return files.pathOf(hash).then(
    () => true,
    () => false,
  )
}
