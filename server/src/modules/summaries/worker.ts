import type { SummaryPdfJob } from './worker-page.ts'
import { threadInTurn } from '../../workers/thread-in-turn.ts'

/** A page takes some tenths of a second of CPU: one PDF at a time, by turns. The thread stays for half a minute, since reading fonts takes longest. */
export const drawSummaries = threadInTurn<SummaryPdfJob, Uint8Array>({
  url: new URL('./worker-thread.ts', import.meta.url),
  what: 'drawing a summary',
  secondsMax: 30,
  staysMs: 30_000,
})
