/** The thread of worker.ts: validates one file and ends. Sends a batch only when the other side has taken one of the last two. */
import { parentPort, workerData, type Transferable } from 'node:worker_threads'
import * as z from 'zod/mini'
import { columnsOfTemplate, KeptRefused, type AcceptedRow, type RequiredColumns } from '../rules.ts'
import { DueRows, type DueSettings } from './rules-due.ts'
import { CallTextValidator, MessageValidator, type CallTextSettings, type MessageSettings } from './rules-message.ts'
import { validateFile, type ValidatedBatch } from './worker-file.ts'
import { SpokenValues, spokenText } from './worker-spoken.ts'
import { RowSeeker } from './worker-row.ts'
import { unapprovedText, wantedKinds, type BatchOf, type Wanted } from './worker.ts'
import { arrayLiteral, copyEscaped } from '../../../db/copy-text.ts'

const shownRows = 20
const job = z.parse(
  z.object({
    path: z.string(),
    declaredType: z.string(),
    sizeMax: z.number(),
    templateId: z.number(),
    line: z.optional(z.number()),
    message: z.optional(z.custom<MessageSettings>()),
    callTexts: z.optional(z.custom<CallTextSettings>()),
    due: z.optional(z.custom<DueSettings>()),
    want: z.enum(wantedKinds),
  }),
  workerData,
)

const encoder = new TextEncoder()
const spokenValues = new SpokenValues(job.message ? 0 : job.templateId)
const messages = job.message && new MessageValidator(job.message)
const dueRows = job.due && new DueRows(job.due)
const callTexts = job.callTexts && new CallTextValidator(job.callTexts)

const kept = new KeptRefused()

/**
 * Rows in COPY's text format, with the columns that prepare.sql.ts copies: line, phone (null: refused), turn, values, text and reason of a refused row
 * (or the spoken text, in case it is refused later), whether any template would refuse it, what is spoken; then, for texts after calls: the operator,
 * the segments of each text, whether a value is not approved, and why each text is withheld.
 */
function copyText({ accepted, refused }: ValidatedBatch): Uint8Array<ArrayBuffer> {
  let text = ''
  for (const row of accepted) {
    const json = JSON.stringify(row.values)
    text += `${row.line}\t${row.phone}\t${row.turn}\t${json === '{}' ? '\\N' : copyEscaped(json)}\t`
    // Its text is stored because the row is refused later if one of its values cannot be spoken.
    text += row.spoken
      ? `${copyEscaped(spokenText(row))}\t\\N\tf\t${copyEscaped(spokenValues.arrayOf(row))}`
      : '\\N\t\\N\tf\t\\N'
    text += `${callTextColumns(row)}\n`
  }
  for (const row of kept.take(refused))
    text += `${row.line}\t\\N\t0\t\\N\t${copyEscaped(row.text)}\t${copyEscaped(row.reason)}\t${row.ofFile ? 't' : 'f'}\t\\N\t\\N\t\\N\t\\N\t\\N\n`
  return encoder.encode(text)
}

function callTextColumns(row: AcceptedRow): string {
  if (!callTexts) return '\t\\N\t\\N\t\\N\t\\N'
  const { operator, texts } = callTexts.validate(row)
  const isUnapproved = texts.some(({ unapproved }) => unapproved)
  const why = texts.map(({ withheld }) => withheld)
  const withheld = why.every((one) => one === null) ? '\\N' : copyEscaped(arrayLiteral(why))
  return `\t${operator}\t{${texts.map(({ segments }) => segments ?? 'NULL').join(',')}}\t${isUnapproved ? 't' : 'f'}\t${withheld}`
}

const seeker = new RowSeeker(job.line, messages && ((row) => messages.validate([row]).messages.length > 0))

/** What is posted for a batch; null when nothing is. */
function message(want: Wanted, batch: ValidatedBatch): { batch: BatchOf[Wanted]; transfer: Transferable[] } | null {
  const { rows, accepted, refused } = batch
  if (want === 'totals') return { batch: { rows }, transfer: [] }
  if (want === 'refused') return { batch: { rows, refused: kept.take(refused) }, transfer: [] }
  if (want === 'spoken') {
    for (const row of batch.accepted) spokenValues.take(row)
    return null
  }
  if (want === 'row') return { batch: { rows, sought: seeker.take(batch) }, transfer: [] }
  if (want === 'copy') {
    const copy = copyText(batch)
    return { batch: { rows, copy }, transfer: [copy.buffer] }
  }
  if (want === 'messages') return messagesOf(batch)
  if (want === 'messageCopy') return messageCopyOf(batch)
  if (want === 'callTexts') return callTextsOf(batch)
  if (want === 'due') return { batch: dueOf(batch), transfer: [] }
  const phones = Float64Array.from(accepted, (row) => row.phone)
  const first = { accepted: accepted.slice(0, shownRows), refused: refused.slice(0, shownRows) }
  return { batch: { rows, phones, ...first }, transfer: [phones.buffer] }
}

