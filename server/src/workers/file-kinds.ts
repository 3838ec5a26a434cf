import { mebibyte } from '@ghanti/contract/values.ts'

export type FileKind = {
  /** The heap of the process that reads such files. Processes are kept for files of equal heaps. */
  heapMegabytes: number
  /** The processor time that an empty file may take, and how much more each MiB of it. */
  seconds: number
  secondsPerMegabyte: number
}

/** What reading a file may take. docs/design.md#files-of-people says what was measured. */
export const fileKinds = {
  rows: { heapMegabytes: 1024, seconds: 5, secondsPerMegabyte: 5 },
  addedRows: { heapMegabytes: 1024, seconds: 5, secondsPerMegabyte: 5 },
  table: { heapMegabytes: 256, seconds: 5, secondsPerMegabyte: 10 },
  numbers: { heapMegabytes: 256, seconds: 5, secondsPerMegabyte: 5 },
  sound: { heapMegabytes: 256, seconds: 5, secondsPerMegabyte: 5 },
  recordings: { heapMegabytes: 256, seconds: 10, secondsPerMegabyte: 5 },
  picture: { heapMegabytes: 256, seconds: 5, secondsPerMegabyte: 5 },
} satisfies Record<string, FileKind>

export function secondsFor({ seconds, secondsPerMegabyte }: FileKind, bytes: number): number {
  return seconds + (secondsPerMegabyte * bytes) / mebibyte
}
