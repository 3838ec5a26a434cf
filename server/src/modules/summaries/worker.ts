import type { SummaryPdfJob } from './worker-page.ts'
import { threadInTurn } from '../../workers/thread-in-turn.ts'

/**
 * Draws summaries in a thread of its own, one PDF at a time and by turns of accounts, because a page takes some tenths of a second of CPU. The thread
 * stays for half a minute, since most of that time goes into reading the fonts.
 */
export const drawSummaries = threadInTurn<SummaryPdfJob, Uint8Array>({
  url: new URL('./worker-thread.ts', import.meta.url),
  what: 'drawing a summary',
  secondsMax: 30,
  staysMs: 30_000,
})
