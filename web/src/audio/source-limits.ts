import { mebibyte } from '@ghanti/contract/values.ts'

/** For a file as picked; the part that is sent is far smaller. */
export const sourceMaxBytes = 64 * mebibyte
/** Nobody searches more than half an hour for three minutes, and more would fill the page's memory. */
export const sourceSecondsMax = 1800