function dueOf({ rows, accepted }: ValidatedBatch): BatchOf['due'] {
  if (!dueRows) throw new Error('it was not said which rows are due')
  const taken = dueRows.take(accepted)
  return { rows, ...taken, counts: [...dueRows.counts], unreadable: dueRows.unreadable }
}

function callTextsOf({ accepted }: ValidatedBatch): { batch: BatchOf['callTexts']; transfer: Transferable[] } {
  const phones = Float64Array.from(accepted, ({ phone }) => phone)
  const segments = Uint8Array.from(
    accepted.flatMap((row) => {
      const validated = callTexts?.validate(row)
      return validated?.texts.map(({ segments, unapproved }) => segments ?? (unapproved ? unapprovedText : 0)) ?? []
    }),
  )
  return { batch: { phones, segments }, transfer: [phones.buffer, segments.buffer] }
}

function messagesOf({ accepted, refused }: ValidatedBatch): { batch: BatchOf['messages']; transfer: Transferable[] } {
  if (!messages) throw new Error('it was not said what is sent')
  const validated = messages.validate(accepted)
  const phones = Float64Array.from(validated.messages, ({ phone }) => phone)
  const segments = Uint8Array.from(validated.messages, (one) => one.segments)
  const operators = Uint8Array.from(validated.messages, ({ operator }) => operator)
  const batch = {
    phones,
    segments,
    operators,
    first: validated.messages.slice(0, shownRows),
    unreachable: validated.unreachable.length,
    invalid: validated.refused.length,
    unapproved: validated.unapproved.length,
    refused: [...refused, ...validated.refused].toSorted((a, b) => a.line - b.line).slice(0, shownRows),
  }
  return { batch, transfer: [phones.buffer, segments.buffer, operators.buffer] }
}

/**
 * Rows in COPY's text format for sms-engine/prepare/prepare.sql.ts: line, phone, operator, segments, values; for a refused row its text, the reason and
 * whether any campaign would refuse it; for a row that waits for approval the reason.
 */
function messageCopyOf({ rows, accepted, refused }: ValidatedBatch): {
  batch: BatchOf['messageCopy']
  transfer: Transferable[]
} {
  if (!messages) throw new Error('it was not said what is sent')
  const validated = messages.validate(accepted)
  const valuesOf = (values: Record<string, string>): string => {
    const json = JSON.stringify(values)
    return json === '{}' ? '\\N' : copyEscaped(json)
  }
  let text = ''
  for (const { line, phone, operator, segments, values } of validated.messages)
    text += `${line}\t${phone}\t${operator}\t${segments}\t${valuesOf(values)}\t\\N\t\\N\tf\n`
  for (const { line, phone, operator, segments, values, reason } of validated.unapproved)
    text += `${line}\t${phone}\t${operator}\t${segments}\t${valuesOf(values)}\t\\N\t${copyEscaped(reason)}\tf\n`
  for (const { line, phone, values } of validated.unreachable)
    text += `${line}\t${phone}\t0\t\\N\t${valuesOf(values)}\t\\N\t\\N\tf\n`
  for (const row of kept.take([...refused, ...validated.refused]))
    text += `${row.line}\t\\N\t\\N\t\\N\t\\N\t${copyEscaped(row.text)}\t${copyEscaped(row.reason)}\t${row.ofFile ? 't' : 'f'}\n`
  const copy = encoder.encode(text)
  return { batch: { rows, copy, refused: validated.refused.length }, transfer: [copy.buffer] }
}

const port = parentPort
if (!port) throw new Error('worker-thread.ts runs in a thread')
let taken = 0
let onTaken = (): void => {}
port.on('message', () => {
  taken++
  onTaken()
})
let sent = 0
async function send({ batch, transfer }: NonNullable<ReturnType<typeof message>>): Promise<void> {
  if (sent - taken >= 2) await new Promise<void>((resolve) => (onTaken = resolve))
  port?.postMessage({ batch }, transfer)
  sent++
}

/** Equal texts go to each number once; personalised ones may differ from row to row. Rows of one number may be due on several days. */
function requiredColumns(): RequiredColumns {
  if (job.due) return 'any'
  if (!job.message) return columnsOfTemplate(job.templateId)
  return job.message.templateId === 1 ? 'rows' : []
}

const batches = validateFile({ ...job, required: requiredColumns() })
for (;;) {
  const next = await batches.next()
  if (next.done) {
    if (job.want === 'row') await send({ batch: { rows: 0, sought: seeker.end() }, transfer: [] })
    if (job.want === 'spoken') for (const batch of spokenValues.batches()) await send({ batch, transfer: [] })
    port.postMessage({ end: next.value })
    break
  }
  const batch = message(job.want, next.value)
  if (batch) await send(batch)
}
