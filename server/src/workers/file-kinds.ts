import { mebibyte } from '@ghanti/contract/values.ts'

export type FileKind = {
  /** The heap of the process that reads such files. Processes are kept for files of equal heaps. */
  heapMegabytes: number
  /** How long the server waits for the reader of an empty file, and how much longer for each MiB. A reader that waits for the server is not counted. */
  seconds: number
  secondsPerMegabyte: number
}

/** What reading a file may take. docs/design.md#blocking-work says how the figures were measured. */
export const fileKinds = {
  rows: { heapMegabytes: 1024, seconds: 10, secondsPerMegabyte: 10 },
  addedRows: { heapMegabytes: 1024, seconds: 10, secondsPerMegabyte: 10 },
  table: { heapMegabytes: 256, seconds: 5, secondsPerMegabyte: 10 },
  numbers: { heapMegabytes: 256, seconds: 10, secondsPerMegabyte: 10 },
  sound: { heapMegabytes: 256, seconds: 10, secondsPerMegabyte: 10 },
  picture: { heapMegabytes: 256, seconds: 5, secondsPerMegabyte: 5 },
} satisfies Record<string, FileKind>

export function secondsFor({ seconds, secondsPerMegabyte }: FileKind, bytes: number): number {
  return seconds + (secondsPerMegabyte * bytes) / mebibyte
}
