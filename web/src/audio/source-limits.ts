import { mebibyte } from '@ghanti/contract/values.ts'

/** Of a file as it is picked. What is sent of it is far smaller. */
export const sourceMaxBytes = 64 * mebibyte
/** Nobody looks for three minutes in more than half an hour; more would fill the page's memory. */
export const sourceSecondsMax = 1800
