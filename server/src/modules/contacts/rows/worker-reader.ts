import { refusedShown } from '@ghanti/contract/refused.ts'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import { orderIn, ordersWith } from '../rules-dates.ts'
import { columnsOfTemplate, KeptRefused, type AcceptedRow, type RequiredColumns } from '../rules.ts'
import { DueRows } from './rules-due.ts'
import { CallTextValidator, MessageValidator } from './rules-message.ts'
import { validateFile, type FileEnd, type ValidatedBatch } from './worker-file.ts'
import { SpokenValues, spokenText } from './worker-spoken.ts'
import { RowSeeker } from './worker-row.ts'
import { unapprovedText, type BatchOf, type ContactJob, type Wanted } from './worker.ts'
import { arrayLiteral, copyEscaped } from '../../../db/copy-text.ts'

const shownRows = 20
const encoder = new TextEncoder()

export type ReadJob = ContactJob & { want: Wanted }

/** Validates one contact file, and makes of its rows what is wanted. */
export async function* read(job: ReadJob): AsyncGenerator<BatchOf[Wanted], FileEnd> {
  const orders = job.dateOrders ?? (needsOrders(job) ? await ordersIn(job) : null)
  const made = new Batches(job, orders)
  const batches = validateFile({ ...job, dateOrders: orders, required: requiredColumns(job) })
  for (;;) {
    const next = await batches.next()
    if (next.done) {
      yield* made.last()
      const end = next.value
      if (end.kind !== 'read') return end
      return { ...end, totals: { ...end.totals, dateOrders: ordersWith(end.totals.dateOrders, orders) } }
    }
    const batch = made.of(next.value)
    if (batch) yield batch
  }
}

/** Equal texts go to each number once; personalised ones may differ from row to row. Rows of one number may be due on several days. */
function requiredColumns({ due, message, templateId, spokenFrom }: ReadJob): RequiredColumns {
  if (due) return 'any'
  if (!message) return columnsOfTemplate(templateId, spokenFrom)
  return message.templateId === 1 ? 'rows' : []
}

function needsOrders({ due, message, templateId, want }: ReadJob): boolean {
  if (due || want === 'numbers') return true
  return !message && columnsOfTemplate(templateId).some(({ kind }) => kind === 'date')
}

/** Of a file that cannot be read: none, and the reading after this one says why. */
async function ordersIn(job: ReadJob): Promise<ColumnOrders> {
  const batches = validateFile({ ...job, dateOrders: null, required: 'any' })
  for (;;) {
    const next = await batches.next()
    if (next.done) return next.value.kind === 'read' ? next.value.totals.dateOrders : {}
  }
}

class Batches {
  readonly #want: Wanted
  readonly #spoken: SpokenValues
  readonly #messages: MessageValidator | undefined
  readonly #due: DueRows | undefined
  readonly #callTexts: CallTextValidator | undefined
  readonly #seeker: RowSeeker
  readonly #kept = new KeptRefused()

  constructor({ want, message, templateId, due, callTexts, line }: ReadJob, orders: ColumnOrders | null) {
    this.#want = want
    this.#spoken = new SpokenValues(message ? 0 : templateId)
    const messages = message && new MessageValidator(message)
    this.#messages = messages
    this.#due = due && new DueRows({ ...due, order: orderIn(orders, due.column) })
    this.#callTexts = callTexts && new CallTextValidator(callTexts)
    this.#seeker = new RowSeeker(line, messages && ((row) => messages.validate([row]).messages.length > 0))
  }

