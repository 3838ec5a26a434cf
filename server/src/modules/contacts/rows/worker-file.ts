import { open } from 'node:fs/promises'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { GivenUp } from '../../../workers/file-reader.ts'
import {
  binaryType,
  declarationLength,
  formatOf,
  headBytes,
  legacyText,
  separatorOf,
  whyUnsupported,
} from './rules-format.ts'
import type { NumbersTaken } from './rules-numbers.ts'
import { RecordReader, Unreadable, type TakeRecord } from './worker-records.ts'
import { ContactValidator, type AcceptedRow, type FileTotals, type RefusedRow, type RequiredColumns } from '../rules.ts'

export type ContactFile = {
  path: string
  /** As the browser declared it. It is only used to name a file that is refused. */
  declaredType: string
  sizeMax: number
  /** The number of the first line; 1 when absent. */
  firstLine?: number
  required: RequiredColumns
  /** Left out: the first number of each row. */
  takes?: NumbersTaken
  /** Of its columns with dates; null when they are not known. */
  dateOrders?: ColumnOrders | null
  /** How much is read at once. A batch holds the rows of one such piece. */
  chunkBytes?: number
}

/** The rows of a piece of the file; `rows` counts all so far. */
export type ValidatedBatch = { rows: number; accepted: AcceptedRow[]; refused: RefusedRow[] }

/** How reading ended. Only `read` means that every row was validated. */
export type FileEnd =
  | { kind: 'read'; totals: FileTotals }
  /** `type` is for '{type} is not a supported format'; `why` reads on after the field's label. */
  | { kind: 'unsupported'; type: string; why: string }
  | { kind: 'tooLarge' }
  | { kind: 'broken'; why: string }
  | GivenUp

// oxlint-disable-next-line no-control-regex -- just these are taken out: DOS's end of file, Excel's line breaks in cells
const unwanted = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

export const unsupported = (type: string, why: string): Unreadable => new Unreadable({ kind: 'unsupported', type, why })

/** Reads and validates a contact file piece by piece: bytes, size, character set, CSV, rules. Memory holds the numbers seen and one piece. */
export async function* validateFile(file: ContactFile): AsyncGenerator<ValidatedBatch, FileEnd> {
  try {
    return yield* validateOrThrow(file)
  } catch (error) {
    if (error instanceof Unreadable) return error.end
    throw error
  }
}

async function* validateOrThrow(file: ContactFile): AsyncGenerator<ValidatedBatch, FileEnd> {
  const checked = new CheckedRows(file)
  for await (const _ of readRecords(file, (separator) => checked.begin(separator))) yield checked.take()
  return { kind: 'read', totals: checked.totals() }
}

/** Yields after each piece. `begin` returns the function that gets each record. Throws Unreadable. */
export async function* readRecords(
  file: Omit<ContactFile, 'required' | 'dateOrders'>,
  begin: (separator: string) => TakeRecord,
): AsyncGenerator<void> {
  const head = await headOf(file)
  const separator = separatorOf(head.text)
  const records = new RecordReader(numbered(begin(separator), file.firstLine), separator)
  // Its line end stays, so that the line counts.
  let skipped = declarationLength(head.text)
  for await (const piece of textOf(file, head)) {
    records.write(skipped === 0 ? piece : piece.slice(skipped))
    skipped -= Math.min(skipped, piece.length)
    yield
  }
  records.end()
  yield
}

type Text = Pick<ContactFile, 'path' | 'declaredType' | 'sizeMax' | 'chunkBytes'>
type Head = { encoding: string; text: string }

/** The beginning of a file that is a text. Throws Unreadable. */
export async function headOf({ path, declaredType }: Text): Promise<Head> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const head = buffer.subarray(0, bytesRead)
  const format = formatOf(head, declaredType)
  if ('unsupported' in format) throw unsupported(format.unsupported, whyUnsupported(format.unsupported))
  return { encoding: format.encoding, text: new TextDecoder(format.encoding).decode(head) }
}

/** Piece by piece. Throws Unreadable. */
export async function* textOf(file: Text, { encoding }: Head): AsyncGenerator<string> {
  await using handle = await open(file.path)
  const text = decoder(encoding, binaryType(file.declaredType))
  const highWaterMark = file.chunkBytes ?? 65_536
  let bytes = 0
  for await (const chunk of handle.createReadStream({ start: 0, highWaterMark, autoClose: false })) {
    bytes += chunk.length
    if (bytes > file.sizeMax) throw new Unreadable({ kind: 'tooLarge' })
    yield text(chunk)
  }
  yield text(null)
}

function numbered(take: TakeRecord, firstLine = 1): TakeRecord {
  return firstLine === 1 ? take : (cells, line) => take(cells, line + firstLine - 1)
}

class CheckedRows {
  readonly #file: Pick<ContactFile, 'required' | 'takes' | 'dateOrders'>
  #validator: ContactValidator | null = null
  #batch: ValidatedBatch = { rows: 0, accepted: [], refused: [] }

  constructor(file: Pick<ContactFile, 'required' | 'takes' | 'dateOrders'>) {
    this.#file = file
  }

  begin(separator: string): TakeRecord {
    const { required, takes, dateOrders = null } = this.#file
    const validator = (this.#validator = new ContactValidator(required, separator, { takes, orders: dateOrders }))
    return (cells, line) => {
      const validated = validator.validate(cells, line)
      if (validated && 'reason' in validated) this.#batch.refused.push(validated)
      else if (validated) this.#batch.accepted.push(validated)
    }
  }

  totals(): FileTotals {
    if (!this.#validator) throw new Error('nothing was read yet')
    return this.#validator.totals()
  }

  take(): ValidatedBatch {
    const batch = { ...this.#batch, rows: this.totals().rows }
    this.#batch = { rows: 0, accepted: [], refused: [] }
    return batch
  }
}

/** Decodes bytes to text, null at the end. Bytes outside the character set are refused, never replaced. */
function decoder(encoding: string, binary: string): (chunk: Uint8Array | null) => string {
  const strict = new TextDecoder(encoding, { fatal: true })
  return (chunk) => {
    let text: string
    try {
      text = chunk ? strict.decode(chunk, { stream: true }) : strict.decode()
    } catch {
      throw unsupported(legacyText, 'is neither UTF-8 nor UTF-16 text: save it as "CSV UTF-8"')
    }
    if (text.includes('\0')) throw unsupported(binary, 'is not a text file: save it as "CSV UTF-8"')
    return text.replace(unwanted, '')
  }
}
