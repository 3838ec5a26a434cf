import { mebibyte } from '@ghanti/contract/values.ts'

/** Of a file as picked; the part that is sent is far smaller. */
export const sourceMaxBytes = 64 * mebibyte
/** Nobody searches more for three minutes, and it would fill the page's memory. */
export const sourceSecondsMax = 1800
