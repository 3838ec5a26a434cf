import { bytesOfMegabyte } from '@ghanti/contract/quotas.ts'

/** Continues a sentence after what is to be said. */
export function noRoomToSpeak(mostBytes: number): string {
  const most = (mostBytes / bytesOfMegabyte).toLocaleString('en')
  return `cannot be spoken: the ${most} MB of speech that this account may have are used; what no campaign needs any more makes room`
}
