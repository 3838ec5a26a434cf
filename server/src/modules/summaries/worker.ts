import type { SummaryPdfJob } from './worker-page.ts'
import { threadInTurn } from '../../workers/thread-in-turn.ts'

/**
 * Draws summaries in a thread of its own, one PDF at a time, by turns of accounts: shaping and embedding the letters of a page takes a processor for
 * some tenths of a second. It waits for another one for a while, since most of that is reading fonts.
 */
export const drawSummaries = threadInTurn<SummaryPdfJob, Uint8Array>({
  url: new URL('./worker-thread.ts', import.meta.url),
  what: 'drawing a summary',
  secondsMax: 30,
  staysMs: 30_000,
})
