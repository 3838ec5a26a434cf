import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SpokenValue } from '@ghanti/callflow/speech/read.ts'
import type { AcceptedRow, RefusedRow } from '../rules.ts'
import type { CallTextSettings, Message, MessageSettings } from './rules-message.ts'
import { FairSemaphore } from '../../../lib/fair-semaphore.ts'
import type { FileEnd } from './worker-file.ts'
import type { SoughtRow } from './worker-row.ts'

/** Instead of segments: a column's value needs approval, so the row does not get that text. */
export const unapprovedText = 255

export const wantedKinds = [
  'totals',
  'numbers',
  'refused',
  'copy',
  'row',
  'spoken',
  'messages',
  'messageCopy',
  'callTexts',
] as const
/**
 *   totals   counts alone
 *   numbers  the accepted rows' numbers, and the first rows of each batch to show
 *   refused  the refused rows
 *   copy     both as COPY text for prepare.sql.ts
 *   spoken   when all is read, each distinct value that the template speaks, in its normal form
 *   messages what each row would be sent: numbers and segments, and the first rows of each batch to show
 *   messageCopy  all rows as COPY text for sms-engine/prepare/prepare.sql.ts
 *   callTexts  numbers, and the segments of each text that is sent after a call
 *   row      the one row of the job's `line`, as soon as it and the one behind it are read
 */
export type Wanted = (typeof wantedKinds)[number]
/** `rows` counts all rows read so far. */
export type BatchOf = {
  totals: { rows: number }
  numbers: { rows: number; phones: Float64Array; accepted: AcceptedRow[]; refused: RefusedRow[] }
  refused: { rows: number; refused: RefusedRow[] }
  copy: { rows: number; copy: Uint8Array }
  /** `values` counts all that will come. */
  spoken: { values: number; spoken: SpokenValue[] }
  row: { rows: number; sought: SoughtRow | null }
  messages: {
    phones: Float64Array
    /** Of each number's message, in their order. */
    segments: Uint8Array
    /** Likewise, the operators' codes. */
    operators: Uint8Array
    first: Message[]
    unreachable: number
    invalid: number
    /** Rows whose columns would have to be approved. */
    unapproved: number
    refused: RefusedRow[]
  }
  /** Of each number the segments of all texts in their order; 0 where it gets none of that text, or `unapprovedText`. */
  callTexts: { phones: Float64Array; segments: Uint8Array }
  /** `refused`: rows of this batch that the text refuses, besides those that the file's judgement does. */
  messageCopy: { rows: number; copy: Uint8Array; refused: number }
}

export type ContactJob = {
  path: string
  declaredType: string
  sizeMax: number
  templateId: number
  /** For 'row': see RowSeeker. */
  line?: number
  /** The campaign is one of messages, whose `templateId` then is not that of a call: the rows are judged for what it says. */
  message?: MessageSettings
  /** With 'copy' and 'callTexts', of a campaign that sends texts after its calls. */
  callTexts?: CallTextSettings
}

type FromThread<W extends Wanted> = { batch: BatchOf[W] } | { end: FileEnd }

/**
 * Validates the contact file in a thread of its own and hands over its batches as fast as they are taken. Leaving the loop ends the thread.
 * How many run at once is the caller's matter: `contactTurn`, or the engine's one import.
 */
export async function* contactBatches<W extends Wanted>(
  job: ContactJob,
  want: W,
  signal?: AbortSignal,
): AsyncGenerator<BatchOf[W], FileEnd> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
    workerData: { ...job, want },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  try {
    const messages = on(worker, 'message', { close: ['exit'], ...(signal ? { signal } : {}) })
    for await (const [message] of messages) {
      const fromThread: FromThread<W> = message
      if ('end' in fromThread) return fromThread.end
      yield fromThread.batch
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('taken')
    }
    throw new Error('the thread that reads a contact file ended early')
  } finally {
    await worker.terminate()
  }
}

const turns = new FairSemaphore(2, { ofEach: 1 })

/** Runs `read` when one of the few threads for people's files is free, by turns of accounts, one of each. `read` must not wait for a client. */
export function contactTurn<T>(accountId: number, read: () => Promise<T>): Promise<T> {
  return turns.run(read, accountId)
}
