import type { Readable } from 'node:stream'

/** SHA-256 in hex. */
export type FileHash = string

/** Content-addressed storage for prompts, contact files and reports. The same bytes are stored once. */
export interface FilesDriver {
  /** Stores the file at `path` by copying or moving it. */
  put(path: string): Promise<FileHash>
  putBytes(bytes: Uint8Array): Promise<FileHash>
  putStream(stream: Readable): Promise<FileHash>
  /** The path for a local reader. Throws when the file does not exist. */
  pathOf(hash: FileHash): Promise<string>
  read(hash: FileHash, range?: { start: number; end: number }): Promise<Readable>
  sizeOf(hash: FileHash): Promise<number>
  /** In no particular order. */
  all(): AsyncIterable<FileHash>
  /** Files last stored before the given time. Also removes unfinished ones from before it. */
  storedBefore(before: Date): AsyncIterable<FileHash>
  /** False when it was stored again since. */
  removeStoredBefore(hash: FileHash, before: Date): Promise<boolean>
  /** Removing a missing file is no error. The caller makes sure that nothing else refers to it. */
  remove(hash: FileHash): Promise<void>
}

export async function isStored(files: FilesDriver, hash: FileHash): Promise<boolean> {
  return files.pathOf(hash).then(
    () => true,
    () => false,
  )
}
