import type { SpokenValue } from '@ghanti/callflow/speech/read.ts'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { AcceptedRow, RefusedRow, SpokenFrom } from '../rules.ts'
import type { DueSettings } from './rules-due.ts'
import type { CallTextSettings, Message, MessageSettings } from './rules-message.ts'
import { FairSemaphore } from '../../../lib/fair-semaphore.ts'
import { requireNoTurn } from '../../../lib/turn-held.ts'
import { fileReader } from '../../../workers/file-reader.ts'
import type { FileEnd } from './worker-file.ts'
import type { read } from './worker-reader.ts'
import type { SoughtRow } from './worker-row.ts'

/** Instead of segments: a column's value needs approval, so the row does not get that text. */
export const unapprovedText = 255

/**
 *   totals   counts, and the first rows of each batch that no template accepts
 *   numbers  the accepted rows' numbers, and the first rows of each batch to show
 *   refused  the refused rows
 *   copy     both as COPY text for prepare.sql.ts
 *   spoken   when all is read, each distinct value that the template speaks, in its normal form
 *   messages what each row would be sent: numbers and segments, and the first rows of each batch to show
 *   messageCopy  all rows as COPY text for sms/prepare/prepare.sql.ts
 *   callTexts  numbers, and the segments of each text that is sent after a call
 *   due      the lines of the rows whose own date makes them due, and how many fall on each day so far
 *   row      the row at the job's `line`, once the row after it is read as well
 */
export type Wanted = keyof BatchOf
export type BatchOf = {
  totals: { rows: number; refused: RefusedRow[] }
  numbers: { rows: number; phones: Float64Array; accepted: AcceptedRow[]; refused: RefusedRow[] }
  refused: { rows: number; refused: RefusedRow[] }
  copy: { rows: number; copy: Uint8Array }
  spoken: { values: number; spoken: SpokenValue[] }
  row: { rows: number; sought: SoughtRow | null }
  messages: {
    phones: Float64Array
    /** Of each number's message, in their order. */
    segments: Uint8Array
    operators: Uint8Array
    first: Message[]
    unreachable: number
    invalid: number
    unapproved: number
    refused: RefusedRow[]
  }
  /** For each number, the segments of every text in order; 0 or `unapprovedText` where it does not get a text. */
  callTexts: { phones: Float64Array; segments: Uint8Array }
  /** `counts`: of all rows so far, by day. `lines`: of this batch, as those of a contact file. */
  due: { rows: number; lines: string; due: number; counts: [day: string, rows: number][]; unreadable: number }
  /** `refused`: rows of this batch that are valid in the file and refused because of the message. */
  messageCopy: { rows: number; copy: Uint8Array; refused: number }
}

export type ContactJob = {
  path: string
  declaredType: string
  sizeMax: number
  /** As people number the lines of their file; 1 when absent. */
  firstLine?: number
  templateId: number
  spokenFrom?: SpokenFrom
  line?: number
  /** For SMS campaigns: rows are validated for this message, and `templateId` is not a call template's. */
  message?: MessageSettings
  /** For 'copy' and 'callTexts': the texts that the campaign sends after its calls. */
  callTexts?: CallTextSettings
  due?: Omit<DueSettings, 'order'>
  /** The stored ones, which the totals repeat. Null or absent: they are found in the file, by reading it once more where they are needed. */
  dateOrders?: ColumnOrders | null
}

const readRows = fileReader<typeof read>('rows', new URL('./worker-reader.ts', import.meta.url))

/**
 * Validates the contact file in a process of its own and hands over its batches as fast as they are taken.
 * The caller limits how many run at once: by `contactTurn`, or because the engine has one import at a time.
 */
export function contactBatches<W extends Wanted>(
  job: ContactJob,
  want: W,
  signal?: AbortSignal,
): AsyncGenerator<BatchOf[W], FileEnd> {
  const reading = readRows({ ...job, want }, { paths: [job.path], signal })
  return reading as AsyncGenerator<BatchOf[W], FileEnd>
}

const turns = new FairSemaphore(2, { ofEach: 1 })

/** Runs `read` when there is room for another of people's files, by turns of accounts, one of each. `read` must not wait for a client. */
export function contactTurn<T>(accountId: number, read: () => Promise<T>): Promise<T> {
  requireNoTurn('the reading of a contact file')
  return turns.run(read, accountId)
}