  /** Null when nothing is said before the end. */
  of(batch: ValidatedBatch): BatchOf[Wanted] | null {
    const { rows, accepted, refused } = batch
    switch (this.#want) {
      case 'totals':
        return { rows, refused: refused.filter(({ ofFile }) => ofFile).slice(0, refusedShown) }
      case 'refused':
        return { rows, refused: this.#kept.take(refused) }
      case 'spoken':
        for (const row of accepted) this.#spoken.take(row)
        return null
      case 'row':
        return { rows, sought: this.#seeker.take(batch) }
      case 'copy':
        return { rows, copy: this.#copyOf(batch) }
      case 'messages':
        return this.#messagesOf(batch)
      case 'messageCopy':
        return this.#messageCopyOf(batch)
      case 'callTexts':
        return this.#callTextsOf(batch)
      case 'due':
        return this.#dueOf(batch)
      case 'numbers':
        return {
          rows,
          phones: Float64Array.from(accepted, (row) => row.phone),
          accepted: accepted.slice(0, shownRows),
          refused: refused.slice(0, shownRows),
        }
    }
  }

  *last(): Generator<BatchOf[Wanted]> {
    if (this.#want === 'row') yield { rows: 0, sought: this.#seeker.end() }
    if (this.#want === 'spoken') yield* this.#spoken.batches()
  }

  /**
   * Rows in COPY's text format, with the columns that prepare.sql.ts copies: line, phone (null: refused), turn, values, text and reason of a refused row
   * (or the spoken text, in case it is refused later), whether any template would refuse it, what is spoken; then, for texts after calls: the operator,
   * the segments of each text, whether a value is not approved, and why each text is withheld.
   */
  #copyOf({ accepted, refused }: ValidatedBatch): Uint8Array {
    let text = ''
    for (const row of accepted) {
      text += `${row.line}\t${row.phone}\t${row.turn}\t${valuesCell(row.values)}\t`
      // Its text is stored because the row is refused later if one of its values cannot be spoken.
      text += row.spoken
        ? `${copyEscaped(spokenText(row))}\t\\N\tf\t${copyEscaped(this.#spoken.arrayOf(row))}`
        : '\\N\t\\N\tf\t\\N'
      text += `${this.#callTextColumns(row)}\n`
    }
    for (const row of this.#kept.take(refused))
      text += `${row.line}\t\\N\t0\t\\N\t${copyEscaped(row.text)}\t${copyEscaped(row.reason)}\t${row.ofFile ? 't' : 'f'}\t\\N\t\\N\t\\N\t\\N\t\\N\n`
    return encoder.encode(text)
  }

  #callTextColumns(row: AcceptedRow): string {
    if (!this.#callTexts) return '\t\\N\t\\N\t\\N\t\\N'
    const { operator, texts } = this.#callTexts.validate(row)
    const isUnapproved = texts.some(({ unapproved }) => unapproved)
    const why = texts.map(({ withheld }) => withheld)
    const withheld = why.every((one) => one === null) ? '\\N' : copyEscaped(arrayLiteral(why))
    return `\t${operator}\t{${texts.map(({ segments }) => segments ?? 'NULL').join(',')}}\t${isUnapproved ? 't' : 'f'}\t${withheld}`
  }

  #dueOf({ rows, accepted }: ValidatedBatch): BatchOf['due'] {
    if (!this.#due) throw new Error('it was not said which rows are due')
    const taken = this.#due.take(accepted)
    return { rows, ...taken, counts: [...this.#due.counts], unreadable: this.#due.unreadable }
  }

  #callTextsOf({ accepted }: ValidatedBatch): BatchOf['callTexts'] {
    const segments = accepted.flatMap((row) => {
      const validated = this.#callTexts?.validate(row)
      return validated?.texts.map(({ segments, unapproved }) => segments ?? (unapproved ? unapprovedText : 0)) ?? []
    })
    return { phones: Float64Array.from(accepted, ({ phone }) => phone), segments: Uint8Array.from(segments) }
  }

  #messagesOf({ accepted, refused }: ValidatedBatch): BatchOf['messages'] {
    if (!this.#messages) throw new Error('it was not said what is sent')
    const validated = this.#messages.validate(accepted)
    return {
      phones: Float64Array.from(validated.messages, ({ phone }) => phone),
      segments: Uint8Array.from(validated.messages, (one) => one.segments),
      operators: Uint8Array.from(validated.messages, ({ operator }) => operator),
      first: validated.messages.slice(0, shownRows),
      unreachable: validated.unreachable.length,
      invalid: validated.refused.length,
      unapproved: validated.unapproved.length,
      refused: [...refused, ...validated.refused].toSorted((a, b) => a.line - b.line).slice(0, shownRows),
    }
  }

  /**
   * Rows in COPY's text format for sms/prepare/prepare.sql.ts: line, phone, operator, segments, values; for a refused row its text, the reason and
   * whether any campaign would refuse it; for a row that waits for approval the reason.
   */
  #messageCopyOf({ rows, accepted, refused }: ValidatedBatch): BatchOf['messageCopy'] {
    if (!this.#messages) throw new Error('it was not said what is sent')
    const validated = this.#messages.validate(accepted)
    let text = ''
    for (const { line, phone, operator, segments, values } of validated.messages)
      text += `${line}\t${phone}\t${operator}\t${segments}\t${valuesCell(values)}\t\\N\t\\N\tf\n`
    for (const { line, phone, operator, segments, values, reason } of validated.unapproved)
      text += `${line}\t${phone}\t${operator}\t${segments}\t${valuesCell(values)}\t\\N\t${copyEscaped(reason)}\tf\n`
    for (const { line, phone, values } of validated.unreachable)
      text += `${line}\t${phone}\t0\t\\N\t${valuesCell(values)}\t\\N\t\\N\tf\n`
    for (const row of this.#kept.take([...refused, ...validated.refused]))
      text += `${row.line}\t\\N\t\\N\t\\N\t\\N\t${copyEscaped(row.text)}\t${copyEscaped(row.reason)}\t${row.ofFile ? 't' : 'f'}\n`
    return { rows, copy: encoder.encode(text), refused: validated.refused.length }
  }
}

function valuesCell(values: Readonly<Record<string, string>>): string {
  const json = JSON.stringify(values)
  return json === '{}' ? '\\N' : copyEscaped(json)
}
