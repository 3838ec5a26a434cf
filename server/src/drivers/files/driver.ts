import type { Readable } from 'node:stream'
import { codeOf } from '../../lib/error-code.ts'

/** SHA-256 in hex. */
export type FileHash = string

/**
 * Room for a file, and whose it is. Only modules/quotas gives it (scripts/tidy.test.ts), so that nobody can store what nobody counted.
 */
export class Room {
  /** The account whose quota counts the file, or why no account's does. */
  readonly whose: number | string
  /** The most that the file may have. */
  readonly bytes: number

  private constructor(whose: number | string, bytes: number) {
    this.whose = whose
    this.bytes = bytes
  }

  static of(whose: number | string, bytes: number): Room {
    return new Room(whose, bytes)
  }
}

/** Content-addressed storage for everything that people send or cause. The same bytes are stored once. More bytes than the room has are a bug, and throw. */
export interface FilesDriver {
  /** Stores the file at `path` by copying it. */
  put(path: string, room: Room): Promise<FileHash>
  putBytes(bytes: Uint8Array, room: Room): Promise<FileHash>
  putStream(stream: Readable, room: Room): Promise<FileHash>
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

/** Whether reading failed because a stored file is not there: it was removed after its name was read. */
export function isGone(error: unknown): boolean {
  if (codeOf(error) !== 'ENOENT' || !(error instanceof Error && 'path' in error)) return false
  return /[/\\][0-9a-f]{2}[/\\][0-9a-f]{64}$/.test(String(error.path))
}
